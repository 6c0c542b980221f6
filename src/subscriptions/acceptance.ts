// A customer's attempt to accept a subscription without a payment.
import { recordEvents } from '../callbacks/index.ts'
import { newId } from '../kernel/random.ts'
import type { AttemptPurpose, CustomerAttempt } from '../operations/for-movements.ts'
import type { Executor } from '../storage/index.ts'
import type { EventDeps } from './deps.ts'
import { subscriptionEvent } from './events.ts'
import type { Subscription } from './model.ts'
import { findSubscription } from './store.ts'
import {
  type AcceptanceReference,
  approveAcceptance,
  beginAcceptance,
  chooseAcceptance,
  endAcceptance,
  lockUndecided,
} from './transitions-store.ts'

export interface AcceptanceDeps extends EventDeps {
  readonly callbacks: { wake(): void }
}

/** The subscription has the id `operationId` in its attempt. */
function referenceOf({ walletId, operationId, key }: CustomerAttempt): AcceptanceReference {
  return { walletId, subscriptionId: operationId, attemptId: key }
}

export async function subscriptionOfAttempt(
  { database }: Pick<EventDeps, 'database'>,
  { walletId, operationId, key }: CustomerAttempt,
): Promise<Subscription> {
  const subscription = await findSubscription(database, walletId, operationId)
  if (subscription === undefined) throw new Error(`attempt ${key} is about no subscription`)
  return subscription
}

/**
 * An approved attempt approves its subscription, unless the merchant has ended it.
 * @param keep stores the credential in the same transaction; false if the subscription is decided
 */
export function acceptancePurpose<Details>(
  deps: AcceptanceDeps,
  keep: (
    tx: Executor,
    subscription: Subscription,
    attempt: CustomerAttempt<Details>,
  ) => Promise<boolean> = lockUndecided,
): AttemptPurpose<Details> {
  const { database, clock, random, wallets, callbacks } = deps
  return {
    choose: (tx, attempt) => chooseAcceptance(tx, referenceOf(attempt), attempt.method, clock.now()),
    begin: (tx, attempt) => beginAcceptance(tx, referenceOf(attempt), clock.now()),
    async approved(attempt) {
      const subscription = await subscriptionOfAttempt(deps, attempt)
      if (subscription.status !== 'NEW') return 'paid'
      const wallet = await wallets.get(attempt.walletId)
      await database.transaction(async (tx) => {
        if (!(await keep(tx, subscription, attempt))) return
        const at = clock.now()
        const approved = await approveAcceptance(tx, referenceOf(attempt), at)
        if (approved === undefined) throw new Error(`subscription ${subscription.id} is not under approval`)
        const details = { id: newId(at, random), wallet, event: 'APPROVED', at } as const
        await recordEvents(tx, [subscriptionEvent(approved, details)])
      })
      callbacks.wake()
      return 'paid'
    },
    async declined(attempt) {
      await endAcceptance(database, referenceOf(attempt), clock.now())
      return true
    },
  }
}
