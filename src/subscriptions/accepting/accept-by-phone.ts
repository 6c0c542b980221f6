// Accepting a subscription by phone: the customer approves a mandate, under which it is charged from then on.
import type { WantedMandate } from '../../rails/index.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { Subscription, Terms } from '../model.ts'
import { endsAt, mostInAMonth } from '../rules.ts'
import { beginAcceptance, chooseAcceptance } from './transitions-store.ts'

/** Asks the customer's phone; false when the subscription is decided, or being decided. */
export async function acceptByPhone(
  { mandates }: SubscriptionsDeps,
  subscription: Subscription,
  phone: string,
): Promise<boolean> {
  const { walletId, id: subscriptionId } = subscription
  const asked = await mandates.askForSubscription({
    walletId,
    subscriptionId,
    phone,
    wanted: wantedMandateOf(subscription),
    latest: endsAt(subscription.endDate),
    async open(tx, { id: attemptId, createdAt }) {
      const ours = { walletId, subscriptionId, attemptId }
      return (
        (await chooseAcceptance(tx, ours, 'MBWAY', createdAt)) && (await beginAcceptance(tx, ours, createdAt))
      )
    },
  })
  return asked !== undefined
}

/** What its mandate is to allow, so that every charge that the terms allow can be taken. */
export function wantedMandateOf(terms: Terms): WantedMandate {
  return { limit: mostInAMonth(terms), from: terms.startDate }
}
