// A page of a list with the total count, in one statement.
import { type RawBuilder, sql } from 'kysely'
import type { Database, Lookup } from '../database.ts'
import type { Columns, Fields, StoredRowOf } from '../tables/table.ts'
import { rowMaker } from './batched.ts'

export interface PageOfList {
  readonly offset: number
  readonly limit: number
}

export interface ListOptions {
  readonly total?: RawBuilder<unknown> | undefined
  readonly also?: Readonly<Record<string, RawBuilder<unknown>>>
}

/** On deeper pages the query reads only ids up to the page, from the nearer end of the index. */
const passedOverWholeMax = 1000

type RowAsArray = Parameters<Lookup<unknown>['rowOf']>
const makers = new WeakMap<object, Lookup<unknown>['rowOf']>()

/** Selects only `columns`, because each one costs time. */
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
  // The count is joined, so that a page after the last still has it, in a row of nulls.
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
