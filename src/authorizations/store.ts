// The SQL of authorizations: what was captured and released of them.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Operation, type OperationRow, operationOf } from '../operations/index.ts'
import { type Executor, statement } from '../storage/index.ts'
import { movementsShownMax } from './rules.ts'

const newestOf = (type: 'CAPTURE' | 'RELEASE') => `(
    select * from operations
    where wallet_id = $1 and parent_id = authorized.id and type = '${type}' and status in ('PENDING', 'COMPLETED')
    order by id desc limit ${movementsShownMax}
  )`

const selectChildren = statement<OperationRow>(`
  select movement.*
  from unnest($2::uuid[]) as authorized (id)
  cross join lateral (${newestOf('CAPTURE')} union all ${newestOf('RELEASE')}) as movement
  order by movement.id`)

/**
 * Captures and releases that took or are taking of the wallet's `authorizations`, of each the newest
 * {@link movementsShownMax}, in the order they were asked.
 */
export async function childrenOf(
  db: Executor,
  walletId: bigint,
  authorizations: readonly Operation[],
): Promise<Operation[]> {
  if (authorizations.length === 0) return []
  const rows = await db.run(selectChildren, [walletId, authorizations.map(({ id }) => id)])
  return rows.map(operationOf)
}

const claimOverdue = statement<OperationRow & { undecided: boolean }>(`
  update operations set lapse_due_at = $2
  where (wallet_id, id) in (
    select wallet_id, id from operations where lapse_due_at <= $1
    order by lapse_due_at limit $3 for update skip locked
  )
  returning *, exists (
    select 1 from operations as child
    where child.wallet_id = operations.wallet_id and child.parent_id = operations.id and child.status = 'PENDING'
  ) as undecided`)

export interface OverdueAuthorization {
  readonly authorization: Operation
  /** Whether a rail is still deciding about a capture or release of it. */
  readonly undecided: boolean
}

/** Authorizations that were to lapse by `due`, leased until `leasedUntil`. */
export async function claimOverdueAuthorizations(
  db: Executor,
  due: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<OverdueAuthorization[]> {
  const rows = await db.run(claimOverdue, [toTimestamp(due), toTimestamp(leasedUntil), limit])
  return rows.map((row) => ({ authorization: operationOf(row), undecided: row.undecided }))
}

const markLapsed = statement(`
  update operations set lapsed_at = $3, lapse_due_at = null
  where wallet_id = $1 and id = $2 and lapsed_at is null`)

/** Closes an authorization for good. */
export async function closeAuthorization(
  db: Executor,
  { walletId, id }: Operation,
  now: Instant,
): Promise<void> {
  await db.run(markLapsed, [walletId, id, toTimestamp(now)])
}
