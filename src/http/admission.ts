// Admission: limits on parallel requests and on the queue before them.
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Refusal, RefusalError } from '../kernel/result.ts'
import { addressSubject } from './rate-limits.ts'
import type { AdmissionOptions, AppReply, AppRequest } from './types.ts'

/** Four times the number that keeps two cores busy, which was measured as 128. */
const inProgressMaxDefault = 512
/** Pages need no key, so a flood of them must not delay payments. */
const pagesInProgressMax = 8
/** Clients give up after about that time. */
const waitMsMaxDefault = 10_000
const waitingMax = 5_000
/** Places in the queue for addresses that wait for nothing else, so that one address cannot fill it. */
const waitingForNewcomers = 500

/** The running and waiting requests of one kind. One pool never delays the other. */
interface Pool {
  check(request: AppRequest): Refusal | undefined
  enter(request: AppRequest, reply: AppReply, begin: (refusal?: Error) => void): void
  done(): void
  count(): { readonly inProgress: number; readonly waiting: number }
}

export interface Admission {
  /** Returns service_unavailable if a request that arrives now would wait longer than 10 seconds. */
  check(request: AppRequest): Refusal | undefined
  /** Calls `begin` in order of arrival, or with a refusal after 10 seconds, but not after a hang-up. */
  enter(request: AppRequest, reply: AppReply, begin: (refusal?: Error) => void): void
  leave(request: AppRequest): void
  readonly pagePool: Pick<Admission, 'check' | 'enter'>
}

interface Waiting {
  readonly request: AppRequest
  readonly reply: AppReply
  readonly begin: (refusal?: Error) => void
  readonly sinceMs: number
}

export function createAdmission(registry: Registry, options: AdmissionOptions = {}): Admission {
  const { inProgressMax = inProgressMaxDefault, waitMsMax = waitMsMaxDefault } = options
  const sum = (what: 'inProgress' | 'waiting') => usual.count()[what] + pagePool.count()[what]
  const shed = metricsOf(registry, { inProgress: () => sum('inProgress'), waiting: () => sum('waiting') })
  const usual = createPool(inProgressMax, waitMsMax, shed)
  const pagesMax = Math.min(inProgressMax, pagesInProgressMax)
  const pagePool = createPool(pagesMax, waitMsMax, shed, ({ ip }) => addressSubject(ip))
  return {
    ...usual,
    leave(request) {
      const pool = request.admittedTo
      request.admittedTo = undefined
      pool?.done()
    },
    pagePool,
  }
}

/** `subjectOf` gives the key by which requests take fair turns. Without it the order of arrival decides. */
function createPool(
  inProgressMax: number,
  waitMsMax: number,
  shed: Counter<'reason'>,
  subjectOf?: (request: AppRequest) => string,
): Pool {
  const queue = new FairQueue(({ request }) => subjectOf?.(request) ?? '')
  const rate = new CompletionRate(waitMsMax / 2)
  const watchExpiry = createExpiryWatch(queue, waitMsMax, (entry) =>
    entry.begin(new RefusalError(refuse(rate.expectedWaitMs(queue.size)))),
  )
  /** Pages that ended in this turn of the event loop. Their places are freed after it. */
  let ended = 0
  let inProgress = 0
  let admitting = false

  function refuse(expectedMs: number): Refusal {
    shed.inc({ reason: 'refused' })
    return overloadRefusal(expectedMs, waitMsMax)
  }

  function begin(request: AppRequest): void {
    request.admittedTo = pool
    inProgress += 1
    if (inProgress === inProgressMax && queue.size === 0) rate.restart()
  }

  /** A loop, because a request may leave while it begins, and recursion would overflow the stack. */
  function admitNext(): void {
    if (admitting) return
    admitting = true
    try {
      while (inProgress < inProgressMax) {
        const next = queue.takeNext()
        if (next === undefined) return
        // The time limit has already answered this request, so nothing would free its place.
        if (next.reply.sent) continue
        begin(next.request)
        next.begin()
      }
    } finally {
      admitting = false
    }
  }

  function free(places: number): void {
    inProgress -= places
    if (queue.size === 0) return
    rate.count(places)
    admitNext()
  }

  const pool: Pool = {
    check(request) {
      if (inProgress < inProgressMax) return undefined
      const own = queue.sizeOf(subjectOf?.(request) ?? '')
      const expectedMs = rate.expectedWaitMs(Math.min(queue.size, (own + 1) * queue.subjects))
      const isShared = subjectOf !== undefined && own > 0
      const isFull = queue.size >= (isShared ? waitingMax - waitingForNewcomers : waitingMax)
      return expectedMs > waitMsMax || isFull ? refuse(expectedMs) : undefined
    },
    enter(request, reply, proceed) {
      if (inProgress < inProgressMax) {
        begin(request)
        proceed()
        return
      }
      // The connection may have closed while the body arrived.
      if (reply.raw.closed) return
      const entry = { request, reply, begin: proceed, sinceMs: performance.now() }
      queue.add(entry)
      watchExpiry()
      reply.raw.once('close', () => {
        if (queue.remove(entry)) shed.inc({ reason: 'left' })
      })
    },
    done() {
      if (subjectOf === undefined) return free(1)
      // Places are freed after this turn, so that other work gets the event loop between two pages.
      ended += 1
      if (ended > 1) return
      setImmediate(() => {
        const places = ended
        ended = 0
        free(places)
      })
    },
    count: () => ({ inProgress: inProgress - ended, waiting: queue.size }),
  }
  return pool
}

