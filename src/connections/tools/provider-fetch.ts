// The HTTP client of drivers: no redirects, 8 seconds at most.

import { boundedFetch } from '../../http/bounded-fetch.ts'
import { second } from '../../kernel/time.ts'
import { type Tracing, tracing } from '../../kernel/tracing.ts'
import { isPrivateInTransit } from '../../kernel/values/web-address.ts'

/** The time that the gateway waits for a rail. It also limits webhook handlers. */
export const providerCallMsMax = 8 * second

class PlainHttp extends Error {
  readonly code = 'PLAIN_HTTP'
}

/**
 * `fetch` without redirects, because requests carry credentials. The whole answer must arrive within 8 seconds and 1
 * MiB.
 */
export const providerFetch: typeof globalThis.fetch = async (input, init) => {
  if (!isPrivateInTransit(urlOf(input))) throw new PlainHttp()
  const timeout = AbortSignal.timeout(providerCallMsMax)
  const signal = init?.signal == null ? timeout : AbortSignal.any([init.signal, timeout])
  const asked = { ...init, redirect: 'error', signal } as const
  return tracing === undefined ? boundedFetch(input, asked) : tracedFetch(tracing, input, asked)
}

/** Sends `traceparent`, so that a provider can link its trace to ours. */
function tracedFetch(tracing: Tracing, input: string | URL | Request, init: RequestInit) {
  const { hostname } = urlOf(input)
  const method = init.method ?? (input instanceof Request ? input.method : 'GET')
  // Without the path, which can contain ids and signatures.
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
