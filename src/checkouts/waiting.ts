// Server-sent events for the page of a customer who waits: one when the rail has decided.
import type { AppReply, AppRequest } from '../http/index.ts'
import type { CheckoutPagesDeps } from './deps.ts'
import { currentState } from './page-routes.ts'

const lookEveryMs = 500
/** Proxies cut silent streams, and browsers come back by themselves. */
const streamSecondsMax = 60

/** Streams `event: state` until the checkout no longer waits, the browser leaves, or the stream grows old. */
export async function streamState(
  deps: CheckoutPagesDeps,
  request: AppRequest,
  reply: AppReply,
  checkoutId: string,
): Promise<AppReply> {
  reply.hijack()
  const stream = reply.raw
  stream.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  })
  let last = ''
  for (let look = 0; look < (streamSecondsMax * 1000) / lookEveryMs && !request.raw.destroyed; look++) {
    const state = await currentState(deps, checkoutId)
    if (state !== last) stream.write(`event: state\ndata: ${state}\n\n`)
    last = state
    if (state !== 'waiting') break
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  stream.end()
  return reply
}

/** What the answer would have carried had the framework written it: request id and security headers. */
function headersOf(reply: AppReply): Record<string, string> {
  const set = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])
  return Object.fromEntries(set)
}
