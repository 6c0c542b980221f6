// Rolls up balances, so that a read adds up only new postings.
import { createBatchWorker, type Database, type Executor, statement, type Worker } from '../storage/index.ts'

const pollMs = 30_000
/** A roll-up begins after more new postings than this. To add them up takes a millisecond or two. */
const backlogMax = 5000n

const lockNotAvailable = '55P03'

/** Rolls up once more than `backlog` postings are new. */
export function createRollups({
  database,
  onError,
  backlog = backlogMax,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
  readonly backlog?: bigint
}): Worker {
  /** The end of the last run. Later ids may be gaps of rolled-back postings, which need no second run. */
  let doneUpto = 0n
  database.onFailover(() => {
    doneUpto = 0n
  })

  async function findUpto(): Promise<bigint | undefined> {
    if ((await countBacklog(database)) <= backlog) return undefined
    try {
      const upto = await findFinalPosting(database)
      return upto > doneUpto ? upto : undefined
    } catch (error) {
      // A long write or a vacuum is in progress, so the next run does it.
      if ((error as { code?: string }).code === lockNotAvailable) return undefined
      throw error
    }
  }

  return createBatchWorker({
    name: 'balance roll-ups',
    database,
    pollMs,
    async runBatch() {
      const upto = await findUpto()
      if (upto === undefined) return false
      await rollUp(database, upto)
      doneUpto = upto
      return true
    },
    onError,
  })
}

/** Postings of the gateway's own accounts have no index, so payments write less. Repeats `account`. */
function postedToSql(account: string, range: string): string {
  return `
      select postings.amount from postings
      where postings.credit_account = ${account} and postings.credit_account > 0 and ${range}
      union all
      select -postings.amount from postings
      where postings.debit_account = ${account} and postings.debit_account > 0 and ${range}`
}

/** The balance in cents, as SQL that repeats `account`: SQL of a number above zero. */
export function balanceSql(account: string): string {
  const rolled = (column: string) =>
    `coalesce((select rolled.${column} from balance_rollups as rolled where rolled.account_id = ${account}), 0)`
  return `(
    ${rolled('balance')} + (
      select coalesce(sum(posted.amount), 0)
      from (${postedToSql(account, `postings.id > ${rolled('upto')}`)}) as posted
    )
  )::bigint`
}

const selectBacklog = statement<{ backlog: bigint }>(`
  select (select last_value from postings_id_seq) - coalesce((select max(upto) from balance_rollups), 0) as backlog`)

/** The estimated number of postings that are in no roll-up. */
export async function countBacklog(db: Executor): Promise<bigint> {
  return (await db.run(selectBacklog))[0]?.backlog ?? 0n
}

/** This wait is shorter than PostgreSQL's deadlock detection, so that the roll-up gives way to payments. */
const waitForWritersMs = 100

const waitBriefly = statement(`select set_config('lock_timeout', '${waitForWritersMs}ms', true)`)

const keepWritersOut = statement('lock table postings in share mode')

/** The lock of the table makes all writers wait. Two processes at once would double the wait. */
const beAlone = statement<{ alone: boolean }>(`
  select pg_try_advisory_xact_lock(hashtext('balance roll-ups')) as alone`)

const selectLastId = statement<{ last: bigint }>('select last_value as last from postings_id_seq')

/**
 * Returns the highest posting before which no other can appear. Ids are visible only after a commit, so it
 * locks the table for a moment. Returns 0 while another process does the same. Rejects if writers take long.
 */
export function findFinalPosting(database: Database): Promise<bigint> {
  return database.transaction(async (tx) => {
    if (!(await tx.run(beAlone))[0]?.alone) return 0n
    await tx.run(waitBriefly)
    await tx.run(keepWritersOut)
    return (await tx.run(selectLastId))[0]?.last ?? 0n
  })
}

const rollUpAccounts = statement(`
  insert into balance_rollups (account_id, upto, balance)
  select accounts.id, $1, coalesce(rolled.balance, 0) + since.amount
  from accounts
  left join balance_rollups as rolled on rolled.account_id = accounts.id
  cross join lateral (
    select sum(posted.amount)::bigint as amount
    from (${postedToSql('accounts.id', 'postings.id > coalesce(rolled.upto, 0) and postings.id <= $1')}) as posted
  ) as since
  where accounts.id > 0 and since.amount is not null
  on conflict (account_id) do update set upto = excluded.upto, balance = excluded.balance
  where balance_rollups.upto < excluded.upto`)

/** Rolls up to `upto` of {@link findFinalPosting}. Parallel runs write the same, or the later one. */
export async function rollUp(db: Executor, upto: bigint): Promise<void> {
  await db.run(rollUpAccounts, [upto])
}
