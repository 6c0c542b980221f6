// The SQL of processing charges: claimed under a lease, opened as payments, put off, failed before a rail was asked.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../../callbacks/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  type NewOperation,
  openOperationsSql,
  operationColumns,
  operationRow,
} from '../../operations/index.ts'
import { claimDueSql, type Executor, rowSet, type StoredRowOf, statement } from '../../storage/index.ts'
import { type Charge, charges, type Subscription, subscriptions } from '../model.ts'
import { freeAllowancesSql } from '../settling/settlement-store.ts'
import type { SubscriptionRow } from '../store.ts'

/** A charge that this process may work until its lease runs out, with its subscription. */
export interface ClaimedCharge {
  readonly charge: Charge
  readonly subscription: Subscription
  /** How often it was claimed, this time included. */
  readonly attempts: number
  /** Whether its payment is open, so that a rail may have been asked. */
  readonly opened: boolean
  readonly claimedAt: Instant
}

const claimRows = statement<StoredRowOf<typeof charges.whole>>(`
  ${claimDueSql('charges', "status = 'PROCESSING', attempts = attempts + 1, modified_at = $1")}
  returning *`)

const subscriptionsOfCharges = statement<SubscriptionRow>(`
  select subscriptions.*
  from subscriptions
  join (select distinct * from unnest($1::bigint[], $2::uuid[])) as wanted (wallet_id, id)
    on wanted.wallet_id = subscriptions.wallet_id and wanted.id = subscriptions.id`)

/** Charges that are due, leased until `leasedUntil`. */
export async function claimDueCharges(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<ClaimedCharge[]> {
  const rows = await db.run(claimRows, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  if (rows.length === 0) return []
  const claimed = rows.map(charges.whole.read)
  const wanted = [
    claimed.map(({ walletId }) => walletId),
    claimed.map(({ subscriptionId }) => subscriptionId),
  ]
  const found = (await db.run(subscriptionsOfCharges, wanted)).map(subscriptions.read)
  const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
  return claimed.map((charge) => {
    const subscription = byId.get(charge.subscriptionId)
    if (subscription === undefined) throw new Error(`charge ${charge.id} has no subscription`)
    return { charge, subscription, attempts: charge.attempts, opened: charge.opened, claimedAt: now }
  })
}

const newPayments = rowSet(operationColumns)

/** Opening marks the charge, so that it and failing the charge without a payment exclude each other. */
const openPayments = statement<{ id: string }>(`
  with input as (${newPayments.source}),
  opening as (
    update charges set opened = true
    from input
    where charges.wallet_id = input.wallet_id and charges.operation_id = input.id
      and charges.status = 'PROCESSING' and not charges.opened
    returning input.*
  ),
  ${openOperationsSql('opening')}
  select id from opened_operations`)

/** Opens the payments of charges; answers per row whether it did, false when another process had. */
export async function openChargePayments(
  db: Executor,
  operations: readonly NewOperation[],
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

/** Fails a charge that no rail was asked about, and releases its allowance; false when another process continued it. */
export async function failUnopenedCharge(
  db: Executor,
  { walletId, id }: Charge,
  { error, event, at }: { readonly error: string; readonly event: NewEvent; readonly at: Instant },
): Promise<boolean> {
  const row = { wallet_id: walletId, id, error, at: toTimestamp(at), ...eventRow(event) }
  return (await db.run(failUnopened, failures.parameters([row]))).length === 1
}

const postponeRow = statement<{ id: string }>(`
  update charges set due_at = $3 where wallet_id = $1 and id = $2 and due_at is not null returning id`)

/** Postpones the charge to `dueAt`; false when it has ended. */
export async function postponeCharge(
  db: Executor,
  { walletId, id }: Charge,
  dueAt: Instant,
): Promise<boolean> {
  return (await db.run(postponeRow, [walletId, id, toTimestamp(dueAt)])).length === 1
}

const renewRow = statement<{ id: string }>(`
  update charges set due_at = $3
  where wallet_id = $1 and id = $2 and status = 'PROCESSING' and attempts = $4
  returning id`)

/** Prolongs the lease until `leasedUntil`; false when the charge has ended, or another process has claimed it. */
export async function renewCharge(
  db: Executor,
  { charge, attempts }: ClaimedCharge,
  leasedUntil: Instant,
): Promise<boolean> {
  const parameters = [charge.walletId, charge.id, toTimestamp(leasedUntil), attempts]
  return (await db.run(renewRow, parameters)).length === 1
}
