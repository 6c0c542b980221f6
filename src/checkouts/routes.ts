// Routes that create, read and void checkouts.
import {
  type App,
  answers,
  callerOf,
  idOf,
  idParameter,
  limitPerMinute,
  sendText,
  warn,
} from '../http/index.ts'
import { withIdempotency } from '../idempotency/index.ts'
import { deny, unwrap } from '../kernel/result.ts'
import { findAutoCharge } from '../subscriptions/index.ts'
import { createCheckoutCreation } from './create.ts'
import type { CheckoutsDeps } from './deps.ts'
import { voidCheckout } from './end.ts'
import type { Checkout } from './model.ts'
import { methodCode } from './rules.ts'
import { checkoutBody, checkoutExample, checkoutOnWire, checkoutSchema, readCheckout } from './schemas.ts'
import { findCheckout } from './store.ts'

/** A client that reads more often is polling (CONTRACT section 7). */
export const readsPerMinuteMax = 30

function unknownCodes(exclude: readonly string[]): string[] {
  return exclude.flatMap((code, index) =>
    code === '' || methodCode(code) !== undefined ? [] : [`exclude[${index}] is ignored: it is not a method`],
  )
}

export function checkoutRoutes(deps: CheckoutsDeps): (app: App) => void {
  const { core, wallets, show } = deps
  const { database, clock, mode, baseUrl } = core
  const create = createCheckoutCreation(deps)
  const parameters = idParameter('checkout')
  const limitReads = limitPerMinute('checkout reads', readsPerMinuteMax)

  async function checkoutOf(walletId: bigint, id: string): Promise<Checkout> {
    const uuid = unwrap(idOf(id, 'checkout'))
    const checkout = await findCheckout(database, walletId, uuid)
    return checkout ?? deny('not_found', `there is no checkout ${uuid}`)
  }

  async function autoChargeOf({ subscription }: Checkout) {
    return subscription?.autoCharged === true ? findAutoCharge(database, subscription) : undefined
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
            'limit_reached',
            'invalid_split',
          ],
        },
        schema: {
          operationId: 'createCheckout',
          summary: 'Create a checkout',
          description:
            'Creates a page on which a customer pays, authorizes or subscribes. Send the customer to its `url_redirect`. Nothing is charged before the customer chooses a method.',
          tags: ['Checkout'],
          body: checkoutBody,
          response: answers(checkoutSchema, checkoutExample),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request)
        const { walletId, permissions } = caller
        const { customer, subscription } = request.body
        if (subscription !== undefined && !permissions.has('subscriptions')) {
          return deny('access_denied', 'the API key lacks the permission subscriptions')
        }
        if (customer?.id && !permissions.has('customers')) {
          return deny('access_denied', 'the API key lacks the permission customers')
        }
        warn(reply, unknownCodes(request.body.exclude ?? []))
        const wallet = await wallets.get(walletId)
        return withIdempotency(request, reply, {
          async work(key) {
            const draft = unwrap(readCheckout(request.body, { wallet, mode, now: clock.now() }))
            return create(draft, { wallet, caller }, key)
          },
        })
      },
    )

    app.get(
      '/api/v2/checkout/:id',
      {
        config: { auth: { permission: 'checkout' }, refusals: ['not_found', 'too_many_requests'] },
        schema: {
          operationId: 'getCheckout',
          summary: 'Read a checkout',
          description:
            'The result is the status of its payment, authorization or subscription. Wait for the callback instead of polling: at most 30 reads per minute of one checkout.',
          tags: ['Checkout'],
          params: parameters,
          response: answers(checkoutSchema, checkoutExample),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        unwrap(limitReads(request, reply, `${walletId}/${request.params.id.toLowerCase()}`))
        const checkout = await checkoutOf(walletId, request.params.id)
        const wallet = await wallets.get(walletId)
        const [shown] = checkout.operation === undefined ? [] : await show([checkout.operation], wallet)
        const auto = await autoChargeOf(checkout)
        return sendText(reply, JSON.stringify(checkoutOnWire(checkout, wallet, baseUrl, { shown, auto })))
      },
    )

    app.delete(
      '/api/v2/checkout/:id',
      {
        config: { auth: { permission: 'checkout' }, refusals: ['not_found', 'illegal_state'] },
        schema: {
          operationId: 'voidCheckout',
          summary: 'Void a checkout before a method is chosen',
          description:
            'Its payment, authorization or subscription becomes VOIDED, and its page shows that. After the customer has chosen a method the answer is 10013.',
          tags: ['Checkout'],
          params: parameters,
          response: answers(checkoutSchema, {
            ...checkoutExample,
            payment: { ...checkoutExample.payment, status: 'VOIDED' },
          }),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const before = await checkoutOf(walletId, request.params.id)
        const checkout = unwrap(await voidCheckout(deps, before))
        const [old = '', now = ''] = [before, checkout].map(({ operation }) => operation?.status)
        request.changes = [{ field: `checkout ${checkout.id}`, old, new: now }]
        const auto = await autoChargeOf(checkout)
        const wallet = await wallets.get(walletId)
        return sendText(reply, JSON.stringify(checkoutOnWire(checkout, wallet, baseUrl, { auto })))
      },
    )
  }
}
