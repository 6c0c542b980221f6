// Server-sent events: how an answer becomes a stream of them, and how many one address may have open.
import type { ServerResponse } from 'node:http'
import { RefusalError } from '../../kernel/result.ts'
import { addressSubject } from '../rate-limits.ts'
import type { AppReply, AppRequest } from '../types.ts'

/** Each holds a connection for a minute; pages that get none ask from time to time. */
const streamsPerAddressMax = 20
/** Somebody's stream has often ended by then. */
const retrySeconds = 10

/**
 * Begins a stream of events and hands over the raw answer, which the caller writes to and ends. The stream counts
 * against its address until it is closed by either side; it does not while limits are off.
 *
 * Throws the refusal too_many_requests for an address that has 20 open.
 */
export function openEventStream(request: AppRequest, reply: AppReply): ServerResponse {
  const { limiters, openStreams } = request.server.http
  const out = reply.raw
  // A connection that is closed already closes no second time, and would count for ever.
  if (limiters !== undefined && !out.closed) {
    const address = addressSubject(request.ip)
    const open = openStreams.get(address) ?? 0
    if (open >= streamsPerAddressMax) {
      throw new RefusalError({
        kind: 'too_many_requests',
        reason: `at most ${streamsPerAddressMax} event streams at once: close one, or try again later`,
        retrySeconds,
      })
    }
    openStreams.set(address, open + 1)
    out.once('close', () => {
      const left = (openStreams.get(address) ?? 1) - 1
      if (left === 0) openStreams.delete(address)
      else openStreams.set(address, left)
    })
  }
  reply.hijack()
  // What is left to do is to wait; the number of streams has a bound of its own.
  request.server.http.admission.leave(request)
  out.writeHead(200, { ...headersOf(reply), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  return out
}

/** What the answer would have carried had the framework written it: request id and security headers. */
function headersOf(reply: AppReply): Record<string, string> {
  const set = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])
  return Object.fromEntries(set)
}
