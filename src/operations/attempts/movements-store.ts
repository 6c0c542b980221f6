// The SQL of movements that wait for their rail's answer: found when they are due, and claimed to be asked about.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { claimDueSql, type Executor, statement } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import { type OperationRow, operationOf } from '../read/store.ts'

const unfoldOpened = statement<{ statements: bigint }>(`
  with due as (
    delete from opened_movements
    where (due_at, id) in (
      select due_at, id from opened_movements where due_at <= $1 order by due_at limit $2 for update skip locked
    )
    returning due_at, wallet_ids, operation_ids
  ),
  timed as (
    insert into movement_timers (wallet_id, id, due_at)
    select operations.wallet_id, operations.id, due.due_at
    from due
    cross join lateral unnest(due.wallet_ids, due.operation_ids) as movement (wallet_id, id)
    join operations on operations.wallet_id = movement.wallet_id and operations.id = movement.id
    where operations.status in ('NEW', 'PENDING')
    -- It was renewed before it was due.
    on conflict (wallet_id, id) do nothing
  )
  select count(*) as statements from due`)

/**
 * Gives a timer of its own to each movement that was due by `now` and is not settled.
 *
 * @param limit how many rows of `opened_movements` it looks at, each written by one opening statement
 * @returns how many there were
 */
export async function unfoldOpenedMovements(db: Executor, now: Instant, limit: number): Promise<number> {
  const [unfolded] = await db.run(unfoldOpened, [toTimestamp(now), limit])
  return Number(unfolded?.statements ?? 0n)
}

const claimDue = statement<OperationRow & { inquiries: number }>(`
  with claimed as (
    ${claimDueSql('movement_timers', 'inquiries = inquiries + 1')}
    returning wallet_id, id, inquiries
  )
  select operations.*, claimed.inquiries
  from claimed join operations on operations.wallet_id = claimed.wallet_id and operations.id = claimed.id`)

/**
 * Movements open for too long, leased until `leasedUntil`, with how often their rail was asked; and those that were
 * settled since, to be forgotten.
 */
export async function claimDueMovements(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<{ operation: Operation; inquiries: number }[]> {
  const rows = await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  return rows.map((row) => ({ operation: operationOf(row), inquiries: row.inquiries }))
}

const postpone = statement('update movement_timers set due_at = $3 where wallet_id = $1 and id = $2')

/** Asks again at `dueAt`. */
export async function postponeMovement(
  db: Executor,
  { walletId, id }: Operation,
  dueAt: Instant,
): Promise<void> {
  await db.run(postpone, [walletId, id, toTimestamp(dueAt)])
}

const forget = statement('delete from movement_timers where wallet_id = $1 and id = $2')

/** Ends the timer of a movement that is settled. */
export async function forgetMovement(db: Executor, { walletId, id }: Operation): Promise<void> {
  await db.run(forget, [walletId, id])
}

const renew = statement<{ id: string }>(`
  with movement as (
    select wallet_id, id from operations
    where wallet_id = $1 and id = $2 and attempt_id = $2 and status = 'PENDING' and under_approval
    for no key update
  )
  insert into movement_timers (wallet_id, id, due_at)
  select wallet_id, id, $3::timestamptz from movement
  on conflict (wallet_id, id) do update set due_at = excluded.due_at, inquiries = 0
    where movement_timers.inquiries < $4
  returning id`)

/**
 * Has the resolver look first at `dueAt` again; false when the movement is final, or the resolver has asked
 * `inquiriesMax` times and decides.
 */
export async function renewMovement(
  db: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  dueAt: Instant,
  inquiriesMax: number,
): Promise<boolean> {
  return (await db.run(renew, [walletId, id, toTimestamp(dueAt), inquiriesMax])).length === 1
}
