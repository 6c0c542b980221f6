// The worker that keeps the search index current.
import { setTimeout as pause } from 'node:timers/promises'
import {
  createBatchWorker,
  type Database,
  statement,
  storeFunction,
  type Worker,
} from '../../storage/index.ts'
import { blockEndSql, blockMax, blockOfSql, blockSize, newestBlockSql } from './blocks.ts'

/** Pause between two runs, in which changes gather: most payments are written twice within a moment. */
const pollMs = 1000
/** Such a batch takes some tenths of a second, in which the embedded database does nothing else. */
const operationsMax = 2000
/** How many batches of new changes one search indexes before it reads. */
const roundsOfSearchMax = 3
/** How long a search waits for another process that is indexing. */
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

/** Lets a search see everything that was committed before it. It stops if that takes too long. */
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

/** One statement changes up to 500 operations, but most change one or some tens. */
const statementsMax = 500

/** Operations of one block that a batch counts, newest first; the others follow later. An import has many. */
const countedMax = 2000

/** Counts each changed block again as a whole, and cuts a block of more than `blockMax` operations. */
const takeOver = statement<{ full: boolean }>(`
  with taken as (
    delete from operation_changes
    where ctid = any (array(
      select ctid
      from (
        select ctid, sum(cardinality(operation_ids)) over (rows unbounded preceding) - cardinality(operation_ids) as before
        from (select ctid, operation_ids from operation_changes limit ${statementsMax}) as first
      ) as counted
      where before < $1
    ))
    returning wallet_ids, operation_ids
  ),
  touched as materialized (
    select distinct changed.wallet_id, changed.id
    from taken cross join lateral unnest(taken.wallet_ids, taken.operation_ids) as changed (wallet_id, id)
  ),
  -- Most changes are of the newest operations.
  newest as materialized (
    select wallet_id, ${newestBlockSql('wallets')} as first_id
    from (select distinct wallet_id from touched) as wallets
  ),
  ranges as materialized (
    select begun.wallet_id, begun.first_id, ${blockEndSql('begun')} as end_id
    from (
      select distinct wallet_id, case when id >= newest.first_id then newest.first_id
        else ${blockOfSql('touched')} end as first_id
      from touched join newest using (wallet_id)
    ) as begun
  ),
  members as materialized (
    select ranges.wallet_id, ranges.first_id, operation.*,
      row_number() over block - 1 as place, count(*) over (partition by ranges.wallet_id, ranges.first_id) as total
    from ranges
    cross join lateral (
      select id, type, status, method, channel, store, amount < 0 as is_outgoing, abs(amount) as size,
        payment_link_id, ${facetSql} as facet, (created_at at time zone 'Europe/Lisbon')::date as day
      from operations
      where operations.wallet_id = ranges.wallet_id and operations.id >= ranges.first_id and operations.id < ranges.end_id
      order by id desc limit ${countedMax} + 1
    ) as operation
    window block as (partition by ranges.wallet_id, ranges.first_id order by operation.id)
  ),
  placed as (
    select wallet_id, facet, day, size,
      case when total <= ${blockMax} or total <= ${countedMax} and place < ${blockSize} then first_id
        else first_value(id) over (partition by wallet_id, first_id, place / ${blockSize} order by id)
      end as first_id
    from (select * from members where total <= ${countedMax} or place > 0) as kept
  ),
  counted as materialized (
    select wallet_id, first_id, facet, day, count(*)::integer as operations, sum(size)::bigint as amount,
      array_agg(distinct size) as amounts
    from placed group by wallet_id, first_id, facet, day
  ),
  known as materialized (
    select before.*
    from ranges
    cross join lateral (
      select * from operation_blocks
      where operation_blocks.wallet_id = ranges.wallet_id and operation_blocks.first_id = ranges.first_id
      offset 0
    ) as before
  ),
  continued as (
    insert into operation_changes (wallet_ids, operation_ids)
    select array[wallet_id], array[id] from members where total > ${countedMax} and place = 0
    returning 1
  ),
  facets as (
    insert into operation_facets (wallet_id, facet, type, status, method, channel, store, is_outgoing)
    select distinct wallet_id, facet, type, status, method, channel, store, is_outgoing from members
    on conflict do nothing
  ),
  added as (
    insert into operation_blocks (wallet_id, first_id, facet, day, operations, amount, amounts)
    select wallet_id, first_id, facet, day, operations, amount, amounts from counted
    where (wallet_id, first_id, facet, day) not in (select wallet_id, first_id, facet, day from known)
  ),
  changed as (
    update operation_blocks
    set operations = counted.operations, amount = counted.amount, amounts = counted.amounts
    from counted join known using (wallet_id, first_id, facet, day)
    where operation_blocks.wallet_id = counted.wallet_id and operation_blocks.first_id = counted.first_id
      and operation_blocks.facet = counted.facet and operation_blocks.day = counted.day
      and (counted.operations, counted.amount, counted.amounts) is distinct from (known.operations, known.amount, known.amounts)
  ),
  removed as (
    delete from operation_blocks
    using known
    where operation_blocks.wallet_id = known.wallet_id and operation_blocks.first_id = known.first_id
      and operation_blocks.facet = known.facet and operation_blocks.day = known.day
      and (known.wallet_id, known.first_id, known.facet, known.day)
        not in (select wallet_id, first_id, facet, day from counted)
  ),
  links as (
    insert into operation_links (wallet_id, payment_link_id, id, facet, amount)
    select wallet_id, payment_link_id, id, facet, size from members join touched using (wallet_id, id)
    where payment_link_id is not null
    on conflict (wallet_id, payment_link_id, id) do update set facet = excluded.facet, amount = excluded.amount
    where (operation_links.facet, operation_links.amount) is distinct from (excluded.facet, excluded.amount)
  ),
  days as (
    insert into operation_days (wallet_id, day, facet, operations, amount)
    select wallet_id, day, facet, sum(operations), sum(amount)
    from (
      select wallet_id, day, facet, operations, amount from counted
      union all
      select wallet_id, day, facet, -operations, -amount from known
    ) as moved
    group by wallet_id, day, facet
    having sum(operations) <> 0 or sum(amount) <> 0
    on conflict (wallet_id, day, facet) do update set
      operations = operation_days.operations + excluded.operations, amount = operation_days.amount + excluded.amount
  )
  select count(*) >= ${statementsMax} or coalesce(sum(cardinality(operation_ids)), 0) >= $1
    or exists (select from continued) as full
  from taken`)

/** Only one process indexes at a time: a parallel one could write older data. Others do not wait for it. */
const oneByOne = statement<{ locked: boolean }>(
  `select pg_try_advisory_xact_lock(hashtext('changed_operations')) as locked`,
)

export const hasChanged = storeFunction(
  () => [],
  ([row]: { waits: boolean }[]) => row?.waits === true,
)`
  select exists (select from operation_changes) as waits`

/** Indexes about `operationsMax` operations. `full`: there may be more. `busy`: another process indexes. */
export async function indexChanges(
  database: Database,
  operationsMax: number,
): Promise<'full' | 'all' | 'busy'> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.run(oneByOne)
    if (lock?.locked !== true) return 'busy'
    // This must be a new statement, so that it sees everything committed before the lock.
    const [taken] = await tx.run(takeOver, [operationsMax])
    return taken?.full === true ? 'full' : 'all'
  })
}
