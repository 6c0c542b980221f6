// Accepting a subscription by WALLET: a consumer who logged in lets their balance be charged from then on.
import { recordEvents } from '../../callbacks/index.ts'
import { newId } from '../../kernel/random.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { subscriptionEvent } from '../events.ts'
import type { Subscription } from '../model.ts'
import { approveFromBalance } from './balance-store.ts'

/** Approves at once, because no rail decides; false when the subscription is decided, or being decided. */
export async function acceptFromBalance(
  { database, clock, random, wallets, callbacks }: SubscriptionsDeps,
  subscription: Subscription,
  consumerId: bigint,
): Promise<boolean> {
  const wallet = await wallets.get(subscription.walletId)
  const at = clock.now()
  const acceptance = { consumerId, attemptId: newId(at, random) }
  const accepted = await database.transaction(async (tx) => {
    const approved = await approveFromBalance(tx, subscription, acceptance, at)
    if (approved === undefined) return false
    const details = { id: newId(at, random), wallet, event: 'APPROVED', at } as const
    await recordEvents(tx, [subscriptionEvent(approved, details)])
    return true
  })
  if (accepted) callbacks.wake()
  return accepted
}
