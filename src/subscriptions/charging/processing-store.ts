// The SQL of processing charges.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../../callbacks/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { OpenedOperation } from '../../operations/for-movements.ts'
import { openOperationsSql, operationColumns, operationRow } from '../../operations/index.ts'
import { claimDueSql, type Executor, rowSet, type StoredRowOf, statement } from '../../storage/index.ts'
import { type Charge, charges, type Subscription, subscriptions } from '../model.ts'
import { freeAllowancesSql } from '../settlement-store.ts'
import type { SubscriptionRow } from '../store.ts'

export interface ClaimedCharge {
  readonly charge: Charge
  readonly subscription: Subscription
  readonly claimedAt: Instant
}

const claimRows = statement<StoredRowOf<typeof charges>>(`
  ${claimDueSql('charges', "status = 'PROCESSING', modified_at = $1")}
  returning *`)

const subscriptionsOfCharges = statement<SubscriptionRow>(`
  select subscriptions.*
  from subscriptions
  join (select distinct * from unnest($1::bigint[], $2::uuid[])) as wanted (wallet_id, id)
    on wanted.wallet_id = subscriptions.wallet_id and wanted.id = subscriptions.id`)

/** Leased until `leasedUntil`. */
export async function claimDueCharges(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<ClaimedCharge[]> {
  const rows = await db.run(claimRows, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  if (rows.length === 0) return []
  const claimed = rows.map(charges.read)
  const wanted = [
    claimed.map(({ walletId }) => walletId),
    claimed.map(({ subscriptionId }) => subscriptionId),
  ]
  const found = (await db.run(subscriptionsOfCharges, wanted)).map(subscriptions.read)
  const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
  return claimed.map((charge) => {
    const subscription = byId.get(charge.subscriptionId)
    if (subscription === undefined) throw new Error(`charge ${charge.id} has no subscription`)
    return { charge, subscription, claimedAt: now }
  })
}

const newPayments = rowSet(operationColumns)

/** Marks the charge as opened, so that it cannot fail without its payment. */
const openPayments = statement<{ id: string }>(`
  with input as (${newPayments.source}),
  opening as (
    update charges set opened = true, due_at = null
    from input
    where charges.wallet_id = input.wallet_id and charges.operation_id = input.id
      and charges.status = 'PROCESSING' and not charges.opened
    returning input.*
  ),
  ${openOperationsSql('opening')}
  select id from opened_operations`)

/** Answers for each row; false when another process opened it. */
export async function openChargePayments(
  db: Executor,
  operations: readonly OpenedOperation[],
): Promise<boolean[]> {
  const opened = await db.run(openPayments, newPayments.parameters(operations.map(operationRow)))
  const ids = new Set(opened.map(({ id }) => id))
  return operations.map(({ id }) => ids.has(id))
}

const failures = rowSet({
  wallet_id: 'bigint',
  id: 'uuid',
  error: 'text',
  at: 'timestamptz',
  ...eventColumns,
})

const failUnopened = statement<{ id: string }>(`
  with input as (${failures.source}),
  failed as (
    update charges set status = 'FAIL', error = input.error, due_at = null, modified_at = input.at
    from input
    where charges.wallet_id = input.wallet_id and charges.id = input.id
      and charges.status = 'PROCESSING' and not charges.opened
    returning input.*, charges.subscription_id, charges.cycle, charges.amount
  ),
  ${freeAllowancesSql('failed')},
  ${recordEventsSql('failed')}
  select id from failed`)

/** Releases the allowance; false when another process continued the charge. */
export async function failUnopenedCharge(
  db: Executor,
  { walletId, id }: Charge,
  { error, event, at }: { readonly error: string; readonly event: NewEvent; readonly at: Instant },
): Promise<boolean> {
  const row = { wallet_id: walletId, id, error, at: toTimestamp(at), ...eventRow(event) }
  return (await db.run(failUnopened, failures.parameters([row]))).length === 1
}
