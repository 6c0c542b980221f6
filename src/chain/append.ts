// Appending to the chain, behind the commits: what is final is hashed, linked to what came before, and signed.

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

/** How far the chain is behind, and how many links a busy wallet has in a day: 1440. */
const pollMs = 60_000
/** How many postings and events one batch has, about; the embedded database does nothing else meanwhile. */
const rowsMaxDefault = { postgres: 10_000, pglite: 2_500 }
/** A batch without rows says from time to time that nothing was written: what is written later is not older than it. */
export const idleMs = hour
/** How often it is looked whether the transactions that are open on the server ended, of whichever database. */
const finalMs = 20
/** How long a round waits for them, before the next poll looks again. */
const openMsDefault = 1_000
/** How often, and for how long, who needs everything to be chained asks again: another process may be at it. */
const againMs = 100
const catchUpMsMax = 30_000

export interface AppendDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly signing: Signing
  /** For tests: about how many rows one batch has. */
  readonly rowsMax?: number
  /** For tests: for how long a round waits for transactions that are open. Those of other tests may last. */
  readonly openMsMax?: number
}

/** Up to where a round of the worker chains: what was committed before `at` lies before `upto`. */
interface Mark {
  readonly at: Instant
  readonly upto: bigint
}

export interface Appending {
  readonly worker: Worker
  /**
   * Chains all that was committed before it was called. It rejects where nothing may be chained; where a transaction
   * stays open for half a minute, or another process chains for so long, it leaves the rest and says so.
   */
  catchUp(): Promise<'done' | 'held up'>
}

/** Chains what was written, batch after batch; of several processes one at a time. */
export function createAppending(deps: AppendDeps): Appending {
  const { database, clock, openMsMax = openMsDefault } = deps
  let mark: Mark | undefined
  /** The newest batch that this process has seen: a chain without it was cut off. */
  let seen: Before = nothingBefore

  async function takeMark(): Promise<Mark> {
    const at = clock.now()
    const upto = await store.nextPosition(database)
    await summarizeLastPages(database, ['postings_in_order', 'events_by_transaction'])
    return { at, upto }
  }

  async function append(upTo: Mark): Promise<Appended | 'busy' | 'open'> {
    if (!(await untilFinal(database, upTo.upto, openMsMax))) return 'open'
    const begun = performance.now()
    const appended = await database.transaction((tx) => appendNext(deps, tx, upTo, seen))
    if (appended === 'busy') return 'busy'
    seen = appended.last
    // The embedded database does one thing at a time: payments have it for as long as the batch did.
    if (appended.more && database.kind === 'pglite') await pause(performance.now() - begun)
    return appended
  }

  async function runBatch(): Promise<boolean> {
    const isOlder = mark !== undefined
    // A round that was begun when the clock was moved may run beside this one, and end first.
    const taken = mark ?? (await takeMark())
    // Kept for the next time: transactions that overlap for ever do not keep all others back.
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

/** Reads and hashes before it writes: a transaction has a number only then, and holds up nobody's horizon until then. */
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
  const from = last?.upto ?? 0n
  const rowsMax = deps.rowsMax ?? rowsMaxDefault[deps.database.kind]
  const end = (await store.endAfterRows(tx, from, mark.upto, rowsMax)) ?? mark.upto
  const isLast = end === mark.upto
  const before = last ?? nothingBefore
  if (last !== undefined && end <= last.upto) return { last, more: false }
  const [rows = []] = await writtenRows(tx, from, [end])
  const saysNothingNew = last?.through === undefined || mark.at - last.through < idleMs
  if (rows.length === 0 && saysNothingNew) {
    await store.advanceThrough(tx, mark.at)
    return { last: before, more: false }
  }
  const { batch, links } = await nextBatch(deps.signing, tx, before, rows, {
    ...{ upto: end, key: progress.key },
    through: isLast ? mark.at : last?.through,
  })
  crashPoint('batch hashed, not chained')
  await store.appendBatch(tx, batch, links)
  if (isLast) await store.advanceThrough(tx, mark.at)
  return { last: batch, more: !isLast }
}
