// What subscriptions have to do with the settlements of payments: moved by the same statement, told with it.
import type { NewEvent } from '../callbacks/index.ts'
import { newId } from '../kernel/ids.ts'
import type { Operation, SettleBeside } from '../operations/index.ts'
import { findChargeByOperation } from './charges-store.ts'
import type { TellingDeps } from './deps.ts'
import { chargeEvent, subscriptionEvent } from './events.ts'
import { settleSubscriptionsSql } from './settlement-store.ts'
import { findSubscription } from './store.ts'

/** Handed to the room of operations, which settles whatever rail decided: the unit holds for every method. */
export function settleBeside({ database, clock, random, wallets }: TellingDeps): SettleBeside {
  async function events(settled: Operation): Promise<readonly NewEvent[]> {
    const { walletId, subscriptionId, status, error } = settled
    const subscription =
      subscriptionId === undefined ? undefined : await findSubscription(database, walletId, subscriptionId)
    if (subscription === undefined || status === 'VOIDED') return []
    const at = clock.now()
    const telling = { id: newId(at, random), wallet: await wallets.get(walletId), at, error }
    const completed = status === 'COMPLETED'
    if (subscription.operationId === settled.id) {
      return [subscriptionEvent(subscription, { ...telling, event: completed ? 'APPROVED' : 'FAILED' })]
    }
    const charge = await findChargeByOperation(database, walletId, settled.id)
    if (charge === undefined) return []
    return [chargeEvent(charge, subscription, { ...telling, event: completed ? 'SUCCESS' : 'FAIL' })]
  }

  return { sql: settleSubscriptionsSql, events }
}
