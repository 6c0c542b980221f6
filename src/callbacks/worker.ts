// The delivery worker: keeps as many attempts in flight as is fair, each under a lease that outlives a crash.
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../kernel/ids.ts'
import { type Instant, second } from '../kernel/time.ts'
import { type Database, grouped, pauseMs } from '../storage/index.ts'
import { type AttemptDeps, attemptDelivery } from './attempt.ts'
import { type AttemptEnd, type DueLane, inFlightMax, LaneLoads } from './lanes.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { ClaimedDelivery, FinishedDelivery } from './model.ts'
import { createPost } from './post.ts'
import { claim, dueLanes, finish, headLanes, releaseAllClaims } from './store.ts'

/** Notices here wake the workers of other processes; a lost one costs at most a poll. */
export const callbacksChannel = 'callbacks'

/** CONTRACT section 16. */
const attemptTimeoutMsDefault = 15 * second
/** What a lease lasts beyond the attempt, for looking up the endpoint and writing the end. */
const leaseMarginMs = 5 * second
const pollMsDefault = 1 * second
/** How far the head of the queue is looked at before every lane is looked at by itself. */
const headWindow = 2 * inFlightMax
/** How long `stop` waits for answers before it gives deliveries back. */
const stopGraceMsDefault = 3 * second

export interface WorkerDeps extends AttemptDeps {
  readonly database: Database
  readonly metrics: DeliveryMetrics
  /** Production: https only, to public addresses only. */
  readonly publicOnly: boolean
  readonly attemptTimeoutMs?: number | undefined
  readonly leaseMs?: number | undefined
  readonly pollMs?: number | undefined
  readonly stopGraceMs?: number | undefined
  /** Told of a delivery that could not be worked or finished; its lease runs out and it is sent again. */
  onError(error: unknown): void
}

export interface DeliveryWorker {
  start(): Promise<void>
  /** Claims no more, waits for answers a short while, and gives back what is still unanswered. */
  stop(): Promise<void>
  /** Looks for due deliveries now rather than at the next poll. */
  wake(): void
  /**
   * Delivers until nothing is due at `now`, and answers how many attempts were made: for clocks that jump.
   * Once `enough` is aborted it answers those that ended by then; others go on by themselves.
   */
  runDue(now: Instant, enough?: AbortSignal): Promise<number>
}

interface Round {
  readonly claimed: number
  /** Whether something due was left for want of slots. */
  readonly leftOver: boolean
}

/** A worker over the database's deliveries. Several may run, in one process or many. */
export function createDeliveryWorker(deps: WorkerDeps): DeliveryWorker {
  const { database, clock } = deps
  const timeoutMs = deps.attemptTimeoutMs ?? attemptTimeoutMsDefault
  const leaseMs = deps.leaseMs ?? timeoutMs + leaseMarginMs
  const post = createPost(deps.publicOnly)
  const loads = new LaneLoads()
  const inFlight = new Set<Promise<void>>()
  const cancel = new AbortController()
  const write = grouped<FinishedDelivery, boolean>({
    database,
    aggregateOf: ({ delivery }) => delivery.eventId,
    write: (rows) => finish(database, rows),
  })
  let attemptsMade = 0
  let failures = 0
  let started = false
  let looking = false
  let lookAgain = false
  let leftOver = false
  let timer: NodeJS.Timeout | undefined
  let lastRound: Promise<unknown> = Promise.resolve()

  /** Rounds follow each other, so that two never share out the same slots. */
  function round(now: Instant): Promise<Round> {
    const next = lastRound.then(() => claimRound(now))
    lastRound = next.catch(() => undefined)
    return next
  }

  async function claimRound(now: Instant): Promise<Round> {
    if (loads.inFlight >= inFlightMax) return { claimed: 0, leftOver: true }
    const head = await headLanes(database, now, headWindow)
    const crowded = sumOfDue(head) >= headWindow
    const lanes = crowded ? await dueLanes(database, now, inFlightMax) : head
    const quotas = loads.shareOut(lanes)
    if (quotas.length === 0) return { claimed: 0, leftOver: lanes.length > 0 }
    const claimId = newId(now, deps.random)
    const deliveries = await claim(database, quotas, now, claimId, leaseMs)
    for (const delivery of deliveries) launch(delivery)
    return { claimed: deliveries.length, leftOver: sumOfDue(lanes) > deliveries.length }
  }

  function launch(delivery: ClaimedDelivery): void {
    const end = loads.begin(delivery)
    const work = deliver(delivery).then((ended) => {
      end(ended)
      inFlight.delete(work)
      if (leftOver) wake()
    })
    inFlight.add(work)
  }

  async function deliver(delivery: ClaimedDelivery): Promise<AttemptEnd | undefined> {
    try {
      const finished = await attemptDelivery(deps, post, delivery, timeoutMs, cancel.signal)
      if (finished.attempt !== undefined) {
        attemptsMade += 1
        deps.metrics.attempted(finished.standing.state)
      }
      await write(finished)
      return endOf(finished)
    } catch (error) {
      deps.onError(error)
      return undefined
    }
  }

  function wake(): void {
    if (!started) return
    lookAgain = true
    if (!looking) void look()
  }

  async function look(): Promise<void> {
    looking = true
    clearTimeout(timer)
    try {
      while (started && lookAgain) {
        lookAgain = false
        const { claimed, leftOver: left } = await round(clock.now())
        leftOver = left
        failures = 0
        if (claimed > 0 && left) lookAgain = true
      }
    } catch (error) {
      failures += 1
      deps.onError(error)
    }
    looking = false
    if (started) timer = setTimeout(wake, pauseMs(deps.pollMs ?? pollMsDefault, failures))
  }

  return {
    async start() {
      // Nobody else can have the embedded database open, so every claim is of a process that died.
      if (database.kind === 'pglite') await releaseAllClaims(database)
      await database.listen(callbacksChannel, wake)
      started = true
      wake()
    },

    async stop() {
      started = false
      clearTimeout(timer)
      await lastRound
      await Promise.race([
        Promise.all(inFlight),
        pause(deps.stopGraceMs ?? stopGraceMsDefault, undefined, { ref: false }),
      ])
      cancel.abort()
      await Promise.all(inFlight)
      await post.close()
    },

    wake,

    async runDue(now, enough) {
      const before = attemptsMade
      const waitedEnough = enough === undefined ? [] : [aborted(enough)]
      while (!cancel.signal.aborted && enough?.aborted !== true) {
        const { claimed } = await round(now)
        if (claimed > 0) continue
        if (inFlight.size === 0) break
        await Promise.race([...inFlight, ...waitedEnough])
      }
      return attemptsMade - before
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function sumOfDue(lanes: readonly DueLane[]): number {
  return lanes.reduce((sum, { due }) => sum + due, 0)
}

function endOf({ attempt }: FinishedDelivery): AttemptEnd | undefined {
  if (attempt === undefined) return undefined
  return { answered: attempt.answer.kind === 'answered', durationMs: attempt.answer.durationMs }
}
