// A page of a list: the rows that are shown, and the count of all that match.
import { type RawBuilder, sql } from 'kysely'
import { type Database, runBuilt } from './database.ts'

/** Which part of a list is shown; pages count from 0. */
export interface PageOfList {
  readonly offset: number
  readonly limit: number
}

/** The rows of `table` that meet all `conditions`, newest first, with the count of all that do. */
export async function selectPage<Row>(
  database: Database,
  table: string,
  conditions: readonly RawBuilder<unknown>[],
  { offset, limit }: PageOfList,
): Promise<{ readonly total: number; readonly rows: readonly Row[] }> {
  const matching = sql`${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  const [counted] = await runBuilt(
    database,
    sql<{ total: bigint }>`select count(*) as total from ${matching}`,
  )
  const rows = await runBuilt(
    database,
    sql<Row>`select * from ${matching} order by id desc limit ${limit} offset ${offset * limit}`,
  )
  return { total: Number(counted?.total ?? 0n), rows }
}
