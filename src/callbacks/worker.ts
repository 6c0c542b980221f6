// The delivery worker: keeps as many attempts in flight as is fair, each under a lease that outlives a crash.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../kernel/ids.ts'
import { type Instant, second } from '../kernel/time.ts'
import { type Database, grouped, pauseMs } from '../storage/index.ts'
import { type AttemptDeps, attemptDelivery } from './attempt.ts'
import { type EventRow, eventRow, laneOf } from './events-store.ts'
import { type AttemptEnd, type DueLane, type EndAttempt, inFlightMax, LaneLoads } from './lanes.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { ClaimedDelivery, FinishedDelivery, Lane, NewEvent } from './model.ts'
import { createPost } from './post.ts'
import { claim, dueLanes, finish, headLanes, releaseAllClaims, releaseExpired } from './store.ts'

/** Notices here wake the workers of other processes; a lost one costs at most a poll. */
export const callbacksChannel = 'callbacks'

/** CONTRACT section 16. */
const attemptTimeoutMsDefault = 15 * second
/** What a lease lasts beyond the attempt, for looking up the endpoint and writing the end. */
const leaseMarginMs = 5 * second
const pollMsDefault = 1 * second
/** How far the head of the queue is looked at before every lane is looked at by itself. */
const headWindow = inFlightMax
/** Looking costs two or three statements, so that a busy queue is claimed in large rounds. */
const betweenRoundsMs = 15
/** How long ends of attempts gather before they are written: nobody waits for them. */
const finishLingerMs = 20
/** With so many ends not written yet, the database is slow or away, and nothing more is begun. */
const unwrittenMax = 4096
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
  /** See {@link Callbacks.offer}. */
  offer(event: NewEvent): OfferedEvent
  /**
   * Delivers until nothing is due at `now`, and answers how many attempts were made: for clocks that jump.
   * Once `enough` is aborted it answers those that ended by then; others go on by themselves.
   */
  runDue(now: Instant, enough?: AbortSignal): Promise<number>
}

/** An event for the statement that records it; call one of the two functions when that has ended. */
export interface OfferedEvent {
  /** The values of `eventColumns`: where this process has a slot free, with a lease. */
  readonly columns: EventRow
  /** The event was recorded: it is sent at once, or stands in the queue. */
  committed(): void
  /** It was not recorded, or nobody knows. */
  abandoned(): void
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
  const pollMs = deps.pollMs ?? pollMsDefault
  const post = createPost(deps.publicOnly)
  const loads = new LaneLoads()
  const inFlight = new Set<Promise<void>>()
  const cancel = new AbortController()
  const write = grouped<FinishedDelivery, boolean>({
    database,
    lingerMs: finishLingerMs,
    aggregateOf: ({ delivery }) => delivery.eventId,
    write: (rows) => finish(database, rows),
  })
  let attemptsMade = 0
  let unwritten = 0
  let failures = 0
  let started = false
  let looking = false
  let lookAgain = false
  let leftOver = false
  let releaseAt = 0
  let timer: NodeJS.Timeout | undefined
  let lastRound: Promise<unknown> = Promise.resolve()

  /** Rounds follow each other, so that two never share out the same slots. */
  function round(now: Instant): Promise<Round> {
    const next = lastRound.then(() => claimRound(now))
    lastRound = next.catch(() => undefined)
    return next
  }

  async function claimRound(now: Instant): Promise<Round> {
    if (!hasRoom()) return { claimed: 0, leftOver: true }
    if (performance.now() >= releaseAt) {
      releaseAt = performance.now() + pollMs
      await releaseExpired(database)
    }
    loads.beginLook()
    const head = await headLanes(database, now, headWindow)
    const crowded = sumOfDue(head) >= headWindow
    const lanes = crowded ? await dueLanes(database, now, inFlightMax) : head
    const quotas = loads.shareOut(lanes)
    loads.sawQueue(lanes, quotas)
    if (quotas.length === 0) return { claimed: 0, leftOver: lanes.length > 0 }
    const slots = loads.take(quotas)
    try {
      const deliveries = await claim(database, quotas, now, newId(now, deps.random), leaseMs)
      for (const delivery of deliveries) launch(delivery, slots.next(delivery))
      return { claimed: deliveries.length, leftOver: sumOfDue(lanes) > deliveries.length }
    } finally {
      slots.giveBack()
    }
  }

