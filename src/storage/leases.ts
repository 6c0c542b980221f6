// Leased work: rows that are due are claimed in batches, worked outside any transaction, and finished.

import { flow } from '../kernel/crash-points.ts'
import { backoffMs } from '../kernel/time.ts'
import { runDetached, tracing } from '../kernel/tracing.ts'
import type { Database } from './database.ts'

export interface LeasedWork<Item> {
  readonly name: string
  readonly database: Database
  /** Claims up to `limit` due rows with `for update skip locked` and a lease that runs out by itself. */
  claim(limit: number): Promise<readonly Item[]>
  /** Works one claimed item and finishes its row; the row must not be due at once again. */
  work(item: Item): Promise<void>
  /** Told of an item that could not be worked; its lease runs out and it is tried again. */
  onError(error: unknown): void
  readonly pollMs: number
  /** Items worked at the same time by this process. */
  readonly concurrency: number
  /** Channel whose notices wake the worker before its next poll. */
  readonly channel?: string
}

export interface Worker {
  start(): Promise<void>
  /** Stops claiming and waits for what is being worked. */
  stop(): Promise<void>
  /** Works until nothing is due, and answers how many items that were: for clocks that jump. */
  runDue(): Promise<number>
}

/** A worker that cannot claim, most likely for want of a database, waits no longer than this before it tries again. */
const backOffMsMax = 10_000

let rarity = 1

/** Has workers poll so many times less often than they ask for: in a simulation, polls that find nothing are most of the work. */
export function pollMoreRarely(times: number): void {
  rarity = times
}

/** How long to wait for the next claim after so many that failed in a row: twice as long each time. */
export function pauseMs(pollMs: number, failures: number): number {
  return rarity * backoffMs(pollMs, failures, Math.max(pollMs, backOffMsMax))
}

type PeriodicWork = Pick<LeasedWork<never>, 'name' | 'database' | 'pollMs' | 'onError'>

/** A worker that does one thing now and then. Several processes may do it at the same moment. */
export function createPeriodicWorker({
  run,
  ...work
}: PeriodicWork & { readonly run: () => Promise<void> }): Worker {
  return createBatchWorker({
    ...work,
    async runBatch() {
      await run()
      return false
    },
  })
}

/**
 * A worker over a backlog: batch after batch while `runBatch` answers that there may be more. It stops between two, and
 * pauses after one that failed.
 */
export function createBatchWorker({
  runBatch,
  ...work
}: PeriodicWork & { readonly runBatch: () => Promise<boolean> }): Worker {
  return createWorker({
    ...work,
    concurrency: 1,
    claim: async () => ((await runBatch()) ? ['batch'] : []),
    async work() {},
  })
}

/** A worker over rows that have a due time. Notices only wake it earlier: what is due is found by polling. */
export function createWorker<Item>(work: LeasedWork<Item>): Worker {
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> | undefined
  /** How many items the round in progress works, once they are worked. */
  let batch: Promise<number> = Promise.resolve(0)
  let wokenMeanwhile = false
  let failures = 0

  async function workOne(item: Item): Promise<void> {
    try {
      // Nor has who moves the clock.
      const begin = () => flow(() => work.work(item))
      await (tracing === undefined ? begin() : tracing.within(undefined, begin))
    } catch (error) {
      work.onError(error)
    }
  }

  async function runBatch(): Promise<number> {
    const items = await flow(() => work.claim(work.concurrency))
    await Promise.all(items.map(workOne))
    return items.length
  }

  /** Whoever wakes it has nothing to do with what it does then. */
  const wake = () => runDetached(begin)

  function begin(): void {
    if (stopped) return
    if (round !== undefined) {
      wokenMeanwhile = true
      return
    }
    clearTimeout(timer)
    batch = runBatch().then(
      (count) => {
        failures = 0
        return count
      },
      (error) => {
        failures += 1
        work.onError(error)
        return 0
      },
    )
    round = batch.then((count) => {
      round = undefined
      batch = Promise.resolve(0)
      if (stopped) return
      if (count > 0 || wokenMeanwhile) {
        wokenMeanwhile = false
        setImmediate(wake)
      } else {
        timer = setTimeout(wake, pauseMs(work.pollMs, failures))
      }
    })
  }

  return {
    async start() {
      stopped = false
      if (work.channel !== undefined) await work.database.listen(work.channel, wake)
      wake()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
    },
    async runDue() {
      // A poll may have claimed what became due a moment ago: nothing is done before that is worked too.
      let total = await batch
      for (let count = await runBatch(); count > 0; count = await runBatch()) total += count
      return total
    },
  }
}
