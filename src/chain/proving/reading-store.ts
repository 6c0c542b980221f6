// SQL that reads the chain again.
import { findAll, statementWithoutTimeLimit, storeFunction } from '../../storage/database.ts'
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
import { chainBatches, chainLinks } from '../model.ts'

export const batchesAfter = findAll(chainBatches, (number: bigint, last: bigint, limit: number) => [
  number,
  last,
  limit,
])`
  select ${chainBatches.list()} from chain_batches where number > $1 and number <= $2 order by number limit $3`

export const linksOf = storeFunction(
  (first: bigint, last: bigint) => [first, last],
  (rows: StoredRowOf<typeof chainLinks>[]) => Map.groupBy(rows.map(chainLinks.read), ({ batch }) => batch),
)`
  select ${chainLinks.list()} from chain_links where batch >= $1 and batch <= $2`

/** Finds the wallets by one step in the index for each. */
export const chainedWallets = storeFunction(
  () => [],
  (rows: { wallet_id: bigint }[]) => rows.map(({ wallet_id }) => wallet_id),
)`
  with recursive chained as (
    (select wallet_id from chain_links order by wallet_id limit 1)
    union all
    select (select wallet_id from chain_links where wallet_id > chained.wallet_id order by wallet_id limit 1)
    from chained where chained.wallet_id is not null
  )
  select wallet_id from chained where wallet_id is not null`

const selectImpossible = statementWithoutTimeLimit<{ what: string; id: string; written_in: bigint }>(`
  select 'posting' as what, id::text, written_in from postings
  where written_in < 1 or written_in > (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + shift from event_order)
  union all
  select 'event', id::text, written_in from events
  where written_in < 1 or written_in > (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + shift from event_order)
  limit 100`)

/** Finds rows with transaction numbers of the future, which the chain would never include. */
export async function impossibleRows(db: Executor) {
  return db.run(selectImpossible)
}

const selectHiding = statement<{ name: string; schemas: string }>(`
  select relname as name, pg_catalog.string_agg(nspname, ', ' order by nspname) as schemas
  from pg_catalog.pg_class
  join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any(pg_catalog.current_schemas(true))
    and relname = any(array['postings', 'events', 'accounts', 'event_order', 'chain_batches', 'chain_links', 'chain_progress'])
  group by relname
  having pg_catalog.count(*) > 1`)

export async function hidingTables(db: Executor) {
  return db.run(selectHiding)
}

const selectLate = statementWithoutTimeLimit<{ late: bigint }>(`
  select count(*) as late
  from (
    select created_at from postings where written_in >= $1
    union all
    select created_at from events where written_in >= $1
  ) as unchained
  where created_at > $2::timestamptz`)

export async function rowsWrittenAfter(db: Executor, endPosition: bigint, moment: string): Promise<bigint> {
  return (await db.run(selectLate, [endPosition, moment]))[0]?.late ?? 0n
}
