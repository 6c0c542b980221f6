// Admission: bounded concurrency for requests, with a bounded queue.
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Refusal, RefusalError } from '../kernel/result.ts'
import { addressSubject } from './rate-limits.ts'
import type { AdmissionOptions, AppReply, AppRequest } from './types.ts'

/** Four times the number that keeps two cores busy (measured: 128). */
const inProgressMaxDefault = 512
/** Pages need no key. If many load at once, a payment waits for no more than these. */
const pagesInProgressMax = 8
/** Clients give up after about that time. */
const waitMsMaxDefault = 10_000
const waitingMax = 5_000
/** Reserved for addresses without a waiting request, so that one address cannot fill the queue. */
const waitingForNewcomers = 500

/** Requests in progress of one kind. One pool never delays the other. */
interface Lane {
  look(request: AppRequest): Refusal | undefined
  enter(request: AppRequest, reply: AppReply, begin: (refusal?: Error) => void): void
  done(): void
  count(): { readonly inProgress: number; readonly waiting: number }
}

export interface Admission {
  /** The refusal service_unavailable if a request that arrives now would wait longer than 10 seconds. */
  look(request: AppRequest): Refusal | undefined
  /** Calls `begin` in order of arrival, or with a refusal after 10 seconds. Never calls it after a hang-up. */
  enter(request: AppRequest, reply: AppReply, begin: (refusal?: Error) => void): void
  leave(request: AppRequest): void
  /** The pool of pages. Addresses take turns in it. */
  readonly pagePool: Pick<Admission, 'look' | 'enter'>
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
      const lane = request.admittedTo
      request.admittedTo = undefined
      lane?.done()
    },
    pagePool,
  }
}

/** `sharedBy` gives the key for fair turns; without it the order of arrival decides. */
function createPool(
  inProgressMax: number,
  waitMsMax: number,
  shed: Counter<'reason'>,
  sharedBy?: (request: AppRequest) => string,
): Lane {
  /** Queues by key, next key first. A set keeps the order and lets any request leave. */
  const waiting = new Map<string, Set<Waiting>>()
  let waitingCount = 0
  /** Pages that ended in this turn of the event loop. Their places are freed after it. */
  let ended = 0
  let inProgress = 0
  /** Counts ended requests while all places are taken, in windows of half the longest wait. */
  const windowMs = waitMsMax / 2
  let fullSinceMs = 0
  let windowSinceMs = 0
  let doneInWindow = 0
  let doneInWindowBefore = 0
  let watching = false
  let admitting = false

  const subjectOf = (request: AppRequest) => sharedBy?.(request) ?? ''

  function add(entry: Waiting): void {
    const subject = subjectOf(entry.request)
    const queue = waiting.get(subject)
    if (queue === undefined) waiting.set(subject, new Set([entry]))
    else queue.add(entry)
    waitingCount += 1
  }

  function remove(entry: Waiting): boolean {
    const subject = subjectOf(entry.request)
    const queue = waiting.get(subject)
    if (queue?.delete(entry) !== true) return false
    waitingCount -= 1
    if (queue.size === 0) waiting.delete(subject)
    return true
  }

  function takeNext(): Waiting | undefined {
    for (const [subject, queue] of waiting) {
      for (const next of queue) {
        remove(next)
        if (queue.size > 0) {
          waiting.delete(subject)
          waiting.set(subject, queue)
        }
        return next
      }
    }
    return undefined
  }

  function expectedWaitMs(before: number): number {
    const now = performance.now()
    if (now - fullSinceMs < windowMs) return 0
    turnWindow(now)
    const done = doneInWindow + doneInWindowBefore
    const countedMs = Math.min(now - windowSinceMs + windowMs, now - fullSinceMs)
    return done === 0 ? Number.POSITIVE_INFINITY : before * (countedMs / done)
  }

  function turnWindow(now: number): void {
    const passed = Math.floor((now - windowSinceMs) / windowMs)
    if (passed === 0) return
    doneInWindowBefore = passed === 1 ? doneInWindow : 0
    doneInWindow = 0
    windowSinceMs += passed * windowMs
  }

  function refuse(expectedMs: number): Refusal {
    shed.inc({ reason: 'refused' })
    const retrySeconds = Math.min(Math.max(1, Math.ceil(expectedMs / 1000)), waitMsMax / 1000)
    return {
      kind: 'service_unavailable',
      reason: `too many requests are waiting (limit: ${waitMsMax / 1000} s): nothing was done, try again later`,
      retrySeconds,
    }
  }

  function begin(request: AppRequest): void {
    request.admittedTo = lane
    inProgress += 1
    if (inProgress < inProgressMax || waitingCount > 0) return
    fullSinceMs = windowSinceMs = performance.now()
    doneInWindow = doneInWindowBefore = 0
  }

  /** A loop, because recursion would overflow the stack: a request may leave while it begins. */
  function admitNext(): void {
    if (admitting) return
    admitting = true
    try {
      while (inProgress < inProgressMax) {
        const next = takeNext()
        if (next === undefined) return
        // Its time limit has already answered it, and nothing would free the place.
        if (next.reply.sent) continue
        begin(next.request)
        next.begin()
      }
    } finally {
      admitting = false
    }
  }

  function watch(forMs: number): void {
    watching = true
    setTimeout(refuseWhoWaitedTooLong, forMs).unref()
  }

  /** The first request of each key has waited longest. */
  function refuseWhoWaitedTooLong(): void {
    let nextMs = waitMsMax
    for (const queue of [...waiting.values()]) {
      for (const first of queue) {
        const leftMs = first.sinceMs + waitMsMax - performance.now()
        if (leftMs > 0) {
          nextMs = Math.min(nextMs, leftMs)
          break
        }
        remove(first)
        first.begin(new RefusalError(refuse(expectedWaitMs(waitingCount))))
      }
    }
    watching = false
    if (waitingCount > 0) watch(nextMs)
  }

  function giveBack(places: number): void {
    inProgress -= places
    if (waitingCount === 0) return
    turnWindow(performance.now())
    doneInWindow += places
    admitNext()
  }

  const lane: Lane = {
    look(request) {
      if (inProgress < inProgressMax) return undefined
      const own = waiting.get(subjectOf(request))?.size ?? 0
      const expectedMs = expectedWaitMs(Math.min(waitingCount, (own + 1) * waiting.size))
      const isShared = sharedBy !== undefined && own > 0
      const isFull = waitingCount >= (isShared ? waitingMax - waitingForNewcomers : waitingMax)
      return expectedMs > waitMsMax || isFull ? refuse(expectedMs) : undefined
    },
    enter(request, reply, proceed) {
      if (inProgress < inProgressMax) {
        begin(request)
        proceed()
        return
      }
      // The connection may have closed during the body.
      if (reply.raw.closed) return
      const entry = { request, reply, begin: proceed, sinceMs: performance.now() }
      add(entry)
      if (!watching) watch(waitMsMax)
      reply.raw.once('close', () => {
        if (remove(entry)) shed.inc({ reason: 'left' })
      })
    },
    done() {
      if (sharedBy === undefined) return giveBack(1)
      // Freed after this turn, so that other work gets the event loop between pages.
      ended += 1
      if (ended > 1) return
      setImmediate(() => {
        const places = ended
        ended = 0
        giveBack(places)
      })
    },
    count: () => ({ inProgress: inProgress - ended, waiting: waitingCount }),
  }
  return lane
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
