// How drivers call their providers: at the address that the operator set alone, and not for ever.

import { type Tracing, tracing } from '../../kernel/observe/tracing.ts'
import { second } from '../../kernel/time.ts'

/** As long as the gateway waits for a rail. Calls without a signal of their own, such as those of webhooks, end then too. */
const providerCallMsMax = 8 * second

/**
 * `fetch`, except that a redirect is an error, because what is sent holds credentials and is for the provider alone, and
 * that the answer has to be there, its body too, within 8 seconds.
 */
export const providerFetch: typeof globalThis.fetch = (input, init) => {
  const timeout = AbortSignal.timeout(providerCallMsMax)
  const signal = init?.signal == null ? timeout : AbortSignal.any([init.signal, timeout])
  const asked = { ...init, redirect: 'error', signal } as const
  return tracing === undefined ? fetch(input, asked) : tracedFetch(tracing, input, asked)
}

/** With `traceparent`, so that a provider who traces can say which of its traces was ours. */
function tracedFetch(tracing: Tracing, input: Parameters<typeof fetch>[0], init: RequestInit) {
  const { hostname } = new URL(input instanceof Request ? input.url : input)
  const method = init.method ?? (input instanceof Request ? input.method : 'GET')
  // Not the path: providers have ids and signatures in it.
  const facts = { 'http.request.method': method, 'server.address': hostname }
  return tracing.span(`${method} ${hostname}`, { kind: 'client', facts }, async (span) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set('traceparent', tracing.traceparent() ?? '')
    const answer = await fetch(input, { ...init, headers })
    span.note({ 'http.response.status_code': answer.status })
    return answer
  })
}
