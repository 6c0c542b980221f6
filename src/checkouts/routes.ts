// Creating, reading and voiding checkouts over HTTP.
import { Type } from 'typebox'
import {
  type App,
  type AppReply,
  callerOf,
  idOf,
  limitPerMinute,
  readRequestKey,
  sendRepeated,
  sendText,
} from '../http/index.ts'
import { ok, type Result, refuse, unwrap } from '../kernel/result.ts'
import { type RequestKey, recallRequest } from '../storage/index.ts'
import { createCheckoutCreation } from './create.ts'
import type { CheckoutsDeps } from './deps.ts'
import { voidCheckout } from './end.ts'
import type { Checkout } from './model.ts'
import { checkoutBody, checkoutOnWire, checkoutSchema, readCheckout } from './schemas.ts'
import { findCheckout } from './store.ts'

/** Reading one checkout more often than this is polling (CONTRACT section 7). */
const readsPerMinuteMax = 30

export function checkoutRoutes(deps: CheckoutsDeps): (app: App) => void {
  const { database, clock, wallets, mode, baseUrl } = deps
  const create = createCheckoutCreation(deps)
  const parameters = Type.Object({ id: Type.String() })
  const limitReads = limitPerMinute('checkout reads', readsPerMinuteMax)

  async function checkoutOf(walletId: bigint, id: string): Promise<Checkout> {
    const uuid = unwrap(idOf(id, 'checkout'))
    const checkout = await findCheckout(database, walletId, uuid)
    return checkout ?? unwrap(refuse('not_found', `there is no checkout ${uuid}`))
  }

  /** Repeats the first answer of a request id; undefined when it was never used. */
  async function repeat(
    reply: AppReply,
    walletId: bigint,
    key: RequestKey,
  ): Promise<Result<AppReply | undefined>> {
    const recalled = await recallRequest(database, walletId, key, clock.now())
    switch (recalled.kind) {
      case 'answered':
        return ok(sendRepeated(reply, recalled.answer))
      case 'other_meaning':
        return refuse('request_id_reused', `request_id ${key.requestId} was used with another body before`)
      case 'in_flight':
      case 'abandoned':
        return refuse('request_in_flight', `request_id ${key.requestId} is being processed`)
      case 'unknown':
        return ok(undefined)
    }
  }

  return (app) => {
    app.post(
      '/api/v2/checkout',
      {
        config: {
          auth: { permission: 'checkout' },
          refusals: [
            'missing_parameter',
            'invalid_parameter',
            'below_minimum_amount',
            'above_maximum_amount',
            'request_id_reused',
          ],
        },
        schema: {
          summary: 'Create a checkout',
          tags: ['checkouts'],
          body: checkoutBody,
          response: { 200: checkoutSchema },
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const wallet = await wallets.get(walletId)
        const key = unwrap(readRequestKey(request))
        const draft = readCheckout(request.body, { wallet, mode, now: clock.now() })
        if (draft.ok) {
          const body = await create(draft.value, wallet, key)
          if (body !== undefined) return sendText(reply, body)
        }
        // Either wrong by now, or its request id was used: a repeated request is answered as the first was.
        const repeated = key === undefined ? undefined : unwrap(await repeat(reply, walletId, key))
        return (
          repeated ?? unwrap(draft.ok ? refuse('request_in_flight', 'request_id is being processed') : draft)
        )
      },
    )

    app.get(
      '/api/v2/checkout/:id',
      {
        config: { auth: { permission: 'checkout' }, refusals: ['not_found', 'too_many_requests'] },
        schema: {
          summary: 'Read a checkout',
          tags: ['checkouts'],
          params: parameters,
          response: { 200: checkoutSchema },
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        unwrap(limitReads(request, reply, `${walletId}/${request.params.id}`))
        const checkout = await checkoutOf(walletId, request.params.id)
        return sendText(reply, JSON.stringify(checkoutOnWire(checkout, await wallets.get(walletId), baseUrl)))
      },
    )

    app.delete(
      '/api/v2/checkout/:id',
      {
        config: { auth: { permission: 'checkout' }, refusals: ['not_found', 'illegal_state'] },
        schema: {
          summary: 'Void a checkout whose customer has chosen no method',
          tags: ['checkouts'],
          params: parameters,
          response: { 200: checkoutSchema },
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const checkout = unwrap(await voidCheckout(deps, await checkoutOf(walletId, request.params.id)))
        return sendText(reply, JSON.stringify(checkoutOnWire(checkout, await wallets.get(walletId), baseUrl)))
      },
    )
  }
}
