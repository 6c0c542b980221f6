// Adds up postings by day, so that statements are fast.
import { createBatchWorker, type Database, type Executor, statement, type Worker } from '../storage/index.ts'
import { summarizeLastPages } from '../storage/summaries.ts'
import { countedSql, lisbonDaySql, sidesSql } from './movements-sql.ts'

const pollMs = 15_000
/** Postings of one batch. To add them up takes about a second. */
const batchMax = 20_000n

const selectFinal = statement<{ upto: bigint; final: bigint }>(`
  select coalesce((select max(upto) from balance_rollups), 0) as final, upto from account_days_upto`)

const lockProgress = statement<{ upto: bigint }>('select upto from account_days_upto for update')

const addUp = statement(`
  insert into account_days (account_id, day, kind, method, gross, fee, entries)
  select account_id, ${lisbonDaySql('created_at')}, kind, method, sum(gross), sum(fee), count(*) filter (where is_first)
  from (${countedSql('id > $1 and id <= $2')}) as movements
  group by 1, 2, 3, 4
  on conflict (account_id, day, kind, method) do update set gross = account_days.gross + excluded.gross,
    fee = account_days.fee + excluded.fee, entries = account_days.entries + excluded.entries`)

// A batch may end between a fee and the other postings of its payment.
const addSpans = statement(`
  insert into account_day_spans (account_id, day, first_id, last_id, has_fees_alone)
  select account_id, day, min(first_id), max(last_id), bool_or(
      is_fee and not exists (
        select from postings as net
        where net.operation_id = moved.operation_id and net.wallet_id = moved.operation_wallet
          and net.created_at = moved.created_at and moved.account_id in (net.credit_account, net.debit_account)
      )
    )
  from (
    select account_id, ${lisbonDaySql('created_at')} as day, operation_wallet, operation_id, min(created_at) as created_at,
      min(posting_id) as first_id, max(posting_id) as last_id, bool_and(fee > 0) as is_fee
    from (${sidesSql('id > $1 and id <= $2')}) as sides
    group by account_id, day, operation_wallet, operation_id, is_share
  ) as moved
  group by account_id, day
  on conflict (account_id, day) do update set first_id = least(account_day_spans.first_id, excluded.first_id),
    last_id = greatest(account_day_spans.last_id, excluded.last_id),
    has_fees_alone = account_day_spans.has_fees_alone or excluded.has_fees_alone`)

const moveUpto = statement('update account_days_upto set upto = $1')

/** Adds up the postings that the roll-up of balances found final. Parallel processes wait for each other. */
export function createDayRollUps({
  database,
  onError,
  batch = batchMax,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
  readonly batch?: bigint
}): Worker {
  return createBatchWorker({
    name: 'account days',
    database,
    pollMs,
    async runBatch() {
      const [row] = await database.run(selectFinal)
      if (row === undefined || row.upto >= row.final) return false
      await database.transaction((tx) => addUpBatch(tx, row.final, batch))
      await summarizeLastPages(database, ['postings_by_number', 'postings_by_time'])
      return true
    },
    onError,
  })
}

async function addUpBatch(tx: Executor, final: bigint, batch: bigint): Promise<void> {
  const [row] = await tx.run(lockProgress)
  // Another process may have added them up meanwhile.
  if (row === undefined || row.upto >= final) return
  const upto = row.upto + batch < final ? row.upto + batch : final
  await tx.run(addUp, [row.upto, upto])
  await tx.run(addSpans, [row.upto, upto])
  await tx.run(moveUpto, [upto])
}
