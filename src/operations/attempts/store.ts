// The SQL of attempts of all rails.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  claimDueSql,
  type Executor,
  execute,
  type StoredRowOf,
  statement,
  storeFunction,
} from '../../storage/index.ts'
import { type Operation, operations } from '../model.ts'
import { type Attempt, attempts, type RailRequest } from './model.ts'

const unfoldOpened = statement<{ statements: bigint }>(`
  with due as (
    delete from opened_movements
    where (due_at, id) in (
      select due_at, id from opened_movements where due_at <= $1 order by due_at limit $2 for update skip locked
    )
    returning due_at, wallet_ids, operation_ids
  ),
  written as (
    insert into attempts (wallet_id, id, operation_id, type, method, state, due_at)
    select operations.wallet_id, operations.id, operations.id, operations.type, operations.method, 'ASKED', due.due_at
    from due
    cross join lateral unnest(due.wallet_ids, due.operation_ids) as movement (wallet_id, id)
    join operations on operations.wallet_id = movement.wallet_id and operations.id = movement.id
    where operations.status in ('NEW', 'PENDING')
    -- Its lease was renewed.
    on conflict (wallet_id, id) do nothing
  )
  select count(*) as statements from due`)

/** Writes rows only for due operations: nearly all settle before. Returns the number of statements read. */
export async function writeDueAttempts(db: Executor, now: Instant, limit: number): Promise<number> {
  const [unfolded] = await db.run(unfoldOpened, [toTimestamp(now), limit])
  return Number(unfolded?.statements ?? 0n)
}

const claimed = attempts.prefixed('claimed_')

type ClaimedRow = StoredRowOf<typeof operations> & StoredRowOf<typeof claimed> & { id: string | null }

export interface ClaimedAttempt {
  readonly attempt: Attempt
  readonly operation: Operation | undefined
}

export const claimDueAttempts = storeFunction(
  (now: Instant, leasedUntil: Instant, limit: number) => [toTimestamp(now), toTimestamp(leasedUntil), limit],
  (rows: ClaimedRow[]) =>
    rows.map((row) => ({
      attempt: claimed.read(row),
      operation: row.id === null ? undefined : operations.read(row),
    })),
)`
  with claimed as (
    ${claimDueSql('attempts', 'tries = tries + 1')}
    returning *
  )
  select operations.*, ${claimed.aliased('claimed')}
  from claimed
  left join operations on operations.wallet_id = claimed.wallet_id and operations.id = claimed.operation_id`

export const postponeAttempt = execute(({ walletId, key, state, tries }: Attempt, dueAt: Instant) => [
  walletId,
  key,
  toTimestamp(dueAt),
  tries,
  state,
])`
  update attempts set due_at = $3, tries = $4 where wallet_id = $1 and id = $2 and state = $5`

const end = statement(`
  update attempts set state = $3, due_at = null, ended_at = $4
  where wallet_id = $1 and id = $2 and state = $5`)

export async function endAttempt(
  db: Executor,
  { walletId, key, state }: Attempt,
  to: 'APPROVED' | 'DECLINED' | 'CLOSED' | 'REVERSED',
  now: Instant,
): Promise<void> {
  await db.run(end, [walletId, key, to, toTimestamp(now), state])
}

const renew = statement<{ id: string }>(`
  with movement as (
    select wallet_id, id, type, method from operations
    where wallet_id = $1 and id = $2 and attempt_id = $2 and status = 'PENDING' and under_approval
    for no key update
  )
  insert into attempts (wallet_id, id, operation_id, type, method, state, due_at)
  select wallet_id, id, id, type, method, 'ASKED', $3::timestamptz from movement
  on conflict (wallet_id, id) do update set due_at = excluded.due_at, tries = 0
    where attempts.state = 'ASKED' and ($4::integer is null or attempts.tries < $4)
  returning id`)

/** Renews the lease before a delayed call. Returns false if the attempt is decided or given up. */
export async function renewAttempt(
  db: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  dueAt: Instant,
  inquiriesMax: number | undefined,
): Promise<boolean> {
  return (await db.run(renew, [walletId, id, toTimestamp(dueAt), inquiriesMax ?? null])).length === 1
}

const giveUp = statement(`
  insert into attempts (wallet_id, id, operation_id, type, method, state, given_up_at, due_at)
  values ($1, $2, $3, $4, $5, 'GIVEN_UP', $6, $7)
  on conflict (wallet_id, id) do update set
    state = 'GIVEN_UP', tries = 0, given_up_at = excluded.given_up_at, due_at = excluded.due_at,
    failure = $8, sealed_card = null
    where attempts.state = 'ASKED'`)

/** `failure` is only stored for a customer's attempt, because other attempts may have no row. */
export async function markGivenUp(
  db: Executor,
  { walletId, key, operationId, type, method }: RailRequest,
  now: Instant,
  dueAt: Instant,
  failure?: string,
): Promise<void> {
  const times = [toTimestamp(now), toTimestamp(dueAt)]
  await db.run(giveUp, [walletId, key, operationId, type, method, ...times, failure ?? null])
}

/** An operation in one of these states never goes back. */
const endedOtherwise = (operations: string, key: string) => `(
    ${operations}.status in ('FAIL', 'VOIDED')
    or ${operations}.attempt_id is distinct from ${key}
    or (${operations}.status in ('NEW', 'PENDING') and not ${operations}.under_approval)
  )`

const recordToReverse = statement<{ id: string }>(`
  insert into attempts (wallet_id, id, operation_id, type, method, state, due_at)
  select wallet_id, $2, id, type, $4, 'TO_REVERSE', $5
  from operations
  where wallet_id = $1 and id = $3 and ${endedOtherwise('operations', '$2::uuid')}
  on conflict (wallet_id, id) do update set
    state = 'TO_REVERSE', tries = 0, due_at = excluded.due_at, ended_at = null, sealed_card = null,
    failure = case when attempts.owner is not null then coalesce(attempts.failure, 'too_late') end
    where attempts.state in ('ASKED', 'DECLINED', 'GIVEN_UP', 'CLOSED')
  returning id`)

/** Returns false if the operation was completed by this request, or still may be. */
export async function recordLateApproval(
  db: Executor,
  { walletId, key, operationId, method }: Omit<RailRequest, 'type'>,
  now: Instant,
): Promise<boolean> {
  const parameters = [walletId, key, operationId, method, toTimestamp(now)]
  return (await db.run(recordToReverse, parameters)).length === 1
}

export const countUnreversed = storeFunction(
  () => [],
  ([row]: { count: bigint }[]) => Number(row?.count ?? 0n),
)`
  select count(*) as count from attempts where state = 'TO_REVERSE'`
