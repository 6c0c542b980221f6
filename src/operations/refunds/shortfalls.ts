// What rails took of payments beyond what was left of them: noted, and withdrawn once something comes back (decision 0203).
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
import type { RowOf } from '../../storage/tables/table.ts'
import { type Operation, railShortfalls } from '../model.ts'

export type Shortfall = RowOf<typeof railShortfalls>

type Row = StoredRowOf<typeof railShortfalls>

const upsert = statement(`
  insert into rail_shortfalls (${railShortfalls.list()}) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (wallet_id, operation_id, report_id) do update
  set reason = excluded.reason, missing = excluded.missing`)

const remove = statement(`
  delete from rail_shortfalls where wallet_id = $1 and operation_id = $2 and report_id = $3`)

/** Notes what is missing under a report, in cents, in place of what was; nothing of it stays where nothing is missing. */
export async function noteShortfall(
  tx: Executor,
  {
    walletId,
    operationId,
    reportId,
    channel,
    reason,
    missing,
  }: Omit<Shortfall, 'notedAt' | 'missing'> & {
    readonly missing: bigint
  },
  now: Instant,
): Promise<void> {
  const key = [walletId, operationId, reportId]
  if (missing > 0n) await tx.run(upsert, [...key, channel, reason, missing, toTimestamp(now)])
  else await tx.run(remove, key)
}

const selectOpen = statement<Row>(`
  select ${railShortfalls.list()} from rail_shortfalls
  where wallet_id = $1 and operation_id = any($2::uuid[])
  order by operation_id, report_id for update`)

/** What is missing under the reports about a payment, or about the hold that it was captured of, locked. */
export async function lockShortfalls(
  tx: Executor,
  { walletId, id, parentId }: Pick<Operation, 'walletId' | 'id' | 'parentId'>,
): Promise<Shortfall[]> {
  const rows = await tx.run(selectOpen, [walletId, parentId === undefined ? [id] : [id, parentId]])
  return rows.map(railShortfalls.read)
}
