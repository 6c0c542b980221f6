// The demo shop's receiver of callbacks: each is verified with the gateway before it is believed.
import { type App, type AppRequest, readJson } from '../../src/http/index.ts'
import { newId } from '../../src/kernel/ids.ts'
import { sandboxJson } from '../route-options.ts'
import type { ShopContext } from './context.ts'
import { verifyCallback } from './gateway-api.ts'
import { type Change, callbacksPath, type Session } from './model.ts'
import { stateOf, withState } from './outcome.ts'
import { cut } from './shown.ts'
import { subscriptionChangeToldBy } from './subscribing/heard.ts'

/**
 * `POST /sandbox/shop/callbacks`. Answers 200 to what is genuine, also a second time, and 400 to what is not;
 * a 5xx, when the gateway could not be asked, has the callback sent again.
 */
export function callbackRoutes(context: ShopContext): (app: App) => void {
  return (app) => {
    // A scope of its own, because verifying needs the body exactly as it came.
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      scope.post(callbacksPath, sandboxJson, async (request, reply) => {
        const { body } = request
        if (!Buffer.isBuffer(body)) return reply.code(400).send({ received: false })
        const genuine = await verifyCallback(context, body)
        note(context, request, body, genuine)
        return reply.code(genuine ? 200 : 400).send({ received: genuine })
      })
    })
  }
}

/** Shows it to whose order it is about; a forged one as well, but without believing it. */
function note(context: ShopContext, request: AppRequest, body: Buffer, genuine: boolean): void {
  const { memory, clock, random } = context
  const json = readJson(body)
  const callback = (json.ok ? json.value : undefined) as Record<string, unknown> | null | undefined
  const { ext_invoiceid, request_id, subscription_id, ext_subscriptionid } = callback ?? {}
  const names = [ext_invoiceid, request_id, subscription_id, ext_subscriptionid]
  const owner = names.map((name) => memory.ownerOf(name)).find((session) => session !== undefined)
  if (owner === undefined) return
  const at = clock.now()
  memory.record({
    session: owner.id,
    entry: {
      kind: 'callback',
      id: newId(at, random),
      at,
      headers: headersOf(request),
      body: cut(body.toString('utf8')),
      genuine,
    },
    ...(genuine ? changeToldBy(callback ?? {}, owner) : {}),
  })
}

/** What a genuine callback changes of what the shop remembers. */
function changeToldBy(callback: Record<string, unknown>, session: Session): Omit<Change, 'session'> {
  const order = session.orders.get(String(callback.ext_invoiceid ?? callback.request_id))
  return order === undefined
    ? subscriptionChangeToldBy(callback, session)
    : { order: withState(order, stateOf(callback.event)) }
}

/** Those that a receiver can check by itself; the secret ones stay hidden. */
function headersOf({ headers }: AppRequest): string[] {
  return [
    ...(headers.authorization === undefined ? [] : ['Authorization: Basic ••••••••']),
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature']
      .filter((name) => headers[name] !== undefined)
      .map((name) => `${name}: ${cut(String(headers[name])).slice(0, 120)}`),
  ]
}
