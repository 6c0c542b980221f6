// The SQL of the end of authorizations.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Operation, operations } from '../operations/index.ts'
import { execute, type StoredRowOf, storeFunction } from '../storage/index.ts'

export interface OverdueAuthorization {
  readonly authorization: Operation
  /** True while a rail decides about a capture or release. */
  readonly undecided: boolean
}

/** Locks the operation too, so that no capture or release opens meanwhile. */
/** Claims authorizations until `leasedUntil`. */
export const claimOverdueAuthorizations = storeFunction(
  (due: Instant, leasedUntil: Instant, limit: number) => [toTimestamp(due), toTimestamp(leasedUntil), limit],
  (rows: (StoredRowOf<typeof operations> & { undecided: boolean })[]) =>
    rows.map((row) => ({ authorization: operations.read(row), undecided: row.undecided })),
)`
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
  from due`

/** Returns undefined if the hold has already ended. */
export const endHold = storeFunction(
  ({ walletId, id }: Operation, now: Instant) => [walletId, id, toTimestamp(now)],
  ([row]: (StoredRowOf<typeof operations> & { undecided: boolean })[]) =>
    row && { authorization: operations.read(row), undecided: row.undecided },
)`
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
  ) as undecided`

export const closeAuthorization = execute(({ walletId, id }: Operation, now: Instant) => [
  walletId,
  id,
  toTimestamp(now),
])`
  with lapsed as (
    update operations set lapsed_at = $3
    where wallet_id = $1 and id = $2 and lapsed_at is null
    returning wallet_id, id, expires
  )
  delete from authorization_timers using lapsed
  where authorization_timers.due_at = lapsed.expires and authorization_timers.wallet_id = lapsed.wallet_id
    and authorization_timers.id = lapsed.id`

/** Authorizations that end between `now` and `until`, with their rest in cents. */
export const lapsingSoon = storeFunction(
  (walletId: bigint, now: Instant, until: Instant) => [walletId, toTimestamp(now), toTimestamp(until)],
  ([row]: { authorizations: bigint; remaining: bigint }[]) => ({
    count: Number(row?.authorizations ?? 0n),
    remaining: row?.remaining ?? 0n,
  }),
)`
  select count(*) as authorizations, coalesce(sum(amount - captured - released), 0)::bigint as remaining
  from authorization_timers
  join operations on operations.wallet_id = authorization_timers.wallet_id and operations.id = authorization_timers.id
  where authorization_timers.wallet_id = $1 and authorization_timers.due_at between $2 and $3
    and operations.amount > operations.captured + operations.released`
