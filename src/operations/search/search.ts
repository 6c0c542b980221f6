// Searches operations. Filters search in blocks of operations, texts search in indexes.

import { type RawBuilder, sql } from 'kysely'
import type { Cents } from '../../kernel/money.ts'
import { firstIdOf } from '../../kernel/random.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Method } from '../../methods/list.ts'
import { type Database, type RowOf, rowMaker } from '../../storage/index.ts'
import { type OperationStatus, type OperationType, operations } from '../model.ts'
import { shownOperations } from '../read/store.ts'
import { blockEndSql, blockMax, blockOfSql, highestId } from './blocks.ts'
import { catchUp } from './indexer.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import { streamsOfTexts } from './texts.ts'

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
  /** Compared without sign, as {@link amountMax} is. */
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

const rowOf = rowMaker<never>()

/** Matching operations, newest first, including everything committed before the call. */
export async function searchOperations(
  database: Database,
  walletId: bigint,
  search: OperationSearch,
  { after, limit }: SearchPage,
): Promise<Found> {
  await catchUp(database)
  const text = search.text?.trim() ?? ''
  const wanted = { database, walletId, search, after, limit: limit + 1 }
  const found = text === '' ? await findInBlocks(wanted) : await findByText(wanted, meaningOf(text))
  const shown = found.slice(0, limit)
  return { operations: shown, next: found.length > limit ? shown.at(-1)?.id : undefined }
}

interface Wanted {
  readonly database: Database
  readonly walletId: bigint
  readonly search: OperationSearch
  readonly after: string | undefined
  readonly limit: number
}

