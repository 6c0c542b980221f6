// Server-sent events, with a limit per address.
import type { ServerResponse } from 'node:http'
import { RefusalError } from '../../kernel/result.ts'
import { addressSubject } from '../rate-limits.ts'
import type { AppReply, AppRequest } from '../types.ts'

/** Each stream holds a connection for a minute. A page that gets none polls instead. */
const streamsPerAddressMax = 20
const retrySeconds = 10

/** Opens a stream; the caller writes and ends it. Refusals: too_many_requests if the address has 20. */
export function openEventStream(request: AppRequest, reply: AppReply): ServerResponse {
  const { limiters, openStreams } = request.server.http
  const out = reply.raw
  // A closed connection emits no second close, so the stream would be counted for ever.
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
  request.server.http.admission.leave(request)
  out.writeHead(200, { ...headersOf(reply), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  return out
}

function headersOf(reply: AppReply): Record<string, string> {
  const set = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])
  return Object.fromEntries(set)
}
