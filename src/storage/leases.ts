// Leased work: due rows are claimed, worked and finished.
import { flow } from '../kernel/crash-points.ts'
import { backoffMs } from '../kernel/time.ts'
import { runDetached, tracing } from '../kernel/tracing.ts'
import type { Database } from './database.ts'

export interface LeasedWork<Item> {
  readonly name: string
  readonly database: Database
  claim(limit: number): Promise<readonly Item[]>
  work(item: Item): Promise<void>
  onError(error: unknown): void
  readonly pollMs: number
  readonly concurrency: number
  readonly channel?: string
}

export interface Worker {
  start(): Promise<void>
  stop(): Promise<void>
  /** Works until nothing is due, for tests and sandboxes that move the clock. Returns the number of items. */
  runDue(): Promise<number>
}

/** The longest pause after failed claims, for example while the database is away. */
const backOffMsMax = 10_000

let rarity = 1

/** Makes polls rarer in simulations, because most of them find nothing. */
export function slowPolling(times: number): void {
  rarity = times
}

export function pauseMs(pollMs: number, failures: number): number {
  return rarity * backoffMs(pollMs, failures, Math.max(pollMs, backOffMsMax))
}

type PeriodicWork = Pick<LeasedWork<never>, 'name' | 'database' | 'pollMs' | 'onError'>

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

/** A worker for rows with due times. Its polls find every row; a notice only makes it look sooner. */
export function createWorker<Item>(work: LeasedWork<Item>): Worker {
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> | undefined
  let batch: Promise<number> = Promise.resolve(0)
  let wokenMeanwhile = false
  let failures = 0

  async function workOne(item: Item): Promise<void> {
    try {
      // The work starts its own trace: the caller may be the request that moved the clock.
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

  /** The worker must not run in the context of the request that wakes it. */
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
      // A poll may already have claimed due rows: wait for them too.
      let total = await batch
      for (let count = await runBatch(); count > 0; count = await runBatch()) total += count
      return total
    },
  }
}

/** Append a `returning`. $1: now, $2: end of the lease, $3: limit. `also` sets more columns. */
export function claimDueSql(table: string, also?: string): string {
  return `
    update ${table} set due_at = $2${also === undefined ? '' : `, ${also}`}
    where (wallet_id, id) in (
      select wallet_id, id from ${table} where due_at <= $1 order by due_at limit $3 for update skip locked
    )`
}
