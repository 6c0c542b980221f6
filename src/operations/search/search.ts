// Searching operations: each filter is a range of an index.

import { type RawBuilder, sql } from 'kysely'
import type { Cents } from '../../kernel/money.ts'
import { firstIdOf } from '../../kernel/random.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Method } from '../../methods/list.ts'
import { type Database, type RowOf, rowMaker } from '../../storage/index.ts'
import { type OperationStatus, type OperationType, operations } from '../model.ts'
import { shownOperations } from '../read/store.ts'
import { catchUp } from './indexer.ts'
import { meaningOf } from './meaning.ts'

export interface OperationSearch {
  /** As typed: an id or its start, a reference, an amount, an e-mail, a phone, digits of a card. */
  readonly text?: string | undefined
  readonly types?: readonly OperationType[] | undefined
  readonly statuses?: readonly OperationStatus[] | undefined
  readonly methods?: readonly Method[] | undefined
  readonly channels?: readonly string[] | undefined
  readonly stores?: readonly bigint[] | undefined
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
  /** In cents, without sign, as {@link amountMax}. */
  readonly amountMin?: Cents | undefined
  readonly amountMax?: Cents | undefined
}

export interface SearchPage {
  readonly after?: string | undefined
  readonly limit: number
}

export const foundOperations = shownOperations.with(
  operations.pick('store', 'error', 'settledAt', 'captured', 'released').fields,
)
export type FoundOperation = RowOf<typeof foundOperations>

export interface Found {
  readonly operations: readonly FoundOperation[]
  readonly next: string | undefined
}

/** Operations in a range of amounts that are sorted. Above this number, reading from the newest is faster. */
const fewMax = 5000
/** The most different texts with the typed beginning. */
const termsMax = 50

const rowOf = rowMaker<never>()

/** Matching operations, newest first. Includes everything committed before the call. */
export async function searchOperations(
  database: Database,
  walletId: bigint,
  search: OperationSearch,
  { after, limit }: SearchPage,
): Promise<Found> {
  await catchUp(database)
  const ids = idsOf(walletId, search, after, limit + 1)
  const page = sql`
    select ${sql.join(foundOperations.names.map((name) => sql.ref(`found.${name}`)))}
    from (${ids}) as matching
    cross join lateral (
      select * from operations where wallet_id = ${walletId} and operations.id = matching.id offset 0
    ) as found
    order by matching.id desc`
  const { sql: text, parameters } = page.compile(database.kysely)
  const { names, rows } = await database.read(text, parameters)
  const found = rows.slice(0, limit).map((values) => foundOperations.read(rowOf(names, values)))
  return { operations: found, next: rows.length > limit ? found.at(-1)?.id : undefined }
}

function idsOf(
  walletId: bigint,
  search: OperationSearch,
  after: string | undefined,
  limit: number,
): RawBuilder<unknown> {
  const within = withinIds(search, after)
  const text = search.text?.trim() ?? ''
  const streams =
    text === ''
      ? [streamOfAmounts(walletId, search, within, limit)]
      : streamsOf(walletId, text, search, within, limit)
  const all = sql.join(
    streams.length === 0
      ? [sql`select null::uuid as id where false`]
      : streams.map((stream) => sql`(${stream})`),
    sql` union `,
  )
  return sql`
    with recursive wanted as materialized (${facetsOf(walletId, search)})
    select id from (${all}) as streams order by id desc limit ${limit}`
}

function facetsOf(walletId: bigint, search: OperationSearch): RawBuilder<unknown> {
  const conditions = [sql`wallet_id = ${walletId}`]
  const { types, statuses, methods, channels, stores } = search
  if (types !== undefined) conditions.push(sql`type = any(${types})`)
  if (statuses !== undefined) conditions.push(sql`status = any(${statuses})`)
  if (methods !== undefined) conditions.push(sql`method = any(${methods})`)
  if (channels !== undefined) conditions.push(sql`channel = any(${channels})`)
  if (stores !== undefined) conditions.push(sql`store = any(${stores}::bigint[])`)
  return sql`select facet from operation_facets where ${sql.join(conditions, sql` and `)}`
}

