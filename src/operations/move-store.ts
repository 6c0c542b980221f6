// The SQL of movements that wait for their rail's answer.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { claimDueSql, type Executor, statement } from '../storage/index.ts'
import type { Operation } from './model.ts'
import { type OperationRow, operationOf } from './store.ts'

const claimDue = statement<OperationRow>(`
  ${claimDueSql('operations', 'inquiries = inquiries + 1')}
  returning *`)

/** Movements open for too long, leased until `leasedUntil`, with how often their rail was asked. */
export async function claimDueMovements(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<{ operation: Operation; inquiries: number }[]> {
  const rows = await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  return rows.map((row) => ({ operation: operationOf(row), inquiries: row.inquiries }))
}

const postpone = statement(`
  update operations set due_at = $3 where wallet_id = $1 and id = $2 and due_at is not null`)

/** Asks again at `dueAt`. */
export async function postponeMovement(
  db: Executor,
  { walletId, id }: Operation,
  dueAt: Instant,
): Promise<void> {
  await db.run(postpone, [walletId, id, toTimestamp(dueAt)])
}

const renew = statement<{ id: string }>(`
  update operations set due_at = $3, inquiries = 0
  where wallet_id = $1 and id = $2 and attempt_id = $2 and status = 'PENDING' and under_approval and inquiries < $4
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
