// What a handler asks about its caller.

import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { createLimiter, limitHeaders } from './rate-limits.ts'
import type { AppReply, AppRequest } from './types.ts'

const minuteSeconds = 60

/** Who is calling. Only on routes that are not `auth: 'none'`. */
export function callerOf(request: AppRequest): Caller {
  if (request.caller === undefined)
    throw new Error(`${request.routeOptions.url} lets callers in without a key`)
  return request.caller
}

/**
 * A limit of a route's own, beside those of key and address: at most `perMinute` requests of one subject.
 * Call what it returns in the handler; it does nothing while limits are off.
 *
 * Refusals: too_many_requests.
 */
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
