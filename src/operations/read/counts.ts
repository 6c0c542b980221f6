// The SQL of operation counts by wallet and type.
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../kernel/time.ts'
import {
  createPeriodicWorker,
  type Database,
  type Executor,
  statement,
  type Worker,
} from '../../storage/index.ts'
import { forgetDaysThatAreOver } from '../limits.ts'
import type { OperationType } from '../model.ts'

/** Every statement that writes operations must include this. The audit `operations_are_counted` checks it. */
export function countOperationsSql(written: string): string {
  return `
    counted_operations as (
      insert into operation_counts (wallet_id, type, operations)
      select wallet_id, type, count(*) from ${written} group by wallet_id, type
    )`
}

export function countOfOperations(walletId: bigint, types?: readonly OperationType[]): RawBuilder<unknown> {
  const ofTypes = types === undefined ? sql`` : sql` and type = any(${types})`
  return sql`(
    select coalesce(sum(operations), 0)::bigint from operation_counts where wallet_id = ${walletId}${ofTypes}
  )`
}

/** This is one pass over the rows, because with a join the planner compared all wallets with all rows. */
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

export async function mergeCounts(db: Executor, rowsMax: number): Promise<number> {
  return Number((await db.run(mergeRows, [rowsMax]))[0]?.merged ?? 0n)
}

const vacuumTables = statement('vacuum operation_counts, opened_movements, attempts')

/** The embedded database has no automatic vacuum. */
async function vacuumRemoved(db: Executor): Promise<void> {
  await db.run(vacuumTables)
}

const pollMs = 5000

/** The most rows of one wallet and type that a count reads. This takes some ten microseconds. */
const rowsMax = 100

export function createCountRollup({
  database,
  clock,
  onError,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Worker {
  return createPeriodicWorker({
    name: 'operation counts',
    database,
    pollMs,
    async run() {
      const merged = await mergeCounts(database, rowsMax)
      if (merged > 0 && database.kind === 'pglite') await vacuumRemoved(database)
      await forgetDaysThatAreOver({ database, clock })
    },
    onError,
  })
}
