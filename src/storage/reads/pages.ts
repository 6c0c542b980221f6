// A page of a list: the rows that are shown, and the count of all that match, in one statement.
import { type RawBuilder, sql } from 'kysely'
import type { Database, Lookup } from '../database.ts'
import type { Columns, Fields, StoredRowOf } from '../tables/table.ts'
import { rowMaker } from './batched.ts'

/** Which part of a list is shown; pages count from 0. */
export interface PageOfList {
  readonly offset: number
  readonly limit: number
}

/** What a list reads otherwise than by itself. */
export interface ListOptions {
  /** SQL of the count, where it is known without counting. */
  readonly total?: RawBuilder<unknown> | undefined
  /** SQL of columns that are not the table's own, by their names. */
  readonly also?: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * So many rows before a page are passed over whole. Of more, only the ids are read, from the index and from the nearer end
 * of the list, and then the page's rows.
 */
const passedOverWholeMax = 1000

type RowAsArray = Parameters<Lookup<unknown>['rowOf']>
const makers = new WeakMap<object, Lookup<unknown>['rowOf']>()

/**
 * The rows of a table that meet all `conditions`, newest first, with the count of all that do. Each of a page's 30 rows
 * costs what is read of it, so only `columns` are.
 */
export async function selectPage<F extends Fields>(
  database: Database,
  columns: Columns<F>,
  conditions: readonly RawBuilder<unknown>[],
  { offset, limit }: PageOfList,
  { total, also = {} }: ListOptions = {},
): Promise<{ readonly total: number; readonly rows: readonly ReturnType<Columns<F>['read']>[] }> {
  const matching = sql`${sql.table(columns.table)} where ${sql.join(conditions, sql` and `)}`
  const selected = columns.names.map((name) =>
    also[name] === undefined ? sql.ref(name) : sql`${also[name]} as ${sql.ref(name)}`,
  )
  const before = offset * limit
  const fromEnd = sql`(counted.total - ${before}::bigint - ${limit}::bigint)`
  const isNearEnd = sql`counted.total < ${2 * before}::bigint`
  const idsOf = (order: RawBuilder<unknown>) =>
    sql`select wallet_id, id from ${matching} order by id ${order}`
  const rowsOfPage =
    before < passedOverWholeMax
      ? sql`select ${sql.join(selected)} from ${matching} order by id desc limit ${limit} offset ${before}`
      : sql`
        select ${sql.join(selected)}
        from (
          (${idsOf(sql`desc`)} limit case when ${isNearEnd} then 0 else ${limit}::bigint end offset ${before})
          union all
          (
            ${idsOf(sql`asc`)}
            limit case when ${isNearEnd} then greatest(${limit}::bigint + least(${fromEnd}, 0), 0) else 0 end
            offset greatest(${fromEnd}, 0)
          )
        ) as ids
        join ${sql.table(columns.table)} using (wallet_id, id)`
  // Joined from the count, so that a page beyond the end has it too, in a row of nulls.
  const page = sql`
    select page.*, counted.total
    from (select ${total ?? sql`(select count(*) from ${matching})`}::integer as total offset 0) as counted
    left join lateral (${rowsOfPage}) as page on true
    order by page.id desc`
  const { sql: text, parameters } = page.compile(database.kysely)
  const { names, rows } = await database.read(text, parameters)
  const rowOf = makerFor(columns)
  const at = names.indexOf('id')
  return {
    total: rows[0]?.at(-1) as number,
    rows: rows.filter((values) => values[at] !== null).map((values) => columns.read(rowOf(names, values))),
  }
}

function makerFor<F extends Fields>(columns: Columns<F>): (...row: RowAsArray) => StoredRowOf<Columns<F>> {
  const known = makers.get(columns) ?? rowMaker()
  makers.set(columns, known)
  return known as never
}
