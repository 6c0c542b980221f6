// The SQL of a day's volume, counted under a row lock.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Executor, statement } from '../storage/index.ts'

export interface DayUse {
  readonly walletId: bigint
  readonly day: Day
  readonly operationId: string
  readonly amount: Cents
}

const isTaken = `(operations.status = 'COMPLETED' or operations.status = 'PENDING' and operations.under_approval)`

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

/** Returns false if the day would exceed `limit` (cents; null for none). Parallel payments wait. */
export async function countToDay(
  db: Executor,
  { walletId, day, operationId, amount }: DayUse,
  limit: Cents | null,
  now: Instant,
): Promise<boolean> {
  const [row] = await db.run(countUse, [walletId, day, operationId, amount, toTimestamp(now), limit])
  return row?.known === true || (row?.taken ?? null) !== null
}

const forgottenMax = 1000

const forgetPortion = statement(`
  with past as (
    select wallet_id, day from limit_days where day < $1::date order by day, wallet_id limit 20 for update skip locked
  ),
  portion as (
    select limit_uses.wallet_id, limit_uses.day, limit_uses.operation_id from limit_uses
    join past on past.wallet_id = limit_uses.wallet_id and past.day = limit_uses.day
    limit $2
  ),
  forgotten as (
    delete from limit_uses using portion
    where limit_uses.wallet_id = portion.wallet_id and limit_uses.day = portion.day
      and limit_uses.operation_id = portion.operation_id
  )
  delete from limit_days using past
  where limit_days.wallet_id = past.wallet_id and limit_days.day = past.day
    and (select count(*) from portion) < $2`)

export async function forgetDaysBefore(db: Executor, day: Day): Promise<void> {
  await db.run(forgetPortion, [day, forgottenMax])
}

const countOpened = statement(`
  with used as (
    insert into limit_uses (wallet_id, day, operation_id, amount, reserved_at)
    select wallet_id, $2::date, id, amount - released, created_at from operations
    where wallet_id = $1 and id >= $3::uuid and type in ('PAYMENT', 'AUTH') and amount > released and ${isTaken}
    on conflict (wallet_id, day, operation_id) do nothing
    returning amount
  )
  insert into limit_days (wallet_id, day, taken)
  select $1, $2::date, sum(amount) from used having count(*) > 0
  on conflict (wallet_id, day) do update set taken = limit_days.taken + excluded.taken`)

export async function countOpenedSince(
  tx: Executor,
  { walletId, day, firstId }: { readonly walletId: bigint; readonly day: Day; readonly firstId: string },
): Promise<void> {
  await tx.run(countOpened, [walletId, day, firstId])
}

const lockDay = statement('select from limit_days where wallet_id = $1 and day = $2::date for update')

/** Removes failed operations, except those locked for another try, and old uses without an operation. */
const removeFailed = statement(`
  with failed as (
    select operations.id from limit_uses
    join operations on operations.wallet_id = limit_uses.wallet_id and operations.id = limit_uses.operation_id
    where limit_uses.wallet_id = $1 and limit_uses.day = $2::date and not final and not ${isTaken}
    for no key update of operations skip locked
  )
  delete from limit_uses
  where wallet_id = $1 and day = $2::date and not final and (
    operation_id in (select id from failed)
    or reserved_at < $3 and not exists (
      select from operations where operations.wallet_id = limit_uses.wallet_id and operations.id = operation_id
    )
  )`)

/** Subtracts the released part of an authorization from the day's total. */
const leaveReleased = statement(`
  with released as (
    select operations.id, operations.amount - operations.released as rest from limit_uses
    join operations on operations.wallet_id = limit_uses.wallet_id and operations.id = limit_uses.operation_id
    where limit_uses.wallet_id = $1 and limit_uses.day = $2::date and not final
      and limit_uses.amount > operations.amount - operations.released
  ),
  emptied as (
    delete from limit_uses using released
    where wallet_id = $1 and day = $2::date and operation_id = released.id and released.rest <= 0
  )
  update limit_uses set amount = released.rest from released
  where wallet_id = $1 and day = $2::date and operation_id = released.id and released.rest > 0`)

/** Completed payments are final in their day: a refund does not make room for another payment. */
const keepCompleted = statement(`
  update limit_uses set final = true from operations
  where limit_uses.wallet_id = $1 and limit_uses.day = $2::date and not final
    and operations.wallet_id = limit_uses.wallet_id and operations.id = operation_id
    and operations.type = 'PAYMENT' and operations.status = 'COMPLETED'`)

const sumDay = statement(`
  update limit_days set taken = (
    select coalesce(sum(amount), 0) from limit_uses where wallet_id = $1 and day = $2::date
  )
  where wallet_id = $1 and day = $2::date`)

/** Recounts only uses that may still leave the day. The transaction locks the day. */
export async function recountDay(
  tx: Executor,
  { walletId, day }: Pick<DayUse, 'walletId' | 'day'>,
  before: Instant,
): Promise<void> {
  await tx.run(lockDay, [walletId, day])
  await tx.run(removeFailed, [walletId, day, toTimestamp(before)])
  await tx.run(leaveReleased, [walletId, day])
  await tx.run(keepCompleted, [walletId, day])
  await tx.run(sumDay, [walletId, day])
}

const selectTaken = statement<{ taken: bigint }>(
  'select taken from limit_days where wallet_id = $1 and day = $2::date',
)

/** The counted amount of a day in cents. It is never less than the amount taken. */
export async function countedOfDay(db: Executor, walletId: bigint, day: Day): Promise<bigint> {
  const [row] = await db.run(selectTaken, [walletId, day])
  return row?.taken ?? 0n
}

const sumTaken = statement<{ taken: bigint }>(`
  select (
    select coalesce(sum(amount), 0) from limit_uses where wallet_id = $1 and day = $2::date and final
  )::bigint + (
    select coalesce(sum(least(limit_uses.amount, operations.amount - operations.released)), 0)
    from limit_uses
    join operations on operations.wallet_id = limit_uses.wallet_id and operations.id = limit_uses.operation_id
    where limit_uses.wallet_id = $1 and limit_uses.day = $2::date and not final and ${isTaken}
  )::bigint as taken`)

export async function takenOfDay(db: Executor, walletId: bigint, day: Day): Promise<bigint> {
  const [row] = await db.run(sumTaken, [walletId, day])
  return row?.taken ?? 0n
}
