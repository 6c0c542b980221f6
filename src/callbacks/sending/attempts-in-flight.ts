// Running attempts. Each takes a slot of its lane, and outcomes are written in batches.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { crashPoint, flow } from '../../kernel/crash-points.ts'
import { second } from '../../kernel/time.ts'
import { batched } from '../../storage/index.ts'
import { type EventRow, eventRow, laneOf } from '../events-store.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { ClaimedDelivery, FinishedDelivery, NewEvent } from '../model.ts'
import { type AttemptDeps, attemptDelivery } from './attempt.ts'
import { type AttemptEnd, type EndAttempt, inFlightMax, type LaneLoads } from './lanes.ts'
import { createPost } from './post.ts'
import type { DeliveryQueue } from './queue.ts'

export const attemptTimeoutMsDefault = 15 * second
/** The lease is longer than the attempt by this time, for lookups and the last write. */
const leaseMarginMs = 5 * second
/** Outcomes gather for this time before they are written. No caller waits for them. */
const finishLingerMs = 20
/** With more unwritten outcomes than this, the database is slow or down, so no attempt begins. */
const unwrittenMax = 4096
const stopGraceMsDefault = 3 * second

export interface AttemptsDeps extends AttemptDeps {
  readonly queue: Pick<DeliveryQueue, 'kind' | 'finish'>
  readonly metrics: DeliveryMetrics
  readonly publicOnly: boolean
  readonly attemptTimeoutMs?: number | undefined
  readonly leaseMs?: number | undefined
  readonly stopGraceMs?: number | undefined
  /** After an error the lease of the delivery expires, and it is sent again. */
  onError(error: unknown): void
}

export interface OfferedEvent {
  readonly columns: EventRow
  committed(): void
  abandoned(): void
}

export interface AttemptsListener {
  freed(): void
  queued(): void
}

export interface Attempts {
  readonly leaseMs: number
  readonly attemptCount: number
  readonly inFlight: ReadonlySet<Promise<void>>
  readonly stopped: AbortSignal
  hasRoom(): boolean
  dispatch(delivery: ClaimedDelivery, end: EndAttempt): void
  reserve(event: NewEvent, mayHold: boolean): OfferedEvent
  stop(): Promise<void>
}

export function createAttempts(deps: AttemptsDeps, loads: LaneLoads, listener: AttemptsListener): Attempts {
  const { queue } = deps
  const timeoutMs = deps.attemptTimeoutMs ?? attemptTimeoutMsDefault
  const leaseMs = deps.leaseMs ?? timeoutMs + leaseMarginMs
  const post = createPost(deps.publicOnly)
  const inFlight = new Set<Promise<void>>()
  const cancel = new AbortController()
  const write = batchedFinish(queue)
  let attemptCount = 0
  let unwritten = 0

  const hasRoom = () => loads.inFlight < inFlightMax && unwritten < unwrittenMax

  function dispatch(delivery: ClaimedDelivery, end: EndAttempt): void {
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

  /** Frees the slot before the outcome is written. */
  async function attempt(delivery: ClaimedDelivery, end: EndAttempt): Promise<FinishedDelivery> {
    let ended: AttemptEnd | undefined
    try {
      const finished = await attemptDelivery(deps, post, delivery, timeoutMs, cancel.signal)
      ended = endOf(finished)
      if (ended !== undefined) {
        attemptCount += 1
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

  function reserve(event: NewEvent, mayHold: boolean): OfferedEvent {
    const columns = eventRow(event)
    if (!event.hasEndpoint) return { columns, committed: nothing, abandoned: nothing }
    const lane = { walletId: event.walletId, lane: laneOf(event) }
    const end = mayHold && hasRoom() ? loads.hold(lane) : undefined
    if (end === undefined) {
      const arrived = loads.arrive(lane)
      const committed = () => {
        arrived()
        listener.queued()
      }
      return { columns, committed, abandoned: arrived }
    }
    const heldAt = performance.now()
    return {
      columns: { ...columns, event_lease_ms: leaseMs },
      committed() {
        // After a slow statement the lease could end during the attempt: leave the delivery for the next
        // claim.
        if (performance.now() - heldAt > leaseMs - timeoutMs) freeSlot(end, undefined)
        else dispatch(claimedDelivery(event, columns), end)
      },
      abandoned: () => freeSlot(end, undefined),
    }
  }

  return {
    leaseMs,
    get attemptCount() {
      return attemptCount
    },
    inFlight,
    stopped: cancel.signal,
    hasRoom,
    dispatch,
    reserve,
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

function batchedFinish(queue: AttemptsDeps['queue']): (finished: FinishedDelivery) => Promise<boolean> {
  return batched({
    database: queue,
    lingerMs: finishLingerMs,
    aggregateOf: ({ delivery }) => `${delivery.eventId} ${delivery.lane}`,
    write: (rows) => queue.finish(rows),
  })
}

/** The delivery that was written with the event. This process claimed it under the event's id. */
function claimedDelivery(event: NewEvent, columns: EventRow): ClaimedDelivery {
  const { walletId, id: eventId, endpoint, url = null, createdAt: dueAt } = event
  return {
    ...{ walletId, lane: laneOf(event), eventId, claimId: eventId, endpoint, url },
    payload: String(columns.event_payload),
    traceparent: columns.event_traceparent as string | null,
    ...{ attempts: 0, dueAt },
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
