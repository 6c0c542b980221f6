// Appending to the chain, behind the commits: what is final is hashed, linked to what came before, and signed.
import { setTimeout as pause } from 'node:timers/promises'
import { crashPoint } from '../kernel/crash-points.ts'
import type { Clock, Instant } from '../kernel/time.ts'
import { createBatchWorker, type Database, type Executor, type Worker } from '../storage/index.ts'
import { summarizeLastPages } from '../storage/summaries.ts'
import { type Before, type ChainBatch, type ChainLink, nothingBefore, type WrittenRows } from './model.ts'
import { endInHistory, spanBetween } from './positions.ts'
import { writtenRows } from './rows-sql.ts'
import { batchText, gatewayHeadText, linkText, walletHeadText } from './rules.ts'
import { hashOf, type Signing } from './signing.ts'
import * as store from './store.ts'

/** How far the chain is behind, and how many links a busy wallet has in a day: 1440. */
const pollMs = 60_000
/** Of postings and events together: in some tenths of a second, for which the embedded database does nothing else. */
const rowsMaxDefault = 10_000
/** How long transactions that are open are waited for, before the next poll looks again. */
const finalMs = 20
const finalTriesMax = 50

export interface AppendDeps {
  readonly database: Database
  /** The gateway's, in whose time merchants read how far the chain is. */
  readonly clock: Clock
  readonly signing: Signing
  readonly onError: (error: unknown) => void
  /** For tests: about how many rows one batch has. */
  readonly rowsMax?: number
}

/** Up to where a round of the worker chains: what was committed before `at` lies before `upto`. */
interface Mark {
  readonly at: Instant
  readonly upto: bigint
}

/** Chains what was written, batch after batch; of several processes one at a time. */
export function createAppending(deps: AppendDeps): Worker {
  const { database, clock } = deps
  let mark: Mark | undefined
  /** The newest batch that this process has seen: a chain without it was cut off. */
  let seen: Before = nothingBefore

  async function takeMark(): Promise<Mark> {
    const at = clock.now()
    return { at, upto: await store.nextPosition(database) }
  }

  async function runBatch(): Promise<boolean> {
    const isOlder = mark !== undefined
    // A round that was begun when the clock was moved may run beside this one, and end first.
    const taken = mark ?? (await takeMark())
    // Kept for the next time: transactions that overlap for ever do not keep all others back.
    mark = taken
    const { upto, at } = taken
    if (!(await untilFinal(database, upto))) return false
    const appended = await database.transaction((tx) => appendNext(deps, tx, { upto, at }, seen))
    if (appended === 'busy') {
      mark = undefined
      return false
    }
    seen = appended.last
    if (appended.more) return true
    mark = undefined
    await summarizeLastPages(database, ['postings_in_order', 'events_by_transaction'])
    return isOlder
  }

  return createBatchWorker({ name: 'chain', database, pollMs, runBatch, onError: deps.onError })
}

async function untilFinal(database: Database, position: bigint): Promise<boolean> {
  for (let tries = 0; tries < finalTriesMax; tries++) {
    if (await store.isFinal(database, position)) return true
    await pause(finalMs)
  }
  return false
}

interface Appended {
  readonly last: Before
  readonly more: boolean
}

/** Reads and hashes before it writes: a transaction has a number only then, and holds up nobody's horizon until then. */
async function appendNext(
  deps: AppendDeps,
  tx: Executor,
  mark: Mark,
  seen: Before,
): Promise<Appended | 'busy'> {
  if (!(await store.lockChain(tx))) return 'busy'
  const last = await store.lastBatch(tx)
  await refuseOther(deps.signing, tx, last, seen)
  const { history, key, through } = await store.readProgress(tx)
  const end = endInHistory(last?.upto, history) ?? (await endOfLive(deps, tx, last?.upto, mark))
  const isLast = end === mark.upto
  const before = last ?? nothingBefore
  if (last !== undefined && end <= last.upto) return { last, more: false }
  const [rows = []] = await writtenRows(tx, spanBetween(last?.upto, end), [end])
  if (rows.length === 0 && end > 0n) {
    await store.advanceThrough(tx, mark.at)
    return { last: before, more: false }
  }
  const { batch, links } = await nextBatch(deps.signing, tx, before, rows, {
    ...{ upto: end, key },
    through: isLast ? latest(through, mark.at) : through,
  })
  crashPoint('batch hashed, not chained')
  await store.appendBatch(tx, batch, links)
  if (isLast) await store.advanceThrough(tx, mark.at)
  return { last: batch, more: !isLast }
}

/** Clocks of several processes differ. */
function latest(one: Instant | undefined, other: Instant): Instant {
  return one !== undefined && one > other ? one : other
}

async function endOfLive(
  { rowsMax = rowsMaxDefault }: AppendDeps,
  tx: Executor,
  previous: bigint | undefined,
  mark: Mark,
): Promise<bigint> {
  const span = spanBetween(previous, mark.upto)
  const end = span.kind === 'live' ? await store.endAfterRows(tx, span, rowsMax) : undefined
  return end ?? mark.upto
}

/**
 * Signs nothing on top of what the gateway did not sign, nor of a chain that lost what this process has seen of it: who
 * changes the books and the chain alike must not be helped to a signature.
 */
async function refuseOther(
  signing: Signing,
  tx: Executor,
  last: ChainBatch | undefined,
  seen: Before,
): Promise<void> {
  if (last !== undefined && !signing.isSignedBy(last.key, gatewayHeadText(last), last.signature))
    throw new Error(`nothing is chained: batch ${last.number} of the chain does not have our signature`)
  if (seen.number === 0n) return
  const known = (await store.findBatches(tx, [seen.number])).get(seen.number)
  if (known?.hash !== seen.hash)
    throw new Error(`nothing is chained: batch ${seen.number} of the chain is not what it was`)
}

interface Ends {
  readonly upto: bigint
  readonly key: number
  readonly through: Instant | undefined
}

/** The batch with its links, hashed and signed. */
async function nextBatch(
  signing: Signing,
  tx: Executor,
  before: Before,
  rows: readonly WrittenRows[],
  { upto, key, through }: Ends,
): Promise<{ batch: ChainBatch; links: ChainLink[] }> {
  const walletIds = rows.map(({ walletId }) => walletId)
  const lastLinks = await store.lastLinks(tx, walletIds)
  const number = before.number + 1n
  const unsigned = rows.map((row) => nextLink(lastLinks.get(row.walletId) ?? nothingBefore, number, row))
  const sum = (of: (row: WrittenRows) => bigint) => rows.reduce((total, row) => total + of(row), 0n)
  const batch = {
    ...{ number, upto, key, through },
    postings: before.postings + sum(({ postings }) => postings),
    events: before.events + sum(({ events }) => events),
    hash: hashOf(batchText(before, upto, unsigned)),
  }
  const links = unsigned.map(async (link) => ({
    ...link,
    signature: await signing.sign(key, walletHeadText(link, batch)),
  }))
  const signature = await signing.sign(key, gatewayHeadText(batch))
  return { batch: { ...batch, signature }, links: await Promise.all(links) }
}

/** What follows `before` when `rows` were written; unsigned. */
export function nextLink(before: Before, batch: bigint, rows: WrittenRows): Omit<ChainLink, 'signature'> {
  return {
    walletId: rows.walletId,
    number: before.number + 1n,
    batch,
    postings: before.postings + rows.postings,
    events: before.events + rows.events,
    hash: hashOf(linkText(before, batch, rows)),
  }
}