function overloadRefusal(expectedMs: number, waitMsMax: number): Refusal {
  return {
    kind: 'service_unavailable',
    reason: `too many requests are waiting (limit: ${waitMsMax / 1000} s): nothing was done, try again later`,
    retrySeconds: Math.min(Math.max(1, Math.ceil(expectedMs / 1000)), waitMsMax / 1000),
  }
}

/** Returns a function that starts the watch, which runs while requests wait. */
function createExpiryWatch(queue: FairQueue, waitMsMax: number, onExpired: (entry: Waiting) => void) {
  let watching = false

  function watch(forMs: number): void {
    watching = true
    setTimeout(removeExpired, forMs).unref()
  }

  function removeExpired(): void {
    let nextMs = waitMsMax
    for (const entry of queue.longestWaiting()) {
      const leftMs = entry.sinceMs + waitMsMax - performance.now()
      if (leftMs > 0) {
        nextMs = Math.min(nextMs, leftMs)
        continue
      }
      queue.remove(entry)
      onExpired(entry)
    }
    watching = false
    if (queue.size > 0) watch(nextMs)
  }

  return () => {
    if (!watching) watch(waitMsMax)
  }
}

/** Waiting requests by subject; the subject whose turn is next comes first. Any request can leave. */
class FairQueue {
  readonly #queues = new Map<string, Set<Waiting>>()
  readonly #subjectOf: (entry: Waiting) => string
  size = 0

  constructor(subjectOf: (entry: Waiting) => string) {
    this.#subjectOf = subjectOf
  }

  get subjects(): number {
    return this.#queues.size
  }

  sizeOf(subject: string): number {
    return this.#queues.get(subject)?.size ?? 0
  }

  add(entry: Waiting): void {
    const subject = this.#subjectOf(entry)
    const queue = this.#queues.get(subject)
    if (queue === undefined) this.#queues.set(subject, new Set([entry]))
    else queue.add(entry)
    this.size += 1
  }

  remove(entry: Waiting): boolean {
    const subject = this.#subjectOf(entry)
    const queue = this.#queues.get(subject)
    if (queue?.delete(entry) !== true) return false
    this.size -= 1
    if (queue.size === 0) this.#queues.delete(subject)
    return true
  }

  takeNext(): Waiting | undefined {
    for (const [subject, queue] of this.#queues) {
      for (const next of queue) {
        this.remove(next)
        if (queue.size > 0) {
          this.#queues.delete(subject)
          this.#queues.set(subject, queue)
        }
        return next
      }
    }
    return undefined
  }

  /** Yields the oldest request of each subject, and its next one if that was removed. */
  *longestWaiting(): Generator<Waiting> {
    for (const queue of [...this.#queues.values()]) {
      for (const first of queue) {
        yield first
        if (queue.has(first)) break
      }
    }
  }
}

/** Counts ended requests while all places are taken, in periods of half the longest wait. */
class CompletionRate {
  readonly #windowMs: number
  #fullSinceMs = 0
  #windowSinceMs = 0
  #done = 0
  #doneBefore = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  restart(): void {
    this.#fullSinceMs = this.#windowSinceMs = performance.now()
    this.#done = this.#doneBefore = 0
  }

  count(places: number): void {
    this.#turnWindow(performance.now())
    this.#done += places
  }

  /** The estimated wait behind `before` other requests. It is 0 until the first period has passed. */
  expectedWaitMs(before: number): number {
    const now = performance.now()
    if (now - this.#fullSinceMs < this.#windowMs) return 0
    this.#turnWindow(now)
    const done = this.#done + this.#doneBefore
    const countedMs = Math.min(now - this.#windowSinceMs + this.#windowMs, now - this.#fullSinceMs)
    return done === 0 ? Number.POSITIVE_INFINITY : before * (countedMs / done)
  }

  #turnWindow(now: number): void {
    const passed = Math.floor((now - this.#windowSinceMs) / this.#windowMs)
    if (passed === 0) return
    this.#doneBefore = passed === 1 ? this.#done : 0
    this.#done = 0
    this.#windowSinceMs += passed * this.#windowMs
  }
}

function metricsOf(
  registry: Registry,
  count: { readonly inProgress: () => number; readonly waiting: () => number },
): Counter<'reason'> {
  const registers = [registry]
  new Gauge({
    name: 'comporta_requests_in_progress',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(count.inProgress())
    },
  })
  new Gauge({
    name: 'comporta_requests_waiting',
    help: 'Requests in the queue for a place.',
    registers,
    collect() {
      this.set(count.waiting())
    },
  })
  return new Counter({
    name: 'comporta_requests_shed_total',
    help: 'Requests that never began: refused with 503, or closed by the client in the queue.',
    labelNames: ['reason'],
    registers,
  })
}
