// Appends committed rows to the chain: hashes, links and signs them.
import { setTimeout as pause } from 'node:timers/promises'
import { crashPoint } from '../kernel/crash-points.ts'
import { hour, type Instant } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import { createBatchWorker, type Database, type Executor, type Worker } from '../storage/index.ts'
import { summarizeLastPages } from '../storage/summaries.ts'
import { nextBatch, refuseOther } from './linking.ts'
import { type Before, nothingBefore } from './model.ts'
import { writtenRows } from './rows-sql.ts'
import type { Signing } from './signing.ts'
import * as store from './store.ts'

/** The chain is at most this far behind the ledger. A busy wallet gets 1440 links a day. */
const pollMs = 60_000
/** Rows of a batch, approximately. The embedded database does nothing else during a batch. */
const rowsMaxDefault = { postgres: 10_000, pglite: 2_500 }
/** After this time an empty batch is signed, which proves that later rows are not older. */
export const idleMs = hour
const finalMs = 20
const openMsDefault = 1_000
const againMs = 100
const catchUpMsMax = 30_000

export interface AppendDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly signing: Signing
  readonly rowsMax?: number
  /** Only for tests, because they share a server with transactions of other tests. */
  readonly openMsMax?: number
}

/** The target of a round: everything that was committed before `at` is before `endPosition`. */
interface Mark {
  readonly at: Instant
  readonly endPosition: bigint
}

export interface Appending {
  readonly worker: Worker
  /** `held up`: for half a minute a transaction stayed open, or another process appended. */
  catchUp(): Promise<'done' | 'held up'>
}

export function createAppending(deps: AppendDeps): Appending {
  const { database, clock, openMsMax = openMsDefault } = deps
  let mark: Mark | undefined
  let seen: Before = nothingBefore
  // A server that takes over may lack the last batches.
  database.onFailover(() => {
    seen = nothingBefore
  })

  async function takeMark(): Promise<Mark> {
    const at = clock.now()
    const endPosition = await store.nextPosition(database)
    await summarizeLastPages(database, ['postings_in_order', 'events_by_transaction'])
    return { at, endPosition }
  }

  async function append(upTo: Mark): Promise<Appended | 'busy' | 'open'> {
    if (!(await untilFinal(database, upTo.endPosition, openMsMax))) return 'open'
    const begun = performance.now()
    const appended = await database.transaction((tx) => appendNext(deps, tx, upTo, seen))
    if (appended === 'busy') return 'busy'
    seen = appended.last
    // The embedded database does one thing at a time. It gets a pause as long as the batch, for payments.
    if (appended.more && database.kind === 'pglite') await pause(performance.now() - begun)
    return appended
  }

  async function runBatch(): Promise<boolean> {
    const isOlder = mark !== undefined
    // A round that began before a change of the clock may still run and end first.
    const taken = mark ?? (await takeMark())
    // The mark is kept between rounds. Otherwise overlapping transactions could block the chain for ever.
    mark = taken
    const appended = await append(taken)
    if (appended === 'open') return false
    if (appended !== 'busy' && appended.more) return true
    mark = undefined
    if (appended === 'busy') return false
    return isOlder
  }

  async function catchUp(): Promise<'done' | 'held up'> {
    const upTo = await takeMark()
    for (let begun = performance.now(); performance.now() - begun < catchUpMsMax; ) {
      const appended = await append(upTo)
      if (appended === 'busy') await pause(againMs)
      else if (appended === 'open') continue
      else if (appended.more) begun = performance.now()
      else return 'done'
    }
    return 'held up'
  }

  const worker = createBatchWorker({ name: 'chain', database, pollMs, runBatch, onError: deps.onError })
  return { worker, catchUp }
}

async function untilFinal(database: Database, position: bigint, msMax: number): Promise<boolean> {
  for (const begun = performance.now(); performance.now() - begun < msMax; await pause(finalMs))
    if (await store.isFinal(database, position)) return true
  return false
}

interface Appended {
  readonly last: Before
  readonly more: boolean
}

/** Reads and hashes before it writes, because only its writes make other transactions wait. */
async function appendNext(
  deps: AppendDeps,
  tx: Executor,
  mark: Mark,
  seen: Before,
): Promise<Appended | 'busy'> {
  if (!(await store.lockChain(tx))) return 'busy'
  const last = await store.lastBatch(tx)
  const progress = await store.readProgress(tx)
  await refuseOther(deps.signing, tx, { last, seen, noted: progress.last, key: progress.key })
  const from = last?.endPosition ?? 0n
  const rowsMax = deps.rowsMax ?? rowsMaxDefault[deps.database.kind]
  const end = (await store.endAfterRows(tx, from, mark.endPosition, rowsMax)) ?? mark.endPosition
  const isLast = end === mark.endPosition
  const before = last ?? nothingBefore
  if (last !== undefined && end <= last.endPosition) return { last, more: false }
  const [rows = []] = await writtenRows(tx, from, [end])
  const saysNothingNew = last?.committedUntil === undefined || mark.at - last.committedUntil < idleMs
  if (rows.length === 0 && saysNothingNew) {
    await store.advanceCommittedUntil(tx, mark.at)
    return { last: before, more: false }
  }
  const { batch, links } = await nextBatch(deps.signing, tx, before, rows, {
    ...{ endPosition: end, key: progress.key },
    committedUntil: isLast ? mark.at : last?.committedUntil,
  })
  crashPoint('batch hashed, not chained')
  await store.appendBatch(tx, batch, links)
  if (isLast) await store.advanceCommittedUntil(tx, mark.at)
  return { last: batch, more: !isLast }
}
