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
