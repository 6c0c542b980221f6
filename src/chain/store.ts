// SQL of the chain: its end, its state and the next batch.
import { finalBefore } from '../callbacks/index.ts'
import type { Instant } from '../kernel/time.ts'
import { toTimestamp } from '../kernel/time.ts'
import { execute, findFirst, statementWithoutTimeLimit, storeFunction } from '../storage/database.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../storage/index.ts'
import { type ChainBatch, type ChainLink, chainBatches, chainLinks, chainProgress } from './model.ts'

/** Returns false if another process appends. It never waits and blocks no writer. */
export const lockChain = storeFunction(
  () => [],
  ([row]: { locked: boolean }[]) => row?.locked === true,
)`
  select pg_try_advisory_xact_lock(hashtext('comporta chain')) as locked`

/** The next unused position. Everything committed so far is before it. */
export const nextPosition = storeFunction(
  () => [],
  ([row]: { next: bigint }[]) => row?.next ?? 0n,
)`
  select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + (select shift from event_order) as next`

export const isFinal = storeFunction(
  (position: bigint) => [position],
  ([row]: { final: boolean }[]) => row?.final === true,
)`
  select ${finalBefore} >= $1 as final`

const progressParts = chainProgress.pick('committedUntil', 'key', 'last')
const selectProgress = statement<StoredRowOf<typeof progressParts>>(`
  select ${progressParts.list()} from chain_progress`)

export async function readProgress(db: Executor) {
  const progress = progressParts.first(await db.run(selectProgress))
  if (progress === undefined) throw new Error('the row of chain_progress is gone')
  return progress
}

export const lastBatch = findFirst(chainBatches, () => [])`
  select ${chainBatches.list()} from chain_batches order by number desc limit 1`

const selectBatches = statement<StoredRowOf<typeof chainBatches>>(`
  select ${chainBatches.list()} from chain_batches where number = any($1::bigint[])`)

export async function findBatches(
  db: Executor,
  numbers: readonly bigint[],
): Promise<Map<bigint, ChainBatch>> {
  const found = (await db.run(selectBatches, [numbers])).map(chainBatches.read)
  return new Map(found.map((batch) => [batch.number, batch]))
}

export const findLink = findFirst(chainLinks, (walletId: bigint, number: bigint) => [walletId, number])`
  select ${chainLinks.list()} from chain_links where wallet_id = $1 and number = $2`

const selectLastLinks = statement<StoredRowOf<typeof chainLinks>>(`
  select link.*
  from unnest($1::bigint[]) as wanted(id)
  cross join lateral (
    select ${chainLinks.list()} from chain_links where wallet_id = wanted.id order by number desc limit 1
  ) as link`)

export async function lastLinks(db: Executor, walletIds: readonly bigint[]): Promise<Map<bigint, ChainLink>> {
  const links = (await db.run(selectLastLinks, [walletIds])).map(chainLinks.read)
  return new Map(links.map((link) => [link.walletId, link]))
}

const selectEnd = statementWithoutTimeLimit<{ upto: bigint }>(`
  with recursive search (width, upto, is_rest) as (
    select $4::bigint, null::bigint, false
    union all
    select width * 2,
      (
        with written as materialized (
          select written_in from postings where written_in >= $1 and written_in < least($1 + width, $2)
          union all
          select written_in from events where written_in >= $1 and written_in < least($1 + width, $2)
        )
        select portion.upto
        from (select written_in + 1 as upto from written order by written_in offset $3 limit 1) as portion
        where exists (select from written where written_in >= portion.upto)
      ),
      $1 + width >= $2
    from search
    where upto is null and not is_rest
  )
  select upto from search where upto is not null`)

const rowsOfTransaction = 32

/** Undefined if no more rows are before `to`. It reads only one batch, because a backlog can be long. */
export async function endAfterRows(
  db: Executor,
  from: bigint,
  to: bigint,
  rows: number,
): Promise<bigint | undefined> {
  const width = Math.ceil(rows / rowsOfTransaction)
  return (await db.run(selectEnd, [from, to, rows - 1, width]))[0]?.upto
}

export const newestKey = storeFunction(
  () => [],
  ([row]: { key: number | null }[]) => row?.key ?? 0,
)`
  select max(key) as key from chain_batches`

const insertBatch = statement(`
  insert into chain_batches (${chainBatches.list()}) values (${chainBatches.placeholders()})`)

const noteLast = statement('update chain_progress set last = $1')

const linkSet = rowSet(chainLinks.types)
const insertLinks = statement(`
  insert into chain_links (${chainLinks.list()})
  select ${chainLinks.list('input')} from (${linkSet.source}) as input`)

export async function appendBatch(
  tx: Executor,
  batch: ChainBatch,
  links: readonly ChainLink[],
): Promise<void> {
  await tx.run(insertBatch, chainBatches.values(batch))
  await tx.run(insertLinks, linkSet.parameters(links.map(chainLinks.write)))
  await tx.run(noteLast, [batch.number])
}

export const advanceCommittedUntil = execute((committedUntil: Instant) => [toTimestamp(committedUntil)])`
  update chain_progress set through = $1
  where through is null or through < $1 or through > $1::timestamptz + interval '1 hour'`

const keysMax = 1000
const addKey = statement<{ key: number }>(`
  update chain_progress set key = key + 1 where key < ${keysMax} returning key`)

export async function nextKey(db: Executor): Promise<number> {
  const [row] = await db.run(addKey)
  if (row === undefined) throw new Error(`the gateway has used ${keysMax} keys and cannot have more`)
  return row.key
}
