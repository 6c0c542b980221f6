// A page of a list: the rows that are shown, and the count of all that match, in one statement.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { rowMaker } from './lookups.ts'

/** Which part of a list is shown; pages count from 0. */
export interface PageOfList {
  readonly offset: number
  readonly limit: number
}

/** What a list reads otherwise than by itself. */
export interface ListOptions {
  /** The columns that are needed; each of a page's 30 rows costs what is read of it. All of them if left out. */
  readonly columns?: readonly string[] | undefined
  /** SQL of the count, where it is known without counting. */
  readonly total?: RawBuilder<unknown> | undefined
  /** SQL of a column beside those of the table. */
  readonly also?: RawBuilder<unknown>
}

const makers = new Map<string, ReturnType<typeof rowMaker>>()

/**
 * The rows of `table` that meet all `conditions`, newest first, with the count of all that do. A row has its columns
 * as inherited properties: read them by name, do not spread it.
 */
export async function selectPage<Row>(
  database: Database,
  table: string,
  conditions: readonly RawBuilder<unknown>[],
  { offset, limit }: PageOfList,
  { columns: needed, total, also }: ListOptions = {},
): Promise<{ readonly total: number; readonly rows: readonly Row[] }> {
  const matching = sql`${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  const own =
    needed === undefined ? sql`${sql.table(table)}.*` : sql.join(needed.map((name) => sql.ref(name)))
  const columns = also === undefined ? own : sql`${own}, ${also}`
  // Joined from the count, so that a page beyond the end tells it too, in a row of nulls.
  const page = sql`
    select page.*, counted.total
    from (select ${total ?? sql`(select count(*) from ${matching})`}::integer as total) as counted
    left join (select ${columns} from ${matching} order by id desc limit ${limit} offset ${offset * limit}) as page on true
    order by page.id desc`
  const { sql: text, parameters } = page.compile(database.kysely)
  const { names, rows } = await database.read(text, parameters)
  const rowOf = makerFor(table)
  const at = names.indexOf('id')
  return {
    total: rows[0]?.at(-1) as number,
    rows: rows.filter((values) => values[at] !== null).map((values) => rowOf(names, values) as Row),
  }
}

function makerFor(table: string): ReturnType<typeof rowMaker> {
  const known = makers.get(table) ?? rowMaker()
  makers.set(table, known)
  return known
}
