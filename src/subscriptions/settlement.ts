// Settling a payment together with its subscription or charge.

import type { NewEvent } from '../callbacks/index.ts'
import { newId } from '../kernel/random.ts'
import type { SettlementExtension } from '../operations/for-movements.ts'
import type { Operation, OperationStatus } from '../operations/index.ts'
import { withoutLostRetry } from './auto/store.ts'
import { findChargeByOperation } from './charging/charge.ts'
import type { EventDeps } from './deps.ts'
import { chargeEvent, type SubscriptionEventWord, subscriptionEvent } from './events.ts'
import { findSubscription } from './store.ts'

/** The event of the subscription for each final status of its first payment. */
const eventWithPayment: Readonly<Partial<Record<OperationStatus, SubscriptionEventWord>>> = {
  COMPLETED: 'APPROVED',
  FAIL: 'FAILED',
  VOIDED: 'VOIDED',
}

/** The part of settling that concerns subscriptions. The module of operations calls it. */
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
    if (status === 'COMPLETED') return [chargeEvent(charge, subscription, { ...details, event: 'SUCCESS' })]
    const told = await withoutLostRetry(database, charge)
    return [chargeEvent(told, subscription, { ...details, event: 'FAIL' })]
  }

  return { sql: settleSubscriptionsSql, events }
}

/** A charge ends with its payment. The first payment approves its subscription or makes it fail. */
function settleSubscriptionsSql(moved: string): string {
  return `
    settled_charges as (
      update charges set
        status = case ${moved}.status when 'COMPLETED' then 'SUCCESS' else 'FAIL' end,
        error = case ${moved}.status when 'COMPLETED' then null else coalesce(${moved}.error, 'failed') end,
        due_at = null,
        modified_at = ${moved}.at
      from ${moved}
      where ${moved}.subscription_id is not null
        and charges.wallet_id = ${moved}.wallet_id and charges.operation_id = ${moved}.id
        and charges.status = 'PROCESSING'
      returning charges.wallet_id, charges.subscription_id, charges.cycle, charges.amount, charges.status
    ),
    failed_charges as (select * from settled_charges where status = 'FAIL'),
    ${freeAllowancesSql('failed_charges')},
    decided_subscriptions as (
      update subscriptions set
        status = case ${moved}.status when 'COMPLETED' then 'APPROVED' when 'FAIL' then 'FAILED' else 'VOIDED' end,
        error = ${moved}.error,
        under_approval = false,
        modified_at = ${moved}.at
      from ${moved}
      where ${moved}.subscription_id is not null
        and subscriptions.wallet_id = ${moved}.wallet_id and subscriptions.operation_id = ${moved}.id
        and subscriptions.status = 'NEW'
    )`
}

/** Releases amounts used in the current cycle. Earlier cycles cannot be charged any more. */
export function freeAllowancesSql(failed: string): string {
  return `
    freed_allowances as (
      update subscriptions set cycle_charged = subscriptions.cycle_charged - freed.amount
      from (
        select wallet_id, subscription_id, cycle, sum(amount)::bigint as amount
        from ${failed}
        group by wallet_id, subscription_id, cycle
      ) as freed
      where subscriptions.wallet_id = freed.wallet_id and subscriptions.id = freed.subscription_id
        and subscriptions.cycle = freed.cycle
    )`
}
