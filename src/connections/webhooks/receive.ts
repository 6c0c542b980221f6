// Takes what providers send: `POST /rails/<driver>/<public id of a connection>`, verified by its driver and stored once.
import { createHash } from 'node:crypto'
import { type App, type AppReply, type AppRequest, sendRefusal } from '../../http/index.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import type { Connections } from '../connections.ts'
import type { Connection, VerifiedWebhook, WebhookAnswer, WebhookReceiver } from '../driver.ts'
import type { CountWebhook } from './webhook-metrics.ts'
import { insertWebhook, webhooksChannel } from './webhooks-store.ts'

export interface ReceiveDeps {
  readonly database: Database
  readonly clock: Clock
  readonly connections: Connections
  readonly count: CountWebhook
}

/** Nothing of a body is logged, whoever sent it; one that is too large is refused before it is read. */
export function webhookRoutes(deps: ReceiveDeps): (app: App) => void {
  return (app) => {
    app.register((scope, _options, done) => {
      // Signatures are made of the bytes as they were sent, whatever their type.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
      scope.route({
        method: 'POST',
        url: '/rails/:driver/:connection',
        config: { auth: 'none', unlimited: true },
        schema: { hide: true },
        handler: (request, reply) => receive(deps, request, reply),
      })
      done()
    })
  }
}

async function receive(deps: ReceiveDeps, request: AppRequest, reply: AppReply): Promise<AppReply> {
  const { driver, connection: publicId } = request.params as { driver: string; connection: string }
  const held = deps.connections.all().find(({ row }) => row.publicId === publicId && row.driver === driver)
  const receiver = held?.driver?.webhook
  if (held === undefined || receiver === undefined) {
    // The driver in the path is whatever somebody wrote: it becomes no label.
    deps.count('none', 'unknown')
    return sendRefusal(reply, { kind: 'endpoint_not_found', reason: 'there is no such connection' })
  }
  const connection = deps.connections.opened(held)
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const verified = verify(deps, receiver, connection, { headers: headersOf(request.headers), rawBody })
  if (verified.kind === 'refused') {
    deps.count(driver, 'refused')
    if (verified.answer !== undefined) return send(reply, verified.answer)
    return sendRefusal(reply, { kind: 'authentication_required', reason: 'the signature is wrong or absent' })
  }
  const notificationId = isId(verified.id) ? verified.id : createHash('sha256').update(rawBody).digest('hex')
  const sent = { connectionId: connection.id, notificationId, payload: verified.payload }
  const isNew = await insertWebhook(deps.database, sent, deps.clock.now())
  deps.count(driver, isNew ? 'accepted' : 'repeated')
  if (isNew) await deps.database.notify(webhooksChannel, '')
  return send(reply, verified.answer ?? { status: 200 })
}

/** A provider may send anything as its id: what the database does not take, or an index, is passed over. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[\x20-\x7e]{1,255}$/.test(id)
}

function verify(
  { clock }: ReceiveDeps,
  receiver: WebhookReceiver,
  connection: Connection,
  received: Parameters<WebhookReceiver['verify']>[1],
): VerifiedWebhook {
  try {
    return receiver.verify(connection, received, { clock })
  } catch {
    return { kind: 'refused' }
  }
}

function headersOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

function send(reply: AppReply, { status, body }: WebhookAnswer): AppReply {
  reply.code(status)
  if (body === undefined) return reply.send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}
