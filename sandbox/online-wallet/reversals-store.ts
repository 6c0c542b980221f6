// SQL of reversals by the online wallet.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../src/storage/index.ts'
import { orders, type Reversal, reversals } from './model.ts'

const insertReversal = statement<{ key: string }>(`
  with taken as (
    select key, amount - refunded as amount from sandbox.wallet_orders
    where key = $1 and state = 'paid' and refunded < amount
    -- Serializes with refunds.
    for update
  )
  insert into sandbox.wallet_reversals (key, amount, reason, state, created_at, due_at)
  select key, amount, $2, 'taken', $3, $4 from taken
  on conflict (key) do nothing
  returning key`)

/** Reverses the part of a payment that was not refunded. False if nothing is left, or if it is already reversed. */
export async function insertReversalOf(
  db: Executor,
  key: string,
  reason: string,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  return (await db.run(insertReversal, [key, reason, toTimestamp(now), toTimestamp(dueAt)])).length === 1
}

const giveAgain = statement<{ key: string }>(`
  update sandbox.wallet_reversals set state = 'given_again', due_at = $2
  where key = $1 and state = 'taken' returning key`)

/** Gives a reversed amount back to the merchant. False if it is not reversed. */
export async function moveToGivenAgain(db: Executor, key: string, dueAt: Instant): Promise<boolean> {
  return (await db.run(giveAgain, [key, toTimestamp(dueAt)])).length === 1
}

const selectReversal = statement<StoredRowOf<typeof reversals>>(
  'select * from sandbox.wallet_reversals where key = $1',
)

export async function findReversal(db: Executor, key: string): Promise<Reversal | undefined> {
  return reversals.first(await db.run(selectReversal, [key]))
}

const claimDue = statement<StoredRowOf<typeof reversals>>(`
  update sandbox.wallet_reversals set due_at = $2
  where key in (
    select key from sandbox.wallet_reversals where due_at <= $1 order by due_at limit $3 for update skip locked
  )
  returning *`)

/** Reversals whose notice is due, leased until `leasedUntil`. */
export async function claimDueReversals(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<Reversal[]> {
  const rows = await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  return rows.map(reversals.read)
}

const finishNotice = statement(
  'update sandbox.wallet_reversals set due_at = null where key = $1 and state = $2',
)

export async function recordTaken(db: Executor, { key, state }: Reversal): Promise<void> {
  await db.run(finishNotice, [key, state])
}

const withReversal = orders.prefixed('order_')
const selectPaid = statement<
  StoredRowOf<typeof withReversal> & { reversal_state: Reversal['state'] | null }
>(`
  select ${withReversal.aliased('orders')}, reversals.state as reversal_state
  from sandbox.wallet_orders as orders
  left join sandbox.wallet_reversals as reversals on reversals.key = orders.key
  where orders.state = 'paid'
  order by orders.created_at desc, orders.key desc limit $1`)

export interface PaidOrder {
  readonly order: ReturnType<typeof orders.read>
  readonly reversal: Reversal['state'] | undefined
}

export async function listPaidOrders(db: Executor, limit: number): Promise<PaidOrder[]> {
  const rows = await db.run(selectPaid, [limit])
  return rows.map((row) => ({ order: withReversal.read(row), reversal: row.reversal_state ?? undefined }))
}
