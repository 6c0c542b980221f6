// How drivers call their providers: at the address that the operator set alone, and not for ever.

import { boundedFetch } from '../../http/bounded-fetch.ts'
import { second } from '../../kernel/time.ts'
import { type Tracing, tracing } from '../../kernel/tracing.ts'
import { isPrivateInTransit } from '../../kernel/values/web-address.ts'

/** As long as the gateway waits for a rail. Calls without a signal of their own, such as those of webhooks, end then too. */
export const providerCallMsMax = 8 * second

/** A connection of a version that took such an address: its key does not leave the machine in clear. */
class PlainHttp extends Error {
  readonly code = 'PLAIN_HTTP'
}

/**
 * `fetch`, except that a redirect is an error, because what is sent holds credentials and is for the provider alone, and
 * that the answer has to be there, its body too, within 8 seconds and 1 MiB. Plain http to another machine is refused.
 */
export const providerFetch: typeof globalThis.fetch = async (input, init) => {
  if (!isPrivateInTransit(urlOf(input))) throw new PlainHttp()
  const timeout = AbortSignal.timeout(providerCallMsMax)
  const signal = init?.signal == null ? timeout : AbortSignal.any([init.signal, timeout])
  const asked = { ...init, redirect: 'error', signal } as const
  return tracing === undefined ? boundedFetch(input, asked) : tracedFetch(tracing, input, asked)
}

/** With `traceparent`, so that a provider who traces can say which of its traces was ours. */
function tracedFetch(tracing: Tracing, input: string | URL | Request, init: RequestInit) {
  const { hostname } = urlOf(input)
  const method = init.method ?? (input instanceof Request ? input.method : 'GET')
  // Not the path: providers have ids and signatures in it.
  const facts = { 'http.request.method': method, 'server.address': hostname }
  return tracing.span(`${method} ${hostname}`, { kind: 'client', facts }, async (span) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set('traceparent', tracing.traceparent() ?? '')
    const answer = await boundedFetch(input, { ...init, headers })
    span.note({ 'http.response.status_code': answer.status })
    return answer
  })
}

export function urlOf(input: string | URL | Request): URL {
  return new URL(input instanceof Request ? input.url : input)
}
