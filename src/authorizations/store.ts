// The SQL of the end of authorizations.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Operation, operations } from '../operations/index.ts'
import { type Executor, type StoredRowOf, statement } from '../storage/index.ts'

/** Also locks the operation, so that no capture or release opens meanwhile. */
const claimOverdue = statement<StoredRowOf<typeof operations> & { undecided: boolean }>(`
  with due as (
    select authorization_timers.due_at, operations.*
    from authorization_timers
    join operations on operations.wallet_id = authorization_timers.wallet_id
      and operations.id = authorization_timers.id
    where authorization_timers.due_at <= $1
      and (authorization_timers.leased_until is null or authorization_timers.leased_until <= $1)
    order by authorization_timers.due_at limit $3
    for update of authorization_timers skip locked
    for no key update of operations skip locked
  ),
  leased as (
    update authorization_timers set leased_until = $2
    from due
    where authorization_timers.due_at = due.due_at and authorization_timers.wallet_id = due.wallet_id
      and authorization_timers.id = due.id
  )
  select due.*, exists (
    select 1 from operations as child
    where child.wallet_id = due.wallet_id and child.parent_id = due.id and child.status = 'PENDING'
  ) as undecided
  from due`)

export interface OverdueAuthorization {
  readonly authorization: Operation
  /** A rail is still deciding about a capture or release. */
  readonly undecided: boolean
}

/** Leased until `leasedUntil`. */
export async function claimOverdueAuthorizations(
  db: Executor,
  due: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<OverdueAuthorization[]> {
  const rows = await db.run(claimOverdue, [toTimestamp(due), toTimestamp(leasedUntil), limit])
  return rows.map((row) => ({ authorization: operations.read(row), undecided: row.undecided }))
}

const markEnded = statement<StoredRowOf<typeof operations> & { undecided: boolean }>(`
  with standing as (
    select wallet_id, id, expires from operations
    where wallet_id = $1 and id = $2 and type = 'AUTH' and status = 'COMPLETED' and lapsed_at is null and expires > $3
    for no key update
  ),
  moved as (
    update authorization_timers set due_at = $3, leased_until = null
    from standing
    where authorization_timers.due_at = standing.expires and authorization_timers.wallet_id = standing.wallet_id
      and authorization_timers.id = standing.id
  )
  update operations set expires = $3
  from standing
  where operations.wallet_id = standing.wallet_id and operations.id = standing.id
  returning operations.*, exists (
    select 1 from operations as child
    where child.wallet_id = standing.wallet_id and child.parent_id = standing.id and child.status = 'PENDING'
  ) as undecided`)

/** Undefined if it has ended before. */
export async function endHold(
  db: Executor,
  { walletId, id }: Operation,
  now: Instant,
): Promise<OverdueAuthorization | undefined> {
  const [row] = await db.run(markEnded, [walletId, id, toTimestamp(now)])
  return row && { authorization: operations.read(row), undecided: row.undecided }
}

const markLapsed = statement(`
  with lapsed as (
    update operations set lapsed_at = $3
    where wallet_id = $1 and id = $2 and lapsed_at is null
    returning wallet_id, id, expires
  )
  delete from authorization_timers using lapsed
  where authorization_timers.due_at = lapsed.expires and authorization_timers.wallet_id = lapsed.wallet_id
    and authorization_timers.id = lapsed.id`)

export async function closeAuthorization(
  db: Executor,
  { walletId, id }: Operation,
  now: Instant,
): Promise<void> {
  await db.run(markLapsed, [walletId, id, toTimestamp(now)])
}

const selectSoon = statement<{ authorizations: bigint; remaining: bigint }>(`
  select count(*) as authorizations, coalesce(sum(amount - captured - released), 0)::bigint as remaining
  from authorization_timers
  join operations on operations.wallet_id = authorization_timers.wallet_id and operations.id = authorization_timers.id
  where authorization_timers.wallet_id = $1 and authorization_timers.due_at between $2 and $3
    and operations.amount > operations.captured + operations.released`)

/** Authorizations that lapse between `now` and `until`, with their rest in cents. */
export async function lapsingSoon(
  db: Executor,
  walletId: bigint,
  now: Instant,
  until: Instant,
): Promise<{ readonly count: number; readonly remaining: bigint }> {
  const [row] = await db.run(selectSoon, [walletId, toTimestamp(now), toTimestamp(until)])
  return { count: Number(row?.authorizations ?? 0n), remaining: row?.remaining ?? 0n }
}
