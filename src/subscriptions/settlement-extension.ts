// Settling a payment together with its subscription or charge.
import type { NewEvent } from '../callbacks/index.ts'
import { newId } from '../kernel/random.ts'
import type { SettlementExtension } from '../operations/for-movements.ts'
import type { Operation, OperationStatus } from '../operations/index.ts'
import { findChargeByOperation } from './charging/charges-store.ts'
import type { EventDeps } from './deps.ts'
import { chargeEvent, type SubscriptionEventWord, subscriptionEvent } from './events.ts'
import { settleSubscriptionsSql } from './settlement-store.ts'
import { findSubscription } from './store.ts'

/** The event of a subscription when its first payment ends so. */
const eventWithPayment: Readonly<Partial<Record<OperationStatus, SubscriptionEventWord>>> = {
  COMPLETED: 'APPROVED',
  FAIL: 'FAILED',
  VOIDED: 'VOIDED',
}

/** For the module of operations, which settles all payments. */
export function subscriptionSettlement({ database, clock, random, wallets }: EventDeps): SettlementExtension {
  async function events(settled: Operation): Promise<readonly NewEvent[]> {
    const { walletId, subscriptionId, status, error } = settled
    const subscription =
      subscriptionId === undefined ? undefined : await findSubscription(database, walletId, subscriptionId)
    if (subscription === undefined) return []
    const at = clock.now()
    const details = { id: newId(at, random), wallet: await wallets.get(walletId), at, error }
    if (subscription.operationId === settled.id) {
      const event = eventWithPayment[status]
      return event === undefined ? [] : [subscriptionEvent(subscription, { ...details, event })]
    }
    const charge = await findChargeByOperation(database, walletId, settled.id)
    if (charge === undefined) return []
    return [
      chargeEvent(charge, subscription, { ...details, event: status === 'COMPLETED' ? 'SUCCESS' : 'FAIL' }),
    ]
  }

  return { sql: settleSubscriptionsSql, events }
}
