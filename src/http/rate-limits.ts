// Rate limits per caller, in memory (CONTRACT section 17).
import { isIP } from 'node:net'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { AppReply, AppRequest } from './types.ts'

export interface Limit {
  readonly name: string
  readonly burst: number
  readonly perSecond: number
}

export const limits = {
  key: { name: 'default', burst: 200, perSecond: 100 },
  address: { name: 'address', burst: 60, perSecond: 20 },
  pages: { name: 'pages', burst: 500, perSecond: 100 },
  /** Readiness checks have their own limit, so that other requests cannot use up a load balancer's. */
  readiness: { name: 'readiness', burst: 60, perSecond: 20 },
} as const satisfies Record<string, Limit>

export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  readonly resetSeconds: number
  readonly retrySeconds: number
}

/** Each subject takes about 100 bytes, so a limiter takes 10 MB at most. */
const subjectsMax = 100_000

export interface Limiter {
  readonly limit: Limit
  take(subject: string): Allowance
  peek(subject: string): Allowance
  uncount(subject: string): void
}

/** Stores when a burst is full again (GCRA). `elapsed` is real time: the sandbox moves the clock. */
export function createLimiter(limit: Limit, elapsed: () => number = () => performance.now()): Limiter {
  const intervalMs = 1000 / limit.perSecond
  const burstMs = limit.burst * intervalMs
  const wholeAgainAt = new Map<string, number>()

  function allowanceAt(now: number, wholeAt: number, allowed: boolean): Allowance {
    const spentMs = wholeAt - now
    return {
      allowed,
      remaining: Math.max(0, Math.floor((burstMs - spentMs) / intervalMs + 1e-9)),
      resetSeconds: Math.ceil(spentMs / 1000),
      retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((spentMs + intervalMs - burstMs) / 1000)),
    }
  }

  function makeRoom(now: number): void {
    for (const [subject, wholeAt] of wholeAgainAt) {
      if (wholeAt <= now) wholeAgainAt.delete(subject)
    }
    for (const subject of wholeAgainAt.keys()) {
      if (wholeAgainAt.size < subjectsMax / 2) return
      wholeAgainAt.delete(subject)
    }
  }

  return {
    limit,
    take(subject) {
      const now = elapsed()
      const before = Math.max(wholeAgainAt.get(subject) ?? now, now)
      const after = before + intervalMs
      if (after - now > burstMs + 1e-6) return allowanceAt(now, before, false)
      if (wholeAgainAt.size >= subjectsMax) makeRoom(now)
      wholeAgainAt.set(subject, after)
      return allowanceAt(now, after, true)
    },
    peek(subject) {
      const now = elapsed()
      const wholeAt = Math.max(wholeAgainAt.get(subject) ?? now, now)
      return allowanceAt(now, wholeAt, wholeAt + intervalMs - now <= burstMs + 1e-6)
    },
    uncount(subject) {
      const wholeAt = wholeAgainAt.get(subject)
      if (wholeAt !== undefined) wholeAgainAt.set(subject, wholeAt - intervalMs)
    },
  }
}

export function limitHeaders(limit: Limit, allowance: Allowance): Record<string, string> {
  const headers: Record<string, string> = {
    'ratelimit-policy': `"${limit.name}";q=${limit.burst};w=${Math.round(limit.burst / limit.perSecond)}`,
    ratelimit: `"${limit.name}";r=${allowance.remaining};t=${allowance.resetSeconds}`,
  }
  if (!allowance.allowed) headers['retry-after'] = String(allowance.retrySeconds)
  return headers
}

/** Removes ports and brackets. Addresses before an invalid entry are dropped: no trusted proxy wrote them. */
export function readForwardedFor(header: string): string {
  const addresses: string[] = []
  for (const entry of header.split(',').reverse()) {
    const [, bracketed, plain] = /^\s*(?:\[(.+)\](?::\d+)?|([\d.]+)(?::\d+)?)\s*$/.exec(entry) ?? []
    const address = bracketed ?? plain ?? entry.trim()
    if (isIP(address) === 0) break
    addresses.unshift(address)
  }
  return addresses.join(', ')
}

/** An IPv6 address counts as its /64, which belongs to one customer. */
export function addressSubject(ip: string): string {
  if (ip.startsWith('::ffff:')) return ip.slice(7)
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail !== undefined) {
    const after = tail.split(':').filter((group) => group !== '')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

const minuteSeconds = 60

/** Allows `perMinute` requests of a subject. Call the result in the handler. Refusals: too_many_requests. */
export function limitPerMinute(
  name: string,
  perMinute: number,
): (request: AppRequest, reply: AppReply, subject: string) => Result<void> {
  const limiter = createLimiter({
    name: name.replaceAll(' ', '-'),
    burst: perMinute,
    perSecond: perMinute / minuteSeconds,
  })
  return (request, reply, subject) => {
    if (request.server.http.limiters === undefined) return ok(undefined)
    const allowance = limiter.take(subject)
    reply.headers(limitHeaders(limiter.limit, allowance))
    return allowance.allowed
      ? ok(undefined)
      : refuse(
          'too_many_requests',
          `at most ${perMinute} ${name} per minute: try again in ${allowance.retrySeconds} s`,
        )
  }
}
