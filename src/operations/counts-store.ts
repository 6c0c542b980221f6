// The SQL of totals: how many operations a wallet has, of each type, known without counting them.
import { type RawBuilder, sql } from 'kysely'
import { type Executor, statement } from '../storage/index.ts'
import type { OperationType } from './model.ts'

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

const mergeRows = statement<{ merged: bigint }>(`
  with many as (
    select wallet_id, type from operation_counts group by wallet_id, type having count(*) > $1
  ),
  gone as (
    delete from operation_counts using many
    where operation_counts.wallet_id = many.wallet_id and operation_counts.type = many.type
    returning operation_counts.wallet_id, operation_counts.type, operation_counts.operations
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
