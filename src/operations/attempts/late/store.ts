// The SQL of requests whose operation ended without their rail's answer.
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { claimDueSql, type Executor, statement } from '../../../storage/index.ts'
import type { Method, OperationType } from '../../model.ts'
import type { AskedOfRail } from './rails.ts'

/**
 * `WATCHED`: the rail had not received it when its operation failed, and is asked again. `APPROVED`: the rail moved
 * money for it all the same, to be reversed. `REVERSED` and `CLOSED` are final: closed is what never arrived.
 */
export type LateState = 'WATCHED' | 'APPROVED' | 'REVERSED' | 'CLOSED'

export interface LateRequest extends AskedOfRail {
  readonly state: LateState
  /** How often the rail was asked whether it has arrived after all. */
  readonly asked: number
  /** How often it was taken up in its present state, this time included. */
  readonly tries: number
  readonly noticedAt: Instant
}

interface LateRow {
  wallet_id: bigint
  id: string
  operation_id: string
  type: OperationType
  method: Method
  state: LateState
  asked: number
  tries: number
  noticed_at: Instant
}

function lateOf(row: LateRow): LateRequest {
  return {
    walletId: row.wallet_id,
    key: row.id,
    operationId: row.operation_id,
    type: row.type,
    method: row.method,
    state: row.state,
    asked: row.asked,
    tries: row.tries,
    noticedAt: row.noticed_at,
  }
}

const insertWatched = statement(`
  insert into late_requests (wallet_id, id, operation_id, type, method, state, noticed_at, due_at)
  values ($1, $2, $3, $4, $5, 'WATCHED', $6, $7)
  on conflict (wallet_id, id) do nothing`)

/** Has the rail asked again at `dueAt`, and later, about a request that it has not received. */
export async function watchRequest(
  db: Executor,
  { walletId, key, operationId, type, method }: AskedOfRail,
  now: Instant,
  dueAt: Instant,
): Promise<void> {
  await db.run(insertWatched, [
    walletId,
    key,
    operationId,
    type,
    method,
    toTimestamp(now),
    toTimestamp(dueAt),
  ])
}

/** Whether the operation ended, or goes on, otherwise than by the request of a key; none of these turns back. */
const endedOtherwise = (operations: string, key: string) => `(
    ${operations}.status in ('FAIL', 'VOIDED')
    or ${operations}.attempt_id is distinct from ${key}
    or (${operations}.status in ('NEW', 'PENDING') and not ${operations}.under_approval)
  )`

const insertApproved = statement<{ id: string }>(`
  insert into late_requests (wallet_id, id, operation_id, type, method, state, noticed_at, due_at)
  select wallet_id, $2, id, type, $4, 'APPROVED', $5, $5
  from operations
  where wallet_id = $1 and id = $3 and ${endedOtherwise('operations', '$2::uuid')}
  on conflict (wallet_id, id) do update set state = 'APPROVED', tries = 0, due_at = excluded.due_at
    where late_requests.state in ('WATCHED', 'CLOSED')
  returning id`)

/**
 * Writes down that the rail approved a request, unless its operation completed by it or may still do so.
 *
 * @returns whether it is to be reversed since now
 */
export async function noteApproval(
  db: Executor,
  { walletId, key, operationId, method }: Omit<AskedOfRail, 'type'>,
  now: Instant,
): Promise<boolean> {
  const parameters = [walletId, key, operationId, method, toTimestamp(now)]
  return (await db.run(insertApproved, parameters)).length === 1
}

const claimDue = statement<LateRow>(`
  ${claimDueSql('late_requests', 'tries = tries + 1')}
  returning *`)

/** Requests to look at now, leased until `leasedUntil`. */
export async function claimLateRequests(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<LateRequest[]> {
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(lateOf)
}

const askLater = statement(`
  update late_requests set asked = $3, due_at = $4
  where wallet_id = $1 and id = $2 and state = $5`)

/** Looks at it again at `dueAt`, when the rail was asked `asked` times; nothing where it has moved on. */
export async function postponeLateRequest(
  db: Executor,
  { walletId, key, state }: LateRequest,
  asked: number,
  dueAt: Instant,
): Promise<void> {
  await db.run(askLater, [walletId, key, asked, toTimestamp(dueAt), state])
}

const endRequest = statement(`
  update late_requests set state = $3, due_at = null, ended_at = $4
  where wallet_id = $1 and id = $2 and state = $5`)

export async function endLateRequest(
  db: Executor,
  { walletId, key, state }: LateRequest,
  end: 'REVERSED' | 'CLOSED',
  now: Instant,
): Promise<void> {
  await db.run(endRequest, [walletId, key, end, toTimestamp(now), state])
}

const countApproved = statement<{ count: bigint }>(`
  select count(*) as count from late_requests where state = 'APPROVED'`)

/** How many requests a rail approved that are not ours and not reversed. */
export async function countUnreversed(db: Executor): Promise<number> {
  const [row] = await db.run(countApproved)
  return Number(row?.count ?? 0n)
}