  function hasRoom(): boolean {
    return loads.inFlight < inFlightMax && unwritten < unwrittenMax
  }

  function launch(delivery: ClaimedDelivery, end: EndAttempt): void {
    const work = deliver(delivery, end).then(() => void inFlight.delete(work))
    inFlight.add(work)
  }

  async function deliver(delivery: ClaimedDelivery, end: EndAttempt): Promise<void> {
    unwritten += 1
    try {
      await write(await attempt(delivery, end))
    } catch (error) {
      deps.onError(error)
    }
    unwritten -= 1
  }

  /** The slot is free with the answer: that it is written down holds no other attempt up. */
  async function attempt(delivery: ClaimedDelivery, end: EndAttempt): Promise<FinishedDelivery> {
    let ended: AttemptEnd | undefined
    try {
      const finished = await attemptDelivery(deps, post, delivery, timeoutMs, cancel.signal)
      ended = endOf(finished)
      if (ended !== undefined) {
        attemptsMade += 1
        deps.metrics.attempted(finished.standing.state)
      }
      return finished
    } finally {
      freeSlot(end, ended)
    }
  }

  function freeSlot(end: EndAttempt, ended: AttemptEnd | undefined): void {
    end(ended)
    if (leftOver) wake()
  }

  function offer(event: NewEvent): OfferedEvent {
    const columns = eventRow(event)
    if (!event.hasEndpoint) return { columns, committed: nothing, abandoned: nothing }
    const { walletId, id: eventId, endpoint } = event
    const lane = laneOf(event)
    const end = started && hasRoom() ? loads.hold({ walletId, lane }) : undefined
    if (end === undefined) return queued({ walletId, lane }, columns)
    const heldAt = performance.now()
    return {
      columns: { ...columns, event_lease_ms: leaseMs },
      committed() {
        // The statement took so long that the lease may end during the attempt: it is claimed again after that.
        if (performance.now() - heldAt > leaseMs - timeoutMs) return freeSlot(end, undefined)
        const claimId = eventId
        const payload = String(columns.event_payload)
        const delivery = { walletId, lane, eventId, claimId, endpoint, url: event.url ?? null, payload }
        launch({ ...delivery, attempts: 0, dueAt: event.createdAt }, end)
      },
      abandoned: () => freeSlot(end, undefined),
    }
  }

  function queued(lane: Lane, columns: EventRow): OfferedEvent {
    const arrived = loads.arrive(lane)
    return {
      columns,
      committed() {
        arrived()
        wake()
      },
      abandoned: arrived,
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
        const began = performance.now()
        const { claimed, leftOver: left } = await round(clock.now())
        leftOver = left
        failures = 0
        if (claimed > 0 && left) lookAgain = true
        if (lookAgain) await pause(Math.max(0, began + betweenRoundsMs - performance.now()))
      }
    } catch (error) {
      failures += 1
      deps.onError(error)
    }
    looking = false
    if (started) timer = setTimeout(wake, pauseMs(pollMs, failures))
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
      post.cancel()
      await Promise.all(inFlight)
      await post.close()
    },

    wake,
    offer,

    async runDue(now, enough) {
      const before = attemptsMade
      releaseAt = 0
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

const overloadedStatus = 429
const serverErrorMin = 500

function endOf({ attempt }: FinishedDelivery): AttemptEnd | undefined {
  if (attempt === undefined) return undefined
  const { answer } = attempt
  const { durationMs } = answer
  if (answer.kind === 'unanswered') return { outcome: 'unanswered', durationMs }
  const failed = answer.status === overloadedStatus || answer.status >= serverErrorMin
  return { outcome: failed ? 'failed' : 'received', durationMs }
}

function nothing(): void {}
