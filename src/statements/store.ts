// The SQL of a merchant's statement: totals of days, and how far they are added up.
import type { Day } from '../kernel/lisbon.ts'
import { type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type DayTotal, dayTotalFields } from './model.ts'
import { concernsSql, countedSql, lisbonDaySql } from './movements-sql.ts'

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
    select ${lisbonDaySql('created_at')}, kind, method, gross, fee, case when is_first then 1 else 0 end
    from (${countedSql(`id > $5 and ${concernsSql('$1', '$2')}`, 'own.id = $1')}) as tail
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

const selectProgress = statement<{ left: bigint }>(`
  select last_value - upto as left from account_days_upto, postings_id_seq`)

/** How many postings, about, are not added up yet: reads go through them one by one. */
export async function postingsToAddUp(db: Executor): Promise<bigint> {
  return (await db.run(selectProgress))[0]?.left ?? 0n
}
