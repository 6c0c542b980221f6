// The SQL of a day's volume: counted under the lock of its one row, and recounted when it seems to be full.
import type { Day } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'

/** A payment that is to be counted to a day. */
export interface DayUse {
  readonly walletId: bigint
  readonly day: Day
  readonly operationId: string
  readonly amount: Cents
}

/** What counts: a rail is deciding about it, or it was paid. */
const isTaken = `(operations.status = 'COMPLETED' or operations.status = 'PENDING' and operations.under_approval)`

/** A payment that was counted to this day before is not counted again. */
const countUse = statement<{ taken: bigint | null; known: boolean }>(`
  with renewed as (
    update limit_uses set reserved_at = greatest(reserved_at, $5::timestamptz)
    where wallet_id = $1::bigint and day = $2::date and operation_id = $3::uuid
    returning operation_id
  ),
  counted as (
    insert into limit_days (wallet_id, day, taken)
    select $1::bigint, $2::date, $4::bigint
    where not exists (select from renewed) and ($6::bigint is null or $4::bigint <= $6::bigint)
    on conflict (wallet_id, day) do update set taken = limit_days.taken + excluded.taken
      where $6::bigint is null or limit_days.taken + excluded.taken <= $6::bigint
    returning taken
  ),
  used as (
    insert into limit_uses (wallet_id, day, operation_id, amount, reserved_at)
    select $1::bigint, $2::date, $3::uuid, $4::bigint, $5::timestamptz from counted
    on conflict do nothing
  )
  select (select taken from counted) as taken, exists (select from renewed) as known`)

const forgetDays = statement(`
  with forgotten as (delete from limit_uses where wallet_id = $1 and day < $2::date)
  delete from limit_days where wallet_id = $1 and day < $2::date`)

/**
 * Counts a payment to its day unless that is more than `limit`, in cents; null: in any case. Payments that come at once
 * are counted one after the other. False when nothing was counted.
 */
export async function countToDay(
  db: Executor,
  { walletId, day, operationId, amount }: DayUse,
  limit: Cents | null,
  now: Instant,
): Promise<boolean> {
  const [row] = await db.run(countUse, [walletId, day, operationId, amount, toTimestamp(now), limit])
  const isFirst = row?.taken === amount
  if (isFirst) await db.run(forgetDays, [walletId, day])
  return row?.known === true || (row?.taken ?? null) !== null
}

const lockDay = statement('select from limit_days where wallet_id = $1 and day = $2::date for update')

/**
 * An operation that is locked is being tried again: it counts. One that is not there yet is still to be written, unless
 * it was counted long ago.
 */
const removeFailed = statement(`
  with failed as (
    select operations.id from limit_uses
    join operations on operations.wallet_id = limit_uses.wallet_id and operations.id = limit_uses.operation_id
    where limit_uses.wallet_id = $1 and limit_uses.day = $2::date and not ${isTaken}
    for no key update of operations skip locked
  )
  delete from limit_uses
  where wallet_id = $1 and day = $2::date and (
    operation_id in (select id from failed)
    or reserved_at < $3 and not exists (
      select from operations where operations.wallet_id = limit_uses.wallet_id and operations.id = operation_id
    )
  )`)

const sumDay = statement(`
  update limit_days set taken = (
    select coalesce(sum(amount), 0) from limit_uses where wallet_id = $1 and day = $2::date
  )
  where wallet_id = $1 and day = $2::date`)

/**
 * Takes out what has failed since it was counted, and what was counted before `before` and never opened. In a
 * transaction, of which the day is locked until it ends.
 */
export async function recountDay(
  tx: Executor,
  { walletId, day }: Pick<DayUse, 'walletId' | 'day'>,
  before: Instant,
): Promise<void> {
  await tx.run(lockDay, [walletId, day])
  await tx.run(removeFailed, [walletId, day, toTimestamp(before)])
  await tx.run(sumDay, [walletId, day])
}

const selectTaken = statement<{ taken: bigint }>(
  'select taken from limit_days where wallet_id = $1 and day = $2::date',
)

/** What was counted to a day, in cents: never less than what was taken. */
export async function countedOfDay(db: Executor, walletId: bigint, day: Day): Promise<bigint> {
  const [row] = await db.run(selectTaken, [walletId, day])
  return row?.taken ?? 0n
}

const sumTaken = statement<{ taken: bigint }>(`
  select coalesce(sum(limit_uses.amount), 0)::bigint as taken
  from limit_uses
  join operations on operations.wallet_id = limit_uses.wallet_id and operations.id = limit_uses.operation_id
  where limit_uses.wallet_id = $1 and limit_uses.day = $2::date and ${isTaken}`)

/** The same without what has failed. */
export async function takenOfDay(db: Executor, walletId: bigint, day: Day): Promise<bigint> {
  const [row] = await db.run(sumTaken, [walletId, day])
  return row?.taken ?? 0n
}
