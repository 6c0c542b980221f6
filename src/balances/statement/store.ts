// The SQL of a merchant's statement: totals of days, the entries of one, and fees by month.
import { addDays, type Day, startOfLisbonDay } from '../../kernel/lisbon.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { type Executor, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { column } from '../../storage/tables/table.ts'
import { concernsSql, lisbonDaySql, movementsSql } from './movements-sql.ts'
import { accountDays, type DayTotal, dayTotalFields } from './table.ts'

/** Whose statement: the merchant's wallet, and the account of its money. */
export interface Owner {
  readonly walletId: bigint
  readonly accountId: bigint
}

const selectUpto = statement<{ upto: bigint }>('select upto from account_days_upto')

// What is added up, and what came after it, in one snapshot: the last column says whether more was added up meanwhile.
const selectTotals = statement<StoredRowOf<typeof dayTotalFields> & { upto: bigint }>(`
  with movements as (
    select day, kind, method, gross, fee, entries from account_days where account_id = $1
    union all
    select ${lisbonDaySql('created_at')}, kind, method, gross, fee, case fee when 0 then 1 else 0 end
    from (${movementsSql(`id > $5 and ${concernsSql('$1', '$2')}`, 'own.id = $1')}) as tail
  )
  select case when day >= $3 then day end as day, kind, method, sum(gross)::bigint as gross, sum(fee)::bigint as fee,
    sum(entries)::bigint as entries, (select upto from account_days_upto) as upto
  from movements where day <= $4
  group by 1, 2, 3
  order by 1, 2, 3`)

/**
 * What moved on the account from `first` to `last`, by day, kind and method, and before that: the row without a day of
 * each kind and method.
 */
export async function dayTotals(
  db: Executor,
  { walletId, accountId }: Owner,
  first: Day,
  last: Day,
): Promise<DayTotal[]> {
  for (;;) {
    // A value, so that the few postings since are found by their numbers.
    const upto = (await db.run(selectUpto))[0]?.upto ?? 0n
    const rows = await db.run(selectTotals, [accountId, walletId, first, last, upto])
    if (rows.every((row) => row.upto === upto)) return rows.map(dayTotalFields.read)
  }
}

/** A day of the statement has entries: what one operation moved, of one kind. */
const entryFields = accountDays.pick('kind', 'method', 'gross', 'fee').with({
  position: column.bigint(),
  createdAt: column.instant(),
  operationId: column.uuid().optional(),
  extInvoiceId: column.text().optional().named('ext_invoiceid'),
  notes: column.text().optional(),
})

export type StatementEntry = RowOf<typeof entryFields>

const selectEntries = statement<StoredRowOf<typeof entryFields>>(`
  with movements as (
    select min(posting_id) as position, min(created_at) as created_at, operation_wallet, operation_id, kind, method,
      sum(gross)::bigint as gross, sum(fee)::bigint as fee
    from (${movementsSql(`created_at >= $3 and created_at < $4 and ${concernsSql('$1', '$2')}`, 'own.id = $1')}) as moved
    group by operation_wallet, operation_id, kind, method
    having min(posting_id) > $5
    order by 1
    limit $6
  )
  select position, movements.created_at, movements.kind, movements.method, gross, fee, shown.id as operation_id,
    shown.ext_invoiceid, shown.notes
  from movements
  -- Of another wallet's operation the merchant sees the transfer that is its own.
  left join lateral (
    (
      select id, ext_invoiceid, notes from operations
      where operation_wallet = $2 and operations.wallet_id = $2 and operations.id = movements.operation_id
    )
    union all
    (
      select id, ext_invoiceid, notes from operations
      where operation_wallet <> $2 and operations.wallet_id = $2 and operations.parent_id = movements.operation_id
        and operations.type = 'USERTRANSFER'
      limit 1
    )
  ) as shown on true
  order by movements.position`)

/** The entries of a Lisbon day after `position` (0 to begin), in the order in which they were booked. */
export async function entriesOfDay(
  db: Executor,
  { walletId, accountId }: Owner,
  day: Day,
  position: bigint,
  limit: number,
): Promise<StatementEntry[]> {
  const from = toTimestamp(startOfLisbonDay(day))
  const until = toTimestamp(startOfLisbonDay(addDays(day, 1)))
  const rows = await db.run(selectEntries, [accountId, walletId, from, until, position, limit])
  return rows.map(entryFields.read)
}
