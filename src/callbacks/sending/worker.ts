// The delivery worker: claims due deliveries fairly and sends them.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../kernel/random.ts'
import { type Instant, second } from '../../kernel/time.ts'
import { runDetached } from '../../kernel/tracing.ts'
import type { ModuleWorker } from '../../module.ts'
import { type Database, pauseMs } from '../../storage/index.ts'
import type { NewEvent } from '../model.ts'
import { type Attempts, type AttemptsDeps, createAttempts, type OfferedEvent } from './attempts-in-flight.ts'
import { type DueLane, inFlightMax, type LaneLimits, LaneLoads } from './lanes.ts'
import type { DeliveryQueue } from './queue.ts'

/** The channel that wakes other processes. If a notice is lost, their next poll finds the delivery. */
export const callbacksChannel = 'callbacks'

const pollMsDefault = 1 * second
const headWindow = inFlightMax
/**
 * Pause between rounds. A round takes two or three statements, so busy queues are claimed in large rounds.
 */
const betweenRoundsMs = 15

export interface WorkerDeps extends AttemptsDeps {
  readonly database: Database
  readonly queue: DeliveryQueue
  /** A notice on this channel wakes the worker. */
  readonly channel: string
  readonly laneLimits?: LaneLimits | undefined
  /** Woken after a commit with an event of one of the wallets. */
  readonly followers?: { readonly followed: ReadonlySet<bigint>; wake(walletId: bigint): void } | undefined
  readonly pollMs?: number | undefined
  /** The live processes that send callbacks, which share the limits. */
  readonly processes?: { readonly count: number } | undefined
}

export interface DeliveryWorker extends ModuleWorker {
  readonly last: true
  wake(): void
  offer(event: NewEvent): OfferedEvent
  /** Sends due deliveries, for clocks that jump. Returns how many attempts ended before `deadline`. */
  runDue(now?: Instant, deadline?: AbortSignal): Promise<number>
}

interface Round {
  readonly claimed: number
  readonly leftOver: boolean
}

/** Several workers may run, in one process or many. */
export function createDeliveryWorker(deps: WorkerDeps): DeliveryWorker {
  const { database, clock, queue } = deps
  const pollMs = deps.pollMs ?? pollMsDefault
  const loads = new LaneLoads(deps.processes, deps.laneLimits)
  const attempts = createAttempts(deps, loads, {
    freed() {
      if (leftOver) wake()
    },
    queued: wake,
  })
  const rounds = createRounds(deps, attempts, loads, pollMs)
  let failures = 0
  let started = false
  let polling = false
  let pollAgain = false
  let leftOver = false
  let timer: NodeJS.Timeout | undefined

  /** The worker must not run in the context of the request that wakes it. */
  function wake(): void {
    runDetached(begin)
  }

  function begin(): void {
    if (!started) return
    pollAgain = true
    if (!polling) void poll()
  }

  async function poll(): Promise<void> {
    polling = true
    clearTimeout(timer)
    try {
      while (started && pollAgain) {
        pollAgain = false
        const began = performance.now()
        const { claimed, leftOver: left } = await rounds.next(clock.now())
        leftOver = left
        failures = 0
        if (claimed > 0 && left) pollAgain = true
        if (pollAgain) await pause(Math.max(0, began + betweenRoundsMs - performance.now()))
      }
    } catch (error) {
      failures += 1
      deps.onError(error)
    }
    polling = false
    if (started) timer = setTimeout(wake, pauseMs(pollMs, failures))
  }

  return {
    last: true,
    async start() {
      // Only this process uses the embedded database, so existing claims belong to dead processes.
      if (database.kind === 'pglite') await queue.releaseAllClaims()
      await database.listen(deps.channel, wake)
      started = true
      wake()
    },

    async stop() {
      started = false
      clearTimeout(timer)
      await rounds.last()
      await attempts.stop()
    },

    wake,
    offer(event) {
      const offered = attempts.reserve(event, started)
      const { followers } = deps
      if (followers?.followed.has(event.walletId) !== true) return offered
      return {
        ...offered,
        committed() {
          offered.committed()
          followers.wake(event.walletId)
        },
      }
    },

    async runDue(now = clock.now(), deadline) {
      const { attemptCount: before, inFlight, stopped } = attempts
      rounds.releaseNext()
      const deadlinePassed = deadline === undefined ? [] : [aborted(deadline)]
      while (!stopped.aborted && deadline?.aborted !== true) {
        const { claimed } = await rounds.next(now)
        if (claimed > 0) continue
        if (inFlight.size === 0) break
        await Promise.race([...inFlight, ...deadlinePassed])
      }
      return attempts.attemptCount - before
    },
  }
}

/** Makes rounds of claims. One follows the other, so that two never share slots. */
function createRounds({ queue, random }: WorkerDeps, attempts: Attempts, loads: LaneLoads, pollMs: number) {
  let releaseAt = 0
  let lastRound: Promise<unknown> = Promise.resolve()

  async function claimRound(now: Instant): Promise<Round> {
    if (!attempts.hasRoom()) return { claimed: 0, leftOver: true }
    if (performance.now() >= releaseAt) {
      releaseAt = performance.now() + pollMs
      await queue.releaseExpired()
    }
    loads.beginPoll()
    const head = await queue.headLanes(now, headWindow)
    const crowded = sumOfDue(head) >= headWindow
    const lanes = crowded ? await queue.dueLanes(now, inFlightMax) : head
    const quotas = loads.shareOut(lanes)
    loads.observeQueue(lanes, quotas)
    if (quotas.length === 0) return { claimed: 0, leftOver: lanes.length > 0 }
    const slots = loads.take(quotas)
    try {
      const deliveries = await queue.claim(quotas, now, newId(now, random), attempts.leaseMs)
      for (const delivery of deliveries) attempts.dispatch(delivery, slots.next(delivery))
      return { claimed: deliveries.length, leftOver: sumOfDue(lanes) > deliveries.length }
    } finally {
      slots.release()
    }
  }

  return {
    next(now: Instant): Promise<Round> {
      const round = lastRound.then(() => claimRound(now))
      lastRound = round.catch(() => undefined)
      return round
    },
    last: () => lastRound,
    releaseNext() {
      releaseAt = 0
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
