// The SQL of balances: what was rolled up, and the entries since. No payment ever writes a balance, so none waits.
import { type Database, type Executor, statement } from '../storage/index.ts'

/**
 * The balance of an account in cents, as an SQL expression over one snapshot.
 *
 * @param account SQL of the account's number; it is repeated
 */
export function balanceSql(account: string): string {
  const rolled = (column: string) =>
    `coalesce((select rolled.${column} from balance_rollups as rolled where rolled.account_id = ${account}), 0)`
  return `(
    ${rolled('balance')} + (
      select coalesce(sum(entries.amount), 0) from entries
      where entries.account_id = ${account} and entries.id > ${rolled('upto')}
    )
  )::bigint`
}

const selectBacklog = statement<{ backlog: bigint }>(`
  select (select last_value from entries_id_seq) - coalesce((select max(upto) from balance_rollups), 0) as backlog`)

/** How many entries, about, are in no roll-up. */
export async function countBacklog(db: Executor): Promise<bigint> {
  return (await db.run(selectBacklog))[0]?.backlog ?? 0n
}

/** Shorter than PostgreSQL looks for those who wait in a circle: whoever is in one with us, we give way. */
const waitForWritersMs = 100

const waitBriefly = statement(`select set_config('lock_timeout', '${waitForWritersMs}ms', true)`)
const keepWritersOut = statement('lock table entries in share mode')
const selectLastId = statement<{ last: bigint }>('select last_value as last from entries_id_seq')

/**
 * The number of an entry before which none can appear any more. An entry gets its number before others see it, so
 * the numbers are only final while nobody is writing: the table is locked for the moment of looking. Rejects where
 * writers did not finish in time.
 */
export function findFinalEntry(database: Database): Promise<bigint> {
  return database.transaction(async (tx) => {
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
    select sum(entries.amount)::bigint as amount from entries
    where entries.account_id = accounts.id and entries.id > coalesce(rolled.upto, 0) and entries.id <= $1
  ) as since
  where since.amount is not null
  on conflict (account_id) do update set upto = excluded.upto, balance = excluded.balance
  where balance_rollups.upto < excluded.upto`)

/** Adds up every account through entry `upto`, which must be final. Two at once write the same, or the later one. */
export async function rollUp(db: Executor, upto: bigint): Promise<void> {
  await db.run(rollUpAccounts, [upto])
}
