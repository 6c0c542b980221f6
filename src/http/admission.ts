// How many requests are worked on at once: what comes beyond waits its turn, and is refused once that would be too long.
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Refusal, RefusalError } from '../kernel/result.ts'
import { addressSubject } from './rate-limits.ts'
import type { AdmissionOptions, AppReply, AppRequest } from './types.ts'

/**
 * Four times what keeps two cores busy (measured: 128). It bounds what waits behind it as well: the rows gathered for
 * a statement, and the statements that wait for a connection.
 */
const inProgressMaxDefault = 512
/**
 * Pages that are only looked at, which anybody may without a key: so many keep the processor busy, and what waits for it
 * behind them, such as a payment, waits for no more than these.
 */
const pagesInProgressMax = 8
/** Clients give up at about that time; what they no longer wait for is not worth beginning. */
const waitMsMaxDefault = 10_000
/** About 20 kB each, with its connection and its body. */
const waitingMax = 5_000
/** Of these, so many are for addresses of which nothing waits yet, so that one address cannot take them all. */
const waitingForNewcomers = 500

/** The requests that are worked on, of one kind: what waits of one kind keeps none of another waiting. */
interface Lane {
  look(request: AppRequest): Refusal | undefined
  enter(request: AppRequest, reply: AppReply, begin: (refusal?: Error) => void): void
  done(): void
  count(): { readonly inProgress: number; readonly waiting: number }
}

export interface Admission {
  /**
   * Whether a request that arrived now would begin within 10 seconds; else the refusal service_unavailable, with the
   * seconds after which to try again.
   */
  look(request: AppRequest): Refusal | undefined
  /**
   * Calls `begin` when it is the request's turn, in the order of arrival; with a refusal when that did not come within
   * 10 seconds; never, if the client hung up before.
   */
  enter(request: AppRequest, reply: AppReply, begin: (refusal?: Error) => void): void
  /** The work on the request is done. Does nothing for one that never began, and the second time. */
  leave(request: AppRequest): void
  /** The same for pages that are only looked at: addresses take turns, and each of them has its own order of arrival. */
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

/** @param sharedBy whom the lane is shared among; absent: the order of arrival alone counts */
function createPool(
  inProgressMax: number,
  waitMsMax: number,
  shed: Counter<'reason'>,
  sharedBy?: (request: AppRequest) => string,
): Lane {
  /** By whom they are; the first to have a turn first. A set keeps the order in which they came, and lets one in the middle go. */
  const waiting = new Map<string, Set<Waiting>>()
  let waitingCount = 0
  /** Pages that ended in this turn of the event loop, whose places are given back after it. */
  let ended = 0
  let inProgress = 0
  /** Counts what is done while every place is taken, in windows of half the time that one may wait. */
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

  /** Whether it waited. */
  function remove(entry: Waiting): boolean {
    const subject = subjectOf(entry.request)
    const queue = waiting.get(subject)
    if (queue?.delete(entry) !== true) return false
    waitingCount -= 1
    if (queue.size === 0) waiting.delete(subject)
    return true
  }

  /** The next in turn; whose it is goes to the end of those who wait. */
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

  /** How long a request with so many before it would wait, as those did; 0 until a window has passed. */
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
      reason: `more requests wait than can be served within ${waitMsMax / 1000} s: nothing was done, try again later`,
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

  /**
   * A request that is answered at once leaves while it begins. This is not called again for it, but goes on by itself:
   * with thousands of them the stack would run out.
   */
  function admitNext(): void {
    if (admitting) return
    admitting = true
    try {
      while (inProgress < inProgressMax) {
        const next = takeNext()
        if (next === undefined) return
        // Its time limit has answered it: nobody would give its place back.
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

  /** Of each address they came one after the other, so the first is the one that has waited longest. */
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
      // The connection may have been closed while the body was read.
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
      // However quickly pages are answered, others are heard of between a handful of them and the next.
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
    help: 'Requests that are worked on.',
    registers,
    collect() {
      this.set(count.inProgress())
    },
  })
  new Gauge({
    name: 'comporta_requests_waiting',
    help: 'Requests that wait because as many as may are worked on.',
    registers,
    collect() {
      this.set(count.waiting())
    },
  })
  return new Counter({
    name: 'comporta_requests_shed_total',
    help: 'Requests on which no work was begun: refused with 503, or left by their client while they waited.',
    labelNames: ['reason'],
    registers,
  })
}
