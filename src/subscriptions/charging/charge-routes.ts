// Charges over HTTP (SPEC.md "Subscriptions and charges").
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  idOf,
  idParameter,
  listOf,
  pageQuery,
  parsePage,
  pathId,
  sendText,
} from '../../http/index.ts'
import { withIdempotency } from '../../idempotency/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { findAutoCharge } from '../auto/store.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { Charge } from '../model.ts'
import { subscriptionAuth, subscriptionPaths } from '../routes.ts'
import {
  acceptedOnWire,
  chargeBody,
  chargeExample,
  chargeOnWire,
  chargeSchema,
  readCharge,
} from '../schemas.ts'
import { subscriptionOfPath } from '../store.ts'
import { createAcceptCharge, findCharge, listCharges } from './charge.ts'

const listSchema = listOf(
  Type.Object({ charge_order: chargeSchema }, { title: 'ListedCharge', description: 'A charge in a list.' }),
  'ChargeList',
  'A page of charges.',
)
const { ext_invoiceid: _own, ...listedExample } = chargeExample
const { date: _later, ...acceptedExample } = { ...chargeExample, status: 'NEW' }

export function chargeRoutes(deps: SubscriptionsDeps): (app: App) => void {
  const { database } = deps
  const accept = createAcceptCharge(deps)
  const parameters = idParameter('subscription')

  async function chargeOf(walletId: bigint, subscription: string, charge: string): Promise<Charge> {
    const [subscriptionId, id] = [unwrap(idOf(subscription, 'subscription')), unwrap(idOf(charge, 'charge'))]
    const found = await findCharge(database, walletId, subscriptionId, id)
    return found ?? deny('not_found', `charge ${id} of subscription ${subscriptionId} does not exist`)
  }

  /** Charges by hand need no schedule. */
  async function scheduleOf(charges: readonly Charge[], walletId: bigint, id: string) {
    const isAutomatic = charges.some(({ attempt }) => attempt !== undefined)
    return isAutomatic ? findAutoCharge(database, { walletId, id }) : undefined
  }

  return (app) => {
    for (const path of subscriptionPaths) {
      const hide = path !== subscriptionPaths[0]

      app.post(
        `${path}/:id/charge`,
        {
          config: {
            auth: subscriptionAuth,
            refusals: [
              'missing_parameter',
              'invalid_parameter',
              'below_minimum_amount',
              'above_maximum_amount',
              'limit_reached',
              'not_found',
              'illegal_state',
              'period_total_reached',
            ],
          },
          schema: {
            operationId: 'chargeSubscription',
            summary: 'Charge a subscription',
            description:
              "Accepts a charge with status NEW; a callback reports the result. You can charge repeatedly within a billing cycle, up to the customer's limit (then 40013), from `start_date` to `end_date`.",
            tags: ['Subscriptions'],
            hide,
            params: parameters,
            body: chargeBody,
            response: answers(chargeSchema, acceptedExample),
          },
        },
        async (request, reply) => {
          const { walletId } = callerOf(request)
          const { id } = request.params
          return withIdempotency(request, reply, {
            async work(key) {
              const subscription = await subscriptionOfPath(deps, walletId, id)
              const draft = unwrap(readCharge(request.body))
              const answer = (charge: Parameters<typeof acceptedOnWire>[0]) =>
                JSON.stringify(acceptedOnWire(charge))
              return accept({ subscription, draft, key, answer })
            },
          })
        },
      )

      app.get(
        `${path}/:id/charge`,
        {
          config: { auth: subscriptionAuth, refusals: ['not_found', 'invalid_parameter'] },
          schema: {
            operationId: 'listCharges',
            summary: 'List the charges of a subscription, newest first',
            description: 'All charges of the subscription, including failed ones.',
            tags: ['Subscriptions'],
            hide,
            params: parameters,
            querystring: Type.Object(pageQuery),
            response: answers(listSchema, { total: 1, elements: [{ charge_order: listedExample }] }),
          },
        },
        async (request, reply) => {
          const subscription = await subscriptionOfPath(deps, callerOf(request).walletId, request.params.id)
          const { total, charges } = await listCharges(
            database,
            subscription,
            unwrap(parsePage(request.query)),
          )
          const auto = await scheduleOf(charges, subscription.walletId, subscription.id)
          const elements = charges.map((charge) => {
            const { ext_invoiceid: _read, ...listed } = chargeOnWire(charge, auto)
            return { charge_order: listed }
          })
          return sendText(reply, JSON.stringify({ total, elements }))
        },
      )

      app.get(
        `${path}/:id/charge/:charge_id`,
        {
          config: { auth: subscriptionAuth, refusals: ['not_found'] },
          schema: {
            operationId: 'getCharge',
            summary: 'Read a charge',
            description: 'Shows the current status.',
            tags: ['Subscriptions'],
            hide,
            params: Type.Object({ id: pathId('subscription'), charge_id: pathId('charge') }),
            response: answers(chargeSchema, chargeExample),
          },
        },
        async (request, reply) => {
          const { id, charge_id: chargeId } = request.params
          const charge = await chargeOf(callerOf(request).walletId, id, chargeId)
          const auto = await scheduleOf([charge], charge.walletId, charge.subscriptionId)
          return sendText(reply, JSON.stringify(chargeOnWire(charge, auto)))
        },
      )
    }
  }
}
