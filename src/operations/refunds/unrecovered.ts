// Unrecovered amounts: clawbacks beyond the rest of a payment.
import type { Cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, execute, findAll, statement, storeFunction } from '../../storage/index.ts'
import type { RowOf } from '../../storage/tables/table.ts'
import { type Operation, railShortfalls } from '../model.ts'

export type Unrecovered = RowOf<typeof railShortfalls>

type Key = Pick<Unrecovered, 'walletId' | 'operationId' | 'reportId'>

export interface Reported {
  readonly withdrawn: bigint
  readonly reinstated: bigint
}

/** A rail's report and the part that the wallet has borne. Amounts are in cents. */
export interface ReportedTaking extends Omit<Unrecovered, 'missing' | 'notedAt'> {
  readonly taken: bigint
  readonly givenBack?: bigint | undefined
}

/** Returns the highest totals reported so far. The caller has locked the operation. */
export const mostReported = storeFunction(
  ({ walletId, operationId, reportId }: Key, { withdrawn, reinstated }: Reported) => [
    walletId,
    operationId,
    reportId,
    withdrawn,
    reinstated,
  ],
  ([most]: Reported[]) => most,
)`
  select greatest(withdrawn, $4::bigint) as withdrawn, greatest(reinstated, $5::bigint) as reinstated
  from rail_shortfalls where wallet_id = $1 and operation_id = $2 and report_id = $3 for update`

// $6: cents taken from the wallet, $10: cents given back to it
const insert = statement(`
  insert into rail_shortfalls (
    wallet_id, operation_id, report_id, withdrawn, reinstated, missing, channel, reason, noted_at
  )
  select $1, $2, $3, greatest($4::bigint, $6::bigint), greatest($5::bigint, $10::bigint), 0, $7, $8, $9
  where $4::bigint > $6::bigint or $7 = 'RAIL'
  on conflict do nothing`)

// An amount that was reinstated before the wallet bore it is not missing. $6: taken, $7: given back, $8: now
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

/** Stores a report (of a returned debit only if an amount is missing). The operation must be locked. */
export async function noteReport(tx: Executor, report: ReportedTaking, now: Instant): Promise<void> {
  const { walletId, operationId, reportId, withdrawn, reinstated, taken, channel, reason } = report
  const givenBack = report.givenBack ?? 0n
  const amounts = [walletId, operationId, reportId, withdrawn, reinstated, taken]
  await tx.run(insert, [...amounts, channel, reason, toTimestamp(now), givenBack])
  await tx.run(update, [...amounts, givenBack, toTimestamp(now)])
}

export const lockUnrecovered = findAll(
  railShortfalls,
  ({ walletId, id, parentId }: Pick<Operation, 'walletId' | 'id' | 'parentId'>) => [
    walletId,
    parentId === undefined ? [id] : [id, parentId],
  ],
)`
  select ${railShortfalls.list()} from rail_shortfalls
  where wallet_id = $1 and operation_id = any($2::uuid[]) and missing > 0
  order by operation_id, report_id for update`

export const noteUnrecovered = execute(({ walletId, operationId, reportId }: Key, missing: Cents) => [
  walletId,
  operationId,
  reportId,
  missing,
])`
  update rail_shortfalls set missing = $4 where wallet_id = $1 and operation_id = $2 and report_id = $3`
