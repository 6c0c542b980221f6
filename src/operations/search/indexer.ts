// The worker that keeps the search index current.
import { setTimeout as pause } from 'node:timers/promises'
import { createBatchWorker, type Database, statement, type Worker } from '../../storage/index.ts'

/** Pause in which changes gather, because most payments are written twice within a moment. */
const pollMs = 1000
/** Takes some tenths of a second, in which the embedded database does nothing else. */
const operationsMax = 2000
/** Batches of new changes that one search indexes. */
const roundsOfSearchMax = 3
/** Wait of a search for the process that is indexing. */
const busyMs = 20
const busyMax = 10

export function createSearchIndexer({
  database,
  onError,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
}): Worker {
  return createBatchWorker({
    name: 'operation search',
    database,
    pollMs,
    runBatch: async () =>
      (await hasChanged(database)) && (await indexChanges(database, operationsMax)) === 'full',
    onError,
  })
}

/** Lets a search see everything committed before it, unless that takes too long. */
export async function catchUp(database: Database): Promise<void> {
  let [rounds, busy] = [0, 0]
  while (rounds < roundsOfSearchMax && busy < busyMax && (await hasChanged(database))) {
    if ((await indexChanges(database, operationsMax)) !== 'busy') rounds++
    else {
      busy++
      await pause(busyMs)
    }
  }
}

const facetSql = `
  hashtextextended(concat_ws(' ', type, status, coalesce(method, '-'), channel, coalesce(store::text, '-'), amount < 0), 0)`

/** Longer texts are found by their beginning. */
const termLengthMax = 100

const termsSql = [
  'ext_invoiceid',
  'ext_customerid',
  'ext_employee',
  'ext_email',
  "client ->> 'email'",
  "client ->> 'phone'",
  'phone',
  "card ->> 'last4'",
  'mb_ref',
  'mb_entity || mb_ref',
  'checkout_id::text',
  'subscription_id::text',
  'parent_id::text',
  'payment_link_id::text',
]
  .map((term) => `(${term})`)
  .join(', ')

/** Each writing statement changed up to 500 operations, mostly one or some tens. */
const statementsMax = 500

const takeOver = statement<{ full: boolean }>(`
  with taken as (
    delete from changed_operations
    where ctid = any (array(
      select ctid
      from (
        select ctid, sum(cardinality(operation_ids)) over (rows unbounded preceding) - cardinality(operation_ids) as before
        from (select ctid, operation_ids from changed_operations limit ${statementsMax}) as first
      ) as counted
      where before < $1
    ))
    returning wallet_ids, operation_ids
  ),
  touched as (
    select distinct changed.wallet_id, changed.id
    from taken cross join lateral unnest(taken.wallet_ids, taken.operation_ids) as changed (wallet_id, id)
  ),
  found as materialized (
    select operation.*
    from touched
    cross join lateral (
      select *, abs(amount) as size, ${facetSql} as facet, (created_at at time zone 'Europe/Lisbon')::date as day
      from operations
      where operations.wallet_id = touched.wallet_id and operations.id = touched.id
      offset 0
    ) as operation
  ),
  known as materialized (
    select found.wallet_id, found.day, before.facet, before.amount
    from found
    cross join lateral (
      select facet, amount from operation_index
      where operation_index.wallet_id = found.wallet_id and operation_index.id = found.id
      offset 0
    ) as before
  ),
  facets as (
    insert into operation_facets (wallet_id, facet, type, status, method, channel, store, is_outgoing)
    select distinct wallet_id, facet, type, status, method, channel, store, amount < 0 from found
    on conflict do nothing
  ),
  indexed as (
    insert into operation_index (wallet_id, id, facet, amount)
    select wallet_id, id, facet, size from found order by wallet_id, id
    on conflict (wallet_id, id) do update set facet = excluded.facet, amount = excluded.amount
    where (operation_index.facet, operation_index.amount) is distinct from (excluded.facet, excluded.amount)
  ),
  terms as (
    insert into operation_terms (wallet_id, term, id, facet, amount)
    select distinct found.wallet_id, left(lower(term.text), ${termLengthMax}), found.id, found.facet, found.size
    from found cross join lateral (values ${termsSql}) as term (text)
    where term.text <> ''
    on conflict (wallet_id, term, id) do update set facet = excluded.facet, amount = excluded.amount
    where (operation_terms.facet, operation_terms.amount) is distinct from (excluded.facet, excluded.amount)
  ),
  days as (
    insert into operation_days (wallet_id, day, facet, operations, amount)
    select wallet_id, day, facet, sum(operations), sum(amount)
    from (
      select wallet_id, day, facet, 1 as operations, size as amount from found
      union all
      select wallet_id, day, facet, -1, -amount from known
    ) as moved
    group by wallet_id, day, facet
    having sum(operations) <> 0 or sum(amount) <> 0
    on conflict (wallet_id, day, facet) do update set
      operations = operation_days.operations + excluded.operations, amount = operation_days.amount + excluded.amount
  )
  select count(*) >= ${statementsMax} or coalesce(sum(cardinality(operation_ids)), 0) >= $1 as full from taken`)

/** A parallel run could write older data. It does not wait, so that no connection is held. */
const oneByOne = statement<{ locked: boolean }>(
  `select pg_try_advisory_xact_lock(hashtext('changed_operations')) as locked`,
)

const selectChanged = statement<{ waits: boolean }>('select exists (select from changed_operations) as waits')

export async function hasChanged(database: Database): Promise<boolean> {
  return (await database.run(selectChanged))[0]?.waits === true
}

/** Up to about `operationsMax` operations. `full`: there may be more. `busy`: another process is at work. */
export async function indexChanges(
  database: Database,
  operationsMax: number,
): Promise<'full' | 'all' | 'busy'> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.run(oneByOne)
    if (lock?.locked !== true) return 'busy'
    // A new statement sees everything committed before the lock.
    const [taken] = await tx.run(takeOver, [operationsMax])
    return taken?.full === true ? 'full' : 'all'
  })
}
