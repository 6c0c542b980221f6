// Receives webhooks of providers: the driver verifies them, then they are stored (CONTRACT section 18).
import { createHash } from 'node:crypto'
import { Counter, type Registry } from 'prom-client'
import type { App, AppReply, AppRequest } from '../../http/index.ts'
import { deny } from '../../kernel/result.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import type { Connections, HeldConnection } from '../connections.ts'
import type { VerifiedWebhook, WebhookAnswer, WebhookReceiver } from '../driver.ts'
import { providerFetch } from '../tools/provider-fetch.ts'
import { insertWebhook, webhooksChannel } from './webhooks-store.ts'

export interface ReceiveDeps {
  readonly database: Database
  readonly clock: Clock
  readonly connections: Connections
  readonly count: CountWebhook
}

export function webhookRoutes(deps: ReceiveDeps): (app: App) => void {
  return (app) => {
    app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
      scope.route({
        method: ['GET', 'POST'],
        url: '/rails/:driver/:connection',
        config: { auth: 'none', unlimited: true },
        schema: { hide: true },
        handler: (request, reply) => {
          const { driver, connection } = request.params as { driver: string; connection: string }
          return receive(deps, driver, ({ row }) => row.publicId === connection, request, reply)
        },
      })
      scope.route({
        method: ['GET', 'POST'],
        url: '/webhooks/:driver',
        config: { auth: 'none', unlimited: true },
        schema: { hide: true },
        handler: (request, reply) =>
          receive(deps, (request.params as { driver: string }).driver, () => true, request, reply),
      })
      done()
    })
  }
}

async function receive(
  deps: ReceiveDeps,
  driver: string,
  isMeant: (held: HeldConnection) => boolean,
  request: AppRequest,
  reply: AppReply,
): Promise<AppReply> {
  const receivers = deps.connections
    .all()
    .flatMap((held) =>
      held.row.driver === driver && held.driver?.webhook !== undefined && isMeant(held)
        ? [{ held, receiver: held.driver.webhook }]
        : [],
    )
  if (receivers.length === 0) {
    // Anyone can write any name into the path, so it does not become a label of a metric.
    deps.count('none', 'unknown')
    deny('endpoint_not_found', 'there is no such connection')
  }
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const query = Object.fromEntries(new URL(request.url, 'http://gateway').searchParams)
  const sent = { headers: headersOf(request.headers), query, rawBody }
  let refused: WebhookAnswer | undefined
  for (const { held, receiver } of receivers) {
    const verified = await verify(deps, receiver, held, sent)
    if (verified.kind === 'accepted') return store(deps, held.row, verified, rawBody, reply)
    refused ??= verified.answer
  }
  deps.count(driver, 'refused')
  if (refused !== undefined) return send(reply, refused)
  return deny('authentication_required', 'the signature is wrong or absent')
}

async function store(
  deps: ReceiveDeps,
  { id: connectionId, driver }: HeldConnection['row'],
  verified: VerifiedWebhook & { readonly kind: 'accepted' },
  rawBody: Buffer,
  reply: AppReply,
): Promise<AppReply> {
  const notificationId = isId(verified.id) ? verified.id : createHash('sha256').update(rawBody).digest('hex')
  const sent = { connectionId, notificationId, payload: verified.payload }
  const isNew = await insertWebhook(deps.database, sent, deps.clock.now())
  deps.count(driver, isNew ? 'accepted' : 'repeated')
  if (isNew) await deps.database.notify(webhooksChannel, '')
  return send(reply, verified.answer ?? { status: 200 })
}

/** A provider can send any id. If the database cannot store it, the body's hash replaces it. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && /^[\x20-\x7e]{1,255}$/.test(id)
}

async function verify(
  { clock, connections }: ReceiveDeps,
  receiver: WebhookReceiver,
  held: HeldConnection,
  received: Parameters<WebhookReceiver['verify']>[1],
): Promise<VerifiedWebhook> {
  try {
    return await receiver.verify(connections.opened(held), received, { clock, fetch: providerFetch })
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

/** `repeated`: stored before. `refused`: wrong signature. `unknown`: no connection. `failed`: tried again. */
export type WebhookOutcome =
  | 'accepted'
  | 'repeated'
  | 'refused'
  | 'unknown'
  | 'handled'
  | 'failed'
  | 'given_up'

export type CountWebhook = (driver: string, outcome: WebhookOutcome) => void

export function createWebhookCounter(metrics: Registry): CountWebhook {
  const counter = new Counter({
    name: 'comporta_rail_webhooks_total',
    help: 'Webhooks of payment providers, by driver and outcome',
    labelNames: ['driver', 'outcome'],
    registers: [metrics],
  })
  return (driver, outcome) => counter.inc({ driver, outcome })
}
