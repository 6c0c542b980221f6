// Adding up what moved on merchants' accounts by day, behind the balances: a statement of years costs a row a day.
import {
  createBatchWorker,
  type Database,
  type Executor,
  statement,
  type Worker,
} from '../../storage/index.ts'
import { lisbonDaySql, movementsSql } from './movements-sql.ts'

const pollMs = 15_000
/** As many postings as are added up in about a second. */
const batchMax = 20_000n

const selectFinal = statement<{ final: bigint; upto: bigint }>(`
  select coalesce((select max(upto) from balance_rollups), 0) as final,
    (select upto from account_days_upto) as upto`)

const lockUpto = statement<{ upto: bigint }>('select upto from account_days_upto for update')

const addUp = statement(`
  insert into account_days (account_id, day, kind, method, gross, fee, entries)
  select account_id, ${lisbonDaySql('created_at')}, kind, method, sum(gross), sum(fee), count(*) filter (where fee = 0)
  from (${movementsSql('id > $1 and id <= $2')}) as movements
  group by 1, 2, 3, 4
  on conflict (account_id, day, kind, method) do update set gross = account_days.gross + excluded.gross,
    fee = account_days.fee + excluded.fee, entries = account_days.entries + excluded.entries`)

const moveUpto = statement('update account_days_upto set upto = $1')

// Without it the last pages are read whole until the server vacuums the table, which the embedded database never does.
const summarize = statement(`
  select brin_summarize_new_values('postings_by_number'), brin_summarize_new_values('postings_by_time')`)

/**
 * Adds up postings that are in no day yet, as far as balances are rolled up: before that, none can appear any more.
 * Several processes may: one after the other, each where the one before ended.
 */
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
      await database.run(summarize)
      return true
    },
    onError,
  })
}

async function addUpBatch(tx: Executor, final: bigint, batch: bigint): Promise<void> {
  const [row] = await tx.run(lockUpto)
  if (row === undefined || row.upto >= final) return
  const upto = row.upto + batch < final ? row.upto + batch : final
  await tx.run(addUp, [row.upto, upto])
  await tx.run(moveUpto, [upto])
}