/** Ids begin with their creation time. */
function withinIds({ from, until }: OperationSearch, after: string | undefined): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (from !== undefined) conditions.push(sql`id >= ${firstIdOf(from)}::uuid`)
  if (until !== undefined) conditions.push(sql`id < ${firstIdOf(until)}::uuid`)
  if (after !== undefined) conditions.push(sql`id < ${after}::uuid`)
  return sql.join(conditions, sql` and `)
}

function withinAmounts({ amountMin, amountMax }: OperationSearch): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (amountMin !== undefined) conditions.push(sql`amount >= ${amountMin}`)
  if (amountMax !== undefined) conditions.push(sql`amount <= ${amountMax}`)
  return sql.join(conditions, sql` and `)
}

function streamOfFacets(
  walletId: bigint,
  amounts: RawBuilder<unknown>,
  within: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select newest.id
    from wanted cross join lateral (
      select id from operation_index
      where wallet_id = ${walletId} and facet = wanted.facet and ${within} and ${amounts}
      order by id desc limit ${limit}
    ) as newest
    order by newest.id desc limit ${limit}`
}

function streamOfAmounts(
  walletId: bigint,
  search: OperationSearch,
  within: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const amounts = withinAmounts(search)
  const byFacet = streamOfFacets(walletId, amounts, within, limit)
  if (search.amountMin === undefined && search.amountMax === undefined) return byFacet
  if (search.amountMin === search.amountMax) return streamOfAmount(walletId, amounts, within, limit)
  return sql`
    with few as materialized (
      select within_amounts.id
      from wanted cross join lateral (
        select id from operation_index
        where wallet_id = ${walletId} and facet = wanted.facet and ${amounts} and ${within}
        order by amount limit ${fewMax + 1}
      ) as within_amounts
      limit ${fewMax + 1}
    )
    (select id from few where (select count(*) from few) <= ${fewMax} order by id desc limit ${limit})
    union all
    select id from (${byFacet}) as newest where (select count(*) from few) > ${fewMax}`
}

function streamOfAmount(
  walletId: bigint,
  amounts: RawBuilder<unknown>,
  within: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select newest.id
    from wanted cross join lateral (
      select id from operation_index
      where wallet_id = ${walletId} and facet = wanted.facet and ${amounts} and ${within}
      order by amount desc, id desc limit ${limit}
    ) as newest
    order by newest.id desc limit ${limit}`
}

function streamsOf(
  walletId: bigint,
  text: string,
  search: OperationSearch,
  within: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown>[] {
  const { terms, ids, amount } = meaningOf(text)
  const amounts = withinAmounts(search)
  const streams = terms.map((term) => streamOfTerm(walletId, term, sql`${within} and ${amounts}`, limit))
  if (ids !== undefined) {
    streams.push(sql`
      select id from operation_index
      where wallet_id = ${walletId} and id between ${ids.first}::uuid and ${ids.last}::uuid and ${within} and ${amounts}
        and facet in (select facet from wanted)
      order by id desc limit ${limit}`)
  }
  if (amount !== undefined) {
    const exactly = { ...search, amountMin: amount, amountMax: amount }
    streams.push(streamOfAmount(walletId, withinAmounts(exactly), sql`${within} and ${amounts}`, limit))
  }
  return streams
}

/** Finds texts one by one, not operations. */
function streamOfTerm(
  walletId: bigint,
  term: string,
  within: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const next = (after: RawBuilder<unknown>) => sql`
    select term from operation_terms
    where wallet_id = ${walletId} and ${after} and term < ${`${term}\u{10ffff}`}
    order by term limit 1`
  return sql`
    with recursive begun as (
      (${next(sql`term >= ${term}`)})
      union all
      select (${next(sql`operation_terms.term > begun.term`)}) from begun where begun.term is not null
    )
    select newest.id
    from (select term from begun where term is not null limit ${termsMax}) as terms
    cross join lateral (
      select id from operation_terms
      where wallet_id = ${walletId} and operation_terms.term = terms.term and ${within}
        and facet in (select facet from wanted)
      order by id desc limit ${limit}
    ) as newest
    order by newest.id desc limit ${limit}`
}
