// The SQL of movements that wait for their rail's answer.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Executor, statement } from '../storage/index.ts'
import type { Operation } from './model.ts'
import { type OperationRow, operationOf } from './store.ts'

const claimDue = statement<OperationRow>(`
  update operations set due_at = $2, inquiries = inquiries + 1
  where (wallet_id, id) in (
    select wallet_id, id from operations where due_at <= $1 order by due_at limit $3 for update skip locked
  )
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
