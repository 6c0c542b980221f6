// Subscriptions over HTTP (SPEC.md "Subscriptions and charges").
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  dayRangeQuery,
  describeWebhooks,
  idParameter,
  listOf,
  pageQuery,
  parseLisbonDayRange,
  parsePage,
  sendText,
} from '../http/index.ts'
import { unwrap } from '../kernel/result.ts'
import { findAutoCharge } from './auto/store.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { voidSubscription } from './end.ts'
import { webhooks } from './events.ts'
import type { Subscription } from './model.ts'
import {
  listedOnWire,
  listedSubscriptionExample,
  subscriptionExample,
  subscriptionOnWire,
  subscriptionSchema,
} from './schemas.ts'
import { listSubscriptions, subscriptionOfPath } from './store.ts'

/** SPEC.md writes the second form in one place. */
export const subscriptionPaths = ['/api/v2/subscriptions', '/api/v2/Subscriptions'] as const

export const subscriptionAuth = { permission: 'subscriptions' } as const

const listSchema = listOf(
  Type.Object(
    { subscription: subscriptionSchema },
    { title: 'ListedSubscription', description: 'A subscription in a list.' },
  ),
  'SubscriptionList',
  'A page of subscriptions.',
)

export function subscriptionRoutes(deps: SubscriptionsDeps): (app: App) => void {
  const { database, methods } = deps
  const parameters = idParameter('subscription')

  const cardOf = async (subscription: Subscription) =>
    methods.of(subscription.method)?.recurring?.cardOf?.(subscription)

  return (app) => {
    describeWebhooks(app, webhooks)
    for (const path of subscriptionPaths) {
      const hide = path !== subscriptionPaths[0]

      app.get(
        path,
        {
          config: { auth: subscriptionAuth, refusals: ['invalid_parameter'] },
          schema: {
            operationId: 'listSubscriptions',
            summary: 'List subscriptions, newest first',
            description: 'All subscriptions of your wallet, filtered by the day of creation.',
            tags: ['Subscriptions'],
            hide,
            querystring: Type.Object({ ...pageQuery, ...dayRangeQuery }),
            response: answers(listSchema, {
              total: 1,
              elements: [{ subscription: listedSubscriptionExample }],
            }),
          },
        },
        async (request, reply) => {
          const { walletId } = callerOf(request)
          const page = unwrap(parsePage(request.query))
          const range = unwrap(parseLisbonDayRange(request.query.startdate, request.query.enddate))
          const { total, subscriptions } = await listSubscriptions(database, walletId, range, page)
          const elements = await Promise.all(
            subscriptions.map(async (each) => ({ subscription: listedOnWire(each, await cardOf(each)) })),
          )
          return sendText(reply, JSON.stringify({ total, elements }))
        },
      )

      app.get(
        `${path}/:id`,
        {
          config: { auth: subscriptionAuth, refusals: ['not_found'] },
          schema: {
            operationId: 'getSubscription',
            summary: 'Read a subscription',
            description: 'Shows all fields.',
            tags: ['Subscriptions'],
            hide,
            params: parameters,
            response: answers(subscriptionSchema, subscriptionExample),
          },
        },
        async (request, reply) => {
          const subscription = await subscriptionOfPath(deps, callerOf(request).walletId, request.params.id)
          const auto = subscription.autoCharged ? await findAutoCharge(database, subscription) : undefined
          return sendText(
            reply,
            JSON.stringify(subscriptionOnWire(subscription, await cardOf(subscription), auto)),
          )
        },
      )

      app.delete(
        `${path}/:id`,
        {
          config: { auth: subscriptionAuth, refusals: ['not_found', 'illegal_state'] },
          schema: {
            operationId: 'voidSubscription',
            summary: 'Void a subscription',
            description: 'Stops all charges. A subscription that has ended is refused with 10013.',
            tags: ['Subscriptions'],
            hide,
            params: parameters,
            response: answers(subscriptionSchema, { ...subscriptionExample, status: 'VOIDED' }),
          },
        },
        async (request, reply) => {
          const subscription = await subscriptionOfPath(deps, callerOf(request).walletId, request.params.id)
          const voided = unwrap(await voidSubscription(deps, subscription))
          const field = `subscription ${subscription.id}`
          request.changes = [{ field, old: subscription.status, new: voided.status }]
          return sendText(reply, JSON.stringify(subscriptionOnWire(voided, await cardOf(voided))))
        },
      )
    }
  }
}
