// The SQL of totals: how many operations a wallet has, of each type, known without counting them.
import { type RawBuilder, sql } from 'kysely'
import { type Executor, statement } from '../../storage/index.ts'
import type { OperationType } from '../model.ts'

/**
 * A common table expression that counts the operations which a statement wrote. Each statement that writes some needs
 * it: the audit's `operations_are_counted` finds what was forgotten.
 *
 * @param written name of an expression that returns their `wallet_id` and `type`
 */
export function countOperationsSql(written: string): string {
  return `
    counted_operations as (
      insert into operation_counts (wallet_id, type, operations)
      select wallet_id, type, count(*) from ${written} group by wallet_id, type
    )`
}

/** How many operations the wallet has, of `types` or of all, as an SQL expression over one snapshot. */
export function countOfOperations(walletId: bigint, types?: readonly OperationType[]): RawBuilder<unknown> {
  const ofTypes = types === undefined ? sql`` : sql` and type = any(${types})`
  return sql`(
    select coalesce(sum(operations), 0)::bigint from operation_counts where wallet_id = ${walletId}${ofTypes}
  )`
}

/** In one pass, whatever the planner knows of the table: joined, wallets and rows were gone through for each other. */
const mergeRows = statement<{ merged: bigint }>(`
  with gone as (
    delete from operation_counts
    where ctid = any (array(
      select counted.ctid
      from (select ctid, count(*) over (partition by wallet_id, type) as rows from operation_counts) as counted
      where counted.rows > $1
    ))
    returning wallet_id, type, operations
  ),
  merged as (
    insert into operation_counts (wallet_id, type, operations)
    select wallet_id, type, sum(operations) from gone group by wallet_id, type
  )
  select count(*) as merged from gone`)

/** Makes one row of those of a wallet and type that have more than `rowsMax`; answers how many it merged. */
export async function mergeCounts(db: Executor, rowsMax: number): Promise<number> {
  return Number((await db.run(mergeRows, [rowsMax]))[0]?.merged ?? 0n)
}

const vacuumTables = statement('vacuum operation_counts, opened_movements, attempts')

/** Makes the room of removed rows free for new ones, which the embedded database never does by itself. */
export async function vacuumRemoved(db: Executor): Promise<void> {
  await db.run(vacuumTables)
}
