// The SQL of statements: daily totals, and their last posting.
import type { Day } from '../kernel/lisbon.ts'
import { type Executor, type StoredRowOf, statement, storeFunction } from '../storage/index.ts'
import { type DayTotal, dayTotalFields } from './model.ts'
import { concernsSql, countedSql, lisbonDaySql } from './movements-sql.ts'

export interface Owner {
  readonly walletId: bigint
  readonly accountId: bigint
}

const selectUpto = statement<{ upto: bigint }>('select upto from account_days_upto')

// One statement reads totals and later postings. Its last column shows if a roll-up ran meanwhile.
const selectTotals = statement<StoredRowOf<typeof dayTotalFields> & { upto: bigint }>(`
  with movements as (
    select day, kind, method, gross, fee, entries from account_days where account_id = $1
    union all
    select ${lisbonDaySql('created_at')}, kind, method, gross, fee, case when is_first then 1 else 0 end
    from (${countedSql(`id > $5 and ${concernsSql('$1', '$2')}`, 'own.id = $1')}) as tail
  )
  select case when day >= $3 then day end as day, kind, method, sum(gross)::bigint as gross, sum(fee)::bigint as fee,
    sum(entries)::bigint as entries, (select upto from account_days_upto) as upto
  from movements where day <= $4
  group by 1, 2, 3
  order by 1, 2, 3`)

/** Totals by day, kind and method. Rows without a day are from before `first`. */
export async function dayTotals(
  db: Executor,
  { walletId, accountId }: Owner,
  first: Day,
  last: Day,
): Promise<DayTotal[]> {
  for (;;) {
    // `upto` is passed as a parameter, so that PostgreSQL finds the few newer postings by number.
    const upto = (await db.run(selectUpto))[0]?.upto ?? 0n
    const rows = await db.run(selectTotals, [accountId, walletId, first, last, upto])
    if (rows.every((row) => row.upto === upto)) return rows.map(dayTotalFields.read)
  }
}

/** The estimated number of postings that are not added up yet. Reads must scan them. */
export const postingsToAddUp = storeFunction(
  () => [],
  ([row]: { left: bigint }[]) => row?.left ?? 0n,
)`
  select last_value - upto as left from account_days_upto, postings_id_seq`
