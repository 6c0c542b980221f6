// Accepting a subscription by phone: the customer approves a mandate, under which it is charged from then on.
import { beginAcceptance, chooseAcceptance } from './deciding-store.ts'
import type { SubscriptionsDeps } from './deps.ts'
import type { Subscription } from './model.ts'

/** Asks the customer's phone; false when the subscription is decided, or something is deciding about it. */
export async function acceptByPhone(
  { mandates }: SubscriptionsDeps,
  { walletId, id: subscriptionId }: Subscription,
  phone: string,
): Promise<boolean> {
  const asked = await mandates.askForSubscription({
    walletId,
    subscriptionId,
    phone,
    async open(tx, { id: attemptId, createdAt }) {
      const ours = { walletId, subscriptionId, attemptId }
      return (
        (await chooseAcceptance(tx, ours, 'MBWAY', createdAt)) && (await beginAcceptance(tx, ours, createdAt))
      )
    },
  })
  return asked !== undefined
}