async function findByText(wanted: Wanted, meaning: Meaning): Promise<FoundOperation[]> {
  const { walletId, limit } = wanted
  const { amount } = meaning
  const ofAmount = amount === undefined ? [] : await findOfAmount(wanted, amount)
  const streams = streamsOfTexts(walletId, meaning, matching(wanted), limit)
  if (streams.length === 0) return ofAmount
  const ids = streams.map((stream) => sql`(${stream})`)
  const byText = await select(wanted, sql.join(ids, sql` union `))
  const all = new Map([...ofAmount, ...byText].map((operation) => [operation.id, operation]))
  return [...all.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
}

async function findOfAmount(wanted: Wanted, amount: Cents): Promise<FoundOperation[]> {
  const { amountMin = amount, amountMax = amount } = wanted.search
  if (amount < amountMin || amount > amountMax) return []
  return findInBlocks({ ...wanted, search: { ...wanted.search, amountMin: amount, amountMax: amount } })
}

/** Blocks can be out of date, so this reads more of them until the page is full. */
async function findInBlocks(wanted: Wanted): Promise<FoundOperation[]> {
  const { limit } = wanted
  const found: FoundOperation[] = []
  let { after } = wanted
  while (found.length < limit) {
    const left = { ...wanted, after, limit: limit - found.length }
    const blocks = await newestBlocks(left)
    if (blocks.length === 0) break
    found.push(...(await findInRanges(left, blocks)))
    after = blocks.at(-1)?.first_id
  }
  return found
}

interface Block {
  readonly first_id: string
  readonly end_id: string
}

/** The newest blocks that, by their counts, contain `limit` matching operations. */
async function newestBlocks({ database, walletId, search, after, limit }: Wanted): Promise<Block[]> {
  const conditions = [sql`first_id < ${after ?? highestId}::uuid`]
  const { from, until, amountMin, amountMax } = search
  if (until !== undefined) conditions.push(sql`first_id < ${firstIdOf(until)}::uuid`)
  if (from !== undefined) {
    const start = sql`(select ${walletId}::bigint as wallet_id, ${firstIdOf(from)}::uuid as id) as start`
    conditions.push(sql`first_id >= (select ${sql.raw(blockOfSql('start'))} from ${start})`)
  }
  const byAmount = amountMin !== undefined || amountMax !== undefined
  if (byAmount)
    conditions.push(
      sql`exists (select from unnest(amounts) as amount where ${withinAmounts(search, sql`amount`)})`,
    )
  const query = sql<Block>`
    with wanted as (${facetsOf(walletId, search)}),
    candidates as (
      select newest.first_id, sum(${byAmount ? sql`1` : sql`newest.operations`}) as operations
      from wanted cross join lateral (
        select first_id, operations from operation_blocks
        where wallet_id = ${walletId} and facet = wanted.facet and ${sql.join(conditions, sql` and `)}
        order by first_id desc limit ${limit + blockMax}
      ) as newest
      group by newest.first_id
    ),
    counted as (
      -- The first block may have its matching operations after the page's start.
      select first_id, sum(operations) over newest - operations - first_value(operations) over newest as before
      from candidates window newest as (order by first_id desc)
    )
    select first_id, ${sql.raw(blockEndSql('chosen'))} as end_id
    from (select ${walletId}::bigint as wallet_id, first_id from counted where before < ${limit}) as chosen
    order by first_id desc`
  const { sql: text, parameters } = query.compile(database.kysely)
  const { names, rows } = await database.read(text, parameters)
  const blockOf = rowMaker<Block>()
  return rows.map((values) => blockOf(names, values))
}

function findInRanges(wanted: Wanted, blocks: readonly Block[]): Promise<FoundOperation[]> {
  const ranges = sql`unnest(
    ${blocks.map(({ first_id }) => first_id)}::uuid[], ${blocks.map(({ end_id }) => end_id)}::uuid[]
  ) as block (first_id, end_id)`
  const ids = sql`
    select within.id from ${ranges} cross join lateral (
      select id from operations
      where wallet_id = ${wanted.walletId} and id >= block.first_id and id < block.end_id and ${matching(wanted)}
    ) as within`
  return select(wanted, ids)
}

/** The newest operations among `ids`, an SQL query that selects ids. */
async function select(
  { database, walletId, limit }: Wanted,
  ids: RawBuilder<unknown>,
): Promise<FoundOperation[]> {
  const page = sql`
    select ${sql.join(foundOperations.names.map((name) => sql.ref(`found.${name}`)))}
    from (select id from (${ids}) as ids order by id desc limit ${limit}) as newest
    cross join lateral (
      select * from operations where wallet_id = ${walletId} and operations.id = newest.id offset 0
    ) as found
    order by newest.id desc`
  const { sql: text, parameters } = page.compile(database.kysely)
  const { names, rows } = await database.read(text, parameters)
  return rows.map((values) => foundOperations.read(rowOf(names, values)))
}

function facetsOf(walletId: bigint, search: OperationSearch): RawBuilder<unknown> {
  return sql`select facet from operation_facets where wallet_id = ${walletId} and ${withinFacets(search)}`
}

function matching({ search, after }: Pick<Wanted, 'search' | 'after'>): RawBuilder<unknown> {
  const amounts = withinAmounts(search, sql`abs(amount)`)
  return sql`${withinFacets(search)} and ${withinIds(search, after)} and ${amounts}`
}

function withinFacets({ types, statuses, methods, channels, stores }: OperationSearch): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (types !== undefined) conditions.push(sql`type = any(${types})`)
  if (statuses !== undefined) conditions.push(sql`status = any(${statuses})`)
  if (methods !== undefined) conditions.push(sql`method = any(${methods})`)
  if (channels !== undefined) conditions.push(sql`channel = any(${channels})`)
  if (stores !== undefined) conditions.push(sql`store = any(${stores}::bigint[])`)
  return sql.join(conditions, sql` and `)
}

/** An id begins with its creation time, so it can be compared with a date. */
function withinIds({ from, until }: OperationSearch, after: string | undefined): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (from !== undefined) conditions.push(sql`id >= ${firstIdOf(from)}::uuid`)
  if (until !== undefined) conditions.push(sql`id < ${firstIdOf(until)}::uuid`)
  if (after !== undefined) conditions.push(sql`id < ${after}::uuid`)
  return sql.join(conditions, sql` and `)
}

function withinAmounts(
  { amountMin, amountMax }: OperationSearch,
  amount: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (amountMin !== undefined) conditions.push(sql`${amount} >= ${amountMin}`)
  if (amountMax !== undefined) conditions.push(sql`${amount} <= ${amountMax}`)
  return sql.join(conditions, sql` and `)
}
