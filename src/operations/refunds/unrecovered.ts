// What rails report to have taken of payments: of disputes all, of debits that came back what was not left (decision 0012).
import type { Cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
import type { RowOf } from '../../storage/tables/table.ts'
import { type Operation, railShortfalls } from '../model.ts'

export type Shortfall = RowOf<typeof railShortfalls>

type Row = StoredRowOf<typeof railShortfalls>

type Key = Pick<Shortfall, 'walletId' | 'operationId' | 'reportId'>

/** All that a rail says to have moved under a report, in cents. */
export interface Reported {
  readonly withdrawn: bigint
  readonly reinstated: bigint
}

/** What a rail says to have taken, and what of that the wallet has borne. Amounts in cents. */
export interface ReportedTaking extends Omit<Shortfall, 'missing' | 'notedAt'> {
  /** What was withdrawn under the report. */
  readonly taken: bigint
  /** What of that was given back to the wallet; undefined: nothing. */
  readonly givenBack?: bigint | undefined
}

const selectReported = statement<Reported>(`
  select greatest(withdrawn, $4::bigint) as withdrawn, greatest(reinstated, $5::bigint) as reinstated
  from rail_shortfalls where wallet_id = $1 and operation_id = $2 and report_id = $3 for update`)

/**
 * The most that a report has said, with what it says now; undefined for one of which nothing is noted. The caller has
 * locked what it is about.
 */
export async function mostReported(
  tx: Executor,
  { walletId, operationId, reportId }: Key,
  { withdrawn, reinstated }: Reported,
): Promise<Reported | undefined> {
  const [most] = await tx.run(selectReported, [walletId, operationId, reportId, withdrawn, reinstated])
  return most
}

// What moved under it was reported, noted or not. $6: taken, $10: given back
const insert = statement(`
  insert into rail_shortfalls (
    wallet_id, operation_id, report_id, withdrawn, reinstated, missing, channel, reason, noted_at
  )
  select $1, $2, $3, greatest($4::bigint, $6::bigint), greatest($5::bigint, $10::bigint), 0, $7, $8, $9
  where $4::bigint > $6::bigint or $7 = 'RAIL'
  on conflict do nothing`)

// What was given again of what the wallet never bore is missing no more. $6: taken, $7: given back, $8: now
const update = statement(`
  update rail_shortfalls
  set withdrawn = most.withdrawn, reinstated = most.reinstated,
    noted_at = case
      when (most.withdrawn, most.reinstated) = (rail_shortfalls.withdrawn, rail_shortfalls.reinstated) then noted_at
      else $8
    end,
    missing = greatest(most.withdrawn - most.reinstated - ($6::bigint - $7::bigint), 0)
  from (
    select greatest(withdrawn, $4::bigint) as withdrawn, greatest(reinstated, $5::bigint) as reinstated
    from rail_shortfalls where wallet_id = $1 and operation_id = $2 and report_id = $3
  ) as most
  where wallet_id = $1 and operation_id = $2 and report_id = $3`)

/**
 * Notes what a report says and lacks: of a dispute always, of a debit that came back from the first time that it lacks
 * something. The caller has locked what it is about.
 */
export async function noteShortfall(tx: Executor, report: ReportedTaking, now: Instant): Promise<void> {
  const { walletId, operationId, reportId, withdrawn, reinstated, taken, channel, reason } = report
  const givenBack = report.givenBack ?? 0n
  const amounts = [walletId, operationId, reportId, withdrawn, reinstated, taken]
  await tx.run(insert, [...amounts, channel, reason, toTimestamp(now), givenBack])
  await tx.run(update, [...amounts, givenBack, toTimestamp(now)])
}

const selectOpen = statement<Row>(`
  select ${railShortfalls.list()} from rail_shortfalls
  where wallet_id = $1 and operation_id = any($2::uuid[]) and missing > 0
  order by operation_id, report_id for update`)

/** What is missing under the reports about a payment, or about the hold that it was captured of, locked. */
export async function lockUnrecovered(
  tx: Executor,
  { walletId, id, parentId }: Pick<Operation, 'walletId' | 'id' | 'parentId'>,
): Promise<Shortfall[]> {
  const rows = await tx.run(selectOpen, [walletId, parentId === undefined ? [id] : [id, parentId]])
  return rows.map(railShortfalls.read)
}

const setMissing = statement(`
  update rail_shortfalls set missing = $4 where wallet_id = $1 and operation_id = $2 and report_id = $3`)

/** Notes how much is still missing, in cents, after a part of it was withdrawn. */
export async function noteUnrecovered(
  tx: Executor,
  { walletId, operationId, reportId }: Key,
  missing: Cents,
): Promise<void> {
  await tx.run(setMissing, [walletId, operationId, reportId, missing])
}
