// Automatic charges over HTTP.
import {
  type App,
  type AppRequest,
  answers,
  type Change,
  callerOf,
  idParameter,
  sendText,
} from '../../http/index.ts'
import { decimalText } from '../../kernel/money.ts'
import { type Result, unwrap } from '../../kernel/result.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { Subscription } from '../model.ts'
import { subscriptionAuth, subscriptionPaths } from '../routes.ts'
import { subscriptionExample, subscriptionOnWire, subscriptionSchema } from '../schemas.ts'
import { subscriptionOfPath } from '../store.ts'
import { changeAutoCharge, pause, resume, stop } from './change.ts'
import type { AutoCharge } from './model.ts'
import { autoChargeExample, changeBody } from './schemas.ts'
import { findAutoCharge } from './store.ts'

export function autoChargeRoutes(deps: SubscriptionsDeps): (app: App) => void {
  const { database, methods } = deps
  const [path] = subscriptionPaths
  const params = idParameter('subscription')
  const example = { ...subscriptionExample, auto_charge: autoChargeExample }
  const { next_on: _, ...endedExample } = { ...autoChargeExample, status: 'ENDED' }

  async function answer(
    request: AppRequest,
    change: (subscription: Subscription) => Promise<Result<AutoCharge>>,
  ): Promise<string> {
    const { id } = request.params as { id: string }
    const subscription = await subscriptionOfPath(deps, callerOf(request).walletId, id)
    const before = await findAutoCharge(database, subscription)
    const after = unwrap(await change(subscription))
    request.changes = changesOf(subscription, before, after)
    const card = await methods.of(subscription.method)?.recurring?.cardOf?.(subscription)
    return JSON.stringify(subscriptionOnWire(subscription, card, after))
  }

  return (app) => {
    app.patch(
      `${path}/:id`,
      {
        config: {
          auth: subscriptionAuth,
          refusals: [
            'missing_parameter',
            'invalid_parameter',
            'below_minimum_amount',
            'above_maximum_amount',
            'not_found',
            'illegal_state',
          ],
        },
        schema: {
          operationId: 'changeSubscription',
          summary: 'Make the gateway charge a subscription, or change its charges',
          description:
            'Applies to cycles that are not charged yet. After the customer has accepted, new automatic charges begin with the next cycle.',
          tags: ['Subscriptions'],
          params,
          body: changeBody,
          response: answers(subscriptionSchema, example),
        },
      },
      async (request, reply) => {
        const { auto_charge: asked } = request.body
        return sendText(
          reply,
          await answer(request, (subscription) => changeAutoCharge(deps, subscription, asked)),
        )
      },
    )

    app.post(
      `${path}/:id/pause`,
      {
        config: { auth: subscriptionAuth, refusals: ['not_found', 'illegal_state'] },
        schema: {
          operationId: 'pauseSubscription',
          summary: 'Pause automatic charges',
          description:
            'Nothing is charged until you resume. You can still charge. Repeated, it changes nothing.',
          tags: ['Subscriptions'],
          params,
          response: answers(subscriptionSchema, {
            ...example,
            auto_charge: { ...autoChargeExample, status: 'PAUSED' },
          }),
        },
      },
      async (request, reply) =>
        sendText(reply, await answer(request, (subscription) => pause(deps, subscription))),
    )

    app.post(
      `${path}/:id/resume`,
      {
        config: { auth: subscriptionAuth, refusals: ['not_found', 'illegal_state'] },
        schema: {
          operationId: 'resumeSubscription',
          summary: 'Resume automatic charges',
          description: 'A cycle that began during the pause is not charged. Repeated, it changes nothing.',
          tags: ['Subscriptions'],
          params,
          response: answers(subscriptionSchema, example),
        },
      },
      async (request, reply) =>
        sendText(reply, await answer(request, (subscription) => resume(deps, subscription))),
    )

    app.delete(
      `${path}/:id/auto_charge`,
      {
        config: { auth: subscriptionAuth, refusals: ['not_found'] },
        schema: {
          operationId: 'stopAutoCharge',
          summary: 'End automatic charges',
          description:
            'The subscription stays: you can still charge it, or start automatic charges again with PATCH.',
          tags: ['Subscriptions'],
          params,
          response: answers(subscriptionSchema, {
            ...example,
            auto_charge: endedExample,
          }),
        },
      },
      async (request, reply) =>
        sendText(reply, await answer(request, (subscription) => stop(deps, subscription))),
    )
  }
}

/** For the log of actions. */
function changesOf({ id }: Subscription, before: AutoCharge | undefined, after: AutoCharge): Change[] {
  const inWords = (auto: AutoCharge | undefined) =>
    auto === undefined ? 'none' : `${auto.status} ${decimalText(auto.amount)}`
  return [{ field: `auto_charge of subscription ${id}`, old: inWords(before), new: inWords(after) }]
}
