// Attempts in flight: begun after a delivery was claimed, by the worker or by the settlement that wrote it; each in a slot of its lane, their ends written in groups.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { crashPoint, flow } from '../../kernel/crash-points.ts'
import { second } from '../../kernel/time.ts'
import { batched, type Database } from '../../storage/index.ts'
import { type EventRow, eventRow, laneOf } from '../events-store.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { ClaimedDelivery, FinishedDelivery, Lane, NewEvent } from '../model.ts'
import { finish } from '../store.ts'
import { type AttemptDeps, attemptDelivery } from './attempt.ts'
import { type AttemptEnd, type EndAttempt, inFlightMax, type LaneLoads } from './lanes.ts'
import { createPost } from './post.ts'

/** CONTRACT section 16. */
export const attemptTimeoutMsDefault = 15 * second
/** What a lease lasts beyond the attempt, for looking up the endpoint and writing the end. */
const leaseMarginMs = 5 * second
/** How long ends of attempts are collected before they are written: nobody waits for them. */
const finishLingerMs = 20
/** With so many ends not written yet, the database is slow or away, and nothing more is begun. */
const unwrittenMax = 4096
/** How long `stop` waits for answers before it releases deliveries. */
const stopGraceMsDefault = 3 * second

export interface AttemptsDeps extends AttemptDeps {
  readonly database: Database
  readonly metrics: DeliveryMetrics
  /** Production: https only, to public addresses only. */
  readonly publicOnly: boolean
  readonly attemptTimeoutMs?: number | undefined
  readonly leaseMs?: number | undefined
  readonly stopGraceMs?: number | undefined
  /** Called for a delivery that could not be attempted or finished; its lease runs out and it is sent again. */
  onError(error: unknown): void
}

/** An event for the statement that records it; call one of the two functions when that has ended. */
export interface OfferedEvent {
  /** The values of `eventColumns`: where this process has a slot free, with a lease. */
  readonly columns: EventRow
  /** The event was recorded: it is sent at once, or queued. */
  committed(): void
  /** It was not recorded, or its outcome is unknown. */
  abandoned(): void
}

/** The worker, which claims due deliveries. */
export interface AttemptsListener {
  /** A slot is free again. */
  freed(): void
  /** A delivery was queued. */
  queued(): void
}

export interface Attempts {
  /** The lease of a claim. */
  readonly leaseMs: number
  /** How many attempts have ended with an answer, or without one in time. */
  readonly made: number
  readonly inFlight: ReadonlySet<Promise<void>>
  /** Aborted by {@link stop}: nothing more is begun. */
  readonly stopped: AbortSignal
  hasRoom(): boolean
  /** Sends a delivery that this process has claimed; `end` frees its slot. */
  launch(delivery: ClaimedDelivery, end: EndAttempt): void
  /** For an event that is about to be recorded: with a slot for it, where `mayHold` and there is room. */
  offer(event: NewEvent, mayHold: boolean): OfferedEvent
  /** Waits for answers a short while, and releases what is still unanswered. */
  stop(): Promise<void>
}

/** @param loads slots of the lanes, shared with the worker that claims deliveries */
export function createAttempts(deps: AttemptsDeps, loads: LaneLoads, listener: AttemptsListener): Attempts {
  const { database } = deps
  const timeoutMs = deps.attemptTimeoutMs ?? attemptTimeoutMsDefault
  const leaseMs = deps.leaseMs ?? timeoutMs + leaseMarginMs
  const post = createPost(deps.publicOnly)
  const inFlight = new Set<Promise<void>>()
  const cancel = new AbortController()
  const write = batched<FinishedDelivery, boolean>({
    database,
    lingerMs: finishLingerMs,
    aggregateOf: ({ delivery }) => delivery.eventId,
    write: (rows) => finish(database, rows),
  })
  let made = 0
  let unwritten = 0

  function hasRoom(): boolean {
    return loads.inFlight < inFlightMax && unwritten < unwrittenMax
  }

  function launch(delivery: ClaimedDelivery, end: EndAttempt): void {
    const work = flow(() => deliver(delivery, end)).then(() => void inFlight.delete(work))
    inFlight.add(work)
  }

  async function deliver(delivery: ClaimedDelivery, end: EndAttempt): Promise<void> {
    unwritten += 1
    try {
      crashPoint('callback claimed, not sent')
      const finished = await attempt(delivery, end)
      crashPoint('callback delivered, not marked')
      await write(finished)
    } catch (error) {
      deps.onError(error)
    }
    unwritten -= 1
  }

  /** The slot is free with the answer: writing it delays no other attempt. */
  async function attempt(delivery: ClaimedDelivery, end: EndAttempt): Promise<FinishedDelivery> {
    let ended: AttemptEnd | undefined
    try {
      const finished = await attemptDelivery(deps, post, delivery, timeoutMs, cancel.signal)
      ended = endOf(finished)
      if (ended !== undefined) {
        made += 1
        deps.metrics.attempted(finished.outcome.state)
      }
      return finished
    } finally {
      freeSlot(end, ended)
    }
  }

  function freeSlot(end: EndAttempt, ended: AttemptEnd | undefined): void {
    end(ended)
    listener.freed()
  }

  function offer(event: NewEvent, mayHold: boolean): OfferedEvent {
    const columns = eventRow(event)
    if (!event.hasEndpoint) return { columns, committed: nothing, abandoned: nothing }
    const { walletId, id: eventId, endpoint } = event
    const lane = laneOf(event)
    const end = mayHold && hasRoom() ? loads.hold({ walletId, lane }) : undefined
    if (end === undefined) return queued({ walletId, lane }, columns)
    const heldAt = performance.now()
    return {
      columns: { ...columns, event_lease_ms: leaseMs },
      committed() {
        // The statement took so long that the lease may end during the attempt: it is claimed again after that.
        if (performance.now() - heldAt > leaseMs - timeoutMs) return freeSlot(end, undefined)
        const claimId = eventId
        const payload = String(columns.event_payload)
        const traceparent = columns.event_traceparent as string | null
        const delivery = {
          ...{ walletId, lane, eventId, claimId, endpoint, url: event.url ?? null },
          ...{ payload, traceparent },
        }
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
        listener.queued()
      },
      abandoned: arrived,
    }
  }

  return {
    leaseMs,
    get made() {
      return made
    },
    inFlight,
    stopped: cancel.signal,
    hasRoom,
    launch,
    offer,
    async stop() {
      await Promise.race([
        Promise.all(inFlight),
        pause(deps.stopGraceMs ?? stopGraceMsDefault, undefined, { ref: false }),
      ])
      cancel.abort()
      post.cancel()
      await Promise.all(inFlight)
      await post.close()
    },
  }
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
