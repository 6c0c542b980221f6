// The SQL of the request log: packed blocks, read newest first, deleted in batches.
import { firstIdOf } from '../kernel/random.ts'
import { type Instant, instant, minute, toTimestamp } from '../kernel/time.ts'
import { type Database, execute, rowSet, type StoredRowOf, statement } from '../storage/index.ts'
import { type LoggedRequest, unpackRequests } from './blocks.ts'
import { type RequestBlock, requestBlocks } from './table.ts'

const newBlocks = rowSet(requestBlocks.types)

/** Writes blocks in one statement. After a lost answer it may write the same blocks again. */
export const insertBlocks = execute((blocks: readonly RequestBlock[]) =>
  newBlocks.parameters(blocks.map(requestBlocks.write)),
)`
  insert into request_log_blocks (${requestBlocks.list()})
  select ${requestBlocks.list()} from (${newBlocks.source}) as input
  on conflict do nothing`

export type ListedRequest = Pick<
  LoggedRequest,
  'id' | 'answeredAt' | 'keyId' | 'method' | 'route' | 'path' | 'status' | 'code' | 'durationMs'
>

/** The filters of a list. A filter that is absent excludes nothing. */
export interface RequestFilter {
  /** The first digit of the status, 2 to 5. */
  readonly statusClass?: number | undefined
  readonly method?: string | undefined
  /** The start of the path. */
  readonly path?: string | undefined
  readonly keyId?: string | undefined
  /** The tid of a request, in lower case. */
  readonly tid?: string | undefined
  readonly from?: Instant | undefined
  /** Exclusive. */
  readonly until?: Instant | undefined
}

/** The most requests that a page scans. With it, a filter with few matches costs no more than others. */
const scannedMax = 20_000
/** Requests that one statement reads if a filter is set. */
const filteredAtOnce = 2_000
const blocksAtOnce = 256
const endOfIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Two blocks overlap in time by less than this, because every request ends sooner. */
const overlapMs = 5 * minute

const selectBlocks = (condition: string) =>
  statement<StoredRowOf<typeof requestBlocks>>(`
  select ${requestBlocks.list('blocks')}
  from (
    select last_id, sum(requests) over (order by last_id desc rows unbounded preceding) - requests as before
    from (
      select last_id, requests from request_log_blocks
      where wallet_id = $1 and last_id < $2 and first_id < $3${condition}
      order by last_id desc limit ${blocksAtOnce}
    ) as newest
  ) as numbered
  join request_log_blocks as blocks on blocks.wallet_id = $1 and blocks.last_id = numbered.last_id
  where numbered.before < $4
  order by blocks.last_id desc`)

/** Blocks with failures have an index of their own. */
const selects = { all: selectBlocks(''), failed: selectBlocks(' and failed > 0') }

/** A part of the list, and the cursor of the next part. */
export interface RequestPage {
  readonly requests: readonly ListedRequest[]
  /** The `before` of the next part; undefined at the end. */
  readonly next: string | undefined
}

/**
 * The wallet's requests that match, newest first. A page looks through at most 20 000 requests, so it may
 * have fewer than `limit`, even zero, and still a `next`.
 *
 * @param before `next` of the page before
 */
export async function listRequests(
  database: Database,
  walletId: bigint,
  filter: RequestFilter,
  { before = endOfIds, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<RequestPage> {
  const { statusClass, tid } = filter
  if (tid !== undefined) {
    const found = await findRequest(database, walletId, tid)
    return { requests: found !== undefined && matches(found, filter) ? [found] : [], next: undefined }
  }
  const select = selects[statusClass !== undefined && statusClass >= 4 ? 'failed' : 'all']
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const source = { database, walletId, select, before, readAtOnce: isFiltered ? filteredAtOnce : limit + 1 }
  const requests: LoggedRequest[] = []
  let scanned = 0
  for await (const request of newestFirst(source)) {
    if (matches(request, filter)) requests.push(request)
    if (requests.length > limit) return { requests: requests.slice(0, limit), next: requests[limit - 1]?.id }
    scanned += 1
    if (scanned === scannedMax) return { requests, next: request.id }
  }
  return { requests, next: undefined }
}

interface Source {
  readonly database: Database
  readonly walletId: bigint
  readonly select: ReturnType<typeof selectBlocks>
  readonly before: string
  readonly readAtOnce: number
}

/** The wallet's requests before an id, newest first, block by block. */
async function* newestFirst({ database, walletId, select, before, readAtOnce }: Source) {
  let upper = before === endOfIds ? before : firstIdOf(instant(timeOf(before) + overlapMs))
  let waiting: LoggedRequest[] = []
  for (;;) {
    const blocks = (await database.run(select, [walletId, upper, before, readAtOnce])).map(requestBlocks.read)
    if (blocks.length === 0) return yield* waiting
    upper = blocks.at(-1)?.lastId ?? upper
    const fresh = blocks.flatMap(unpackRequests).filter(({ id }) => id < before)
    waiting = [...waiting, ...fresh].sort((one, other) => (one.id < other.id ? 1 : -1))
    // Requests of unread blocks are older than the newest request of the last block read.
    const certain = waiting.findLastIndex(({ id }) => id >= upper) + 1
    yield* waiting.slice(0, certain)
    waiting = waiting.slice(certain)
  }
}

function matches(request: LoggedRequest, filter: RequestFilter): boolean {
  const { statusClass, method, path, keyId, from, until } = filter
  return (
    (statusClass === undefined || Math.floor(request.status / 100) === statusClass) &&
    (method === undefined || request.method === method) &&
    (path === undefined || request.path.startsWith(path)) &&
    (keyId === undefined || request.keyId === keyId) &&
    (from === undefined || request.answeredAt >= from) &&
    (until === undefined || request.answeredAt < until)
  )
}

/** The time in a UUIDv7, in milliseconds since 1970. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

const selectAround = statement<StoredRowOf<typeof requestBlocks>>(`
  select ${requestBlocks.list()} from request_log_blocks
  where wallet_id = $1 and last_id >= $2 and last_id < $3 and first_id <= $2
  order by last_id limit ${blocksAtOnce}`)

/** One request of the wallet, whole. */
export async function findRequest(
  database: Database,
  walletId: bigint,
  tid: string,
): Promise<LoggedRequest | undefined> {
  const upper = firstIdOf(instant(timeOf(tid) + overlapMs))
  for (const block of await database.run(selectAround, [walletId, tid, upper])) {
    const found = unpackRequests(requestBlocks.read(block)).find(({ id }) => id === tid)
    if (found !== undefined) return found
  }
  return undefined
}

/** Blocks that one statement deletes. The embedded database does nothing else meanwhile. */
const deletedAtOnce = 500

const deleteBefore = statement<{ requests: number }>(`
  delete from request_log_blocks
  where ctid = any(array(
    select ctid from request_log_blocks where answered_until < $1 order by answered_until limit ${deletedAtOnce}
  ))
  returning requests`)

/** Deletes the blocks whose requests were all answered before `moment`, in batches. */
export async function forgetRequestsBefore(database: Database, moment: Instant): Promise<void> {
  while ((await database.run(deleteBefore, [toTimestamp(moment)])).length === deletedAtOnce);
}
