// The HTTP client of drivers: no redirects, 8 seconds at most.
import { boundedFetch } from '../../http/bounded-fetch.ts'
import { nameOf } from '../../kernel/result.ts'
import { second } from '../../kernel/time.ts'
import { type Tracing, tracing } from '../../kernel/tracing.ts'
import { isPrivateInTransit } from '../../kernel/values/web-address.ts'

/** The longest time that the gateway waits for a rail. The limit is also valid in webhook handlers. */
const providerCallMsMax = 8 * second

class PlainHttp extends Error {
  readonly code = 'PLAIN_HTTP'
}

/** Follows no redirect: requests carry credentials. The whole answer must arrive within 8 s and 1 MiB. */
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
  // The path is left out, because it can contain ids and signatures.
  const facts = { 'http.request.method': method, 'server.address': hostname }
  return tracing.span(`${method} ${hostname}`, { kind: 'client', facts }, async (span) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set('traceparent', tracing.traceparent() ?? '')
    const answer = await boundedFetch(input, { ...init, headers })
    span.note({ 'http.response.status_code': answer.status })
    return answer
  })
}

function urlOf(input: string | URL | Request): URL {
  return new URL(input instanceof Request ? input.url : input)
}

export interface WatchedFetch {
  readonly fetch: typeof globalThis.fetch
  problem(): string | undefined
}

export function watched(fetch: typeof globalThis.fetch): WatchedFetch {
  let problem: string | undefined
  return {
    async fetch(input, init) {
      const { host } = urlOf(input)
      try {
        const answer = await fetch(input, init)
        problem = problemOfStatus(answer.status, host)
        return answer
      } catch (error) {
        problem = problemOfError(error, host)
        throw error
      }
    },
    problem: () => problem,
  }
}

export function whyFailed({ problem }: WatchedFetch, error: unknown): string {
  const name = nameOf(error)
  // The message of an error can contain what the provider sent, so only its name is shown.
  return problem() ?? (name === 'Error' ? 'the driver could not handle what the provider sent' : name)
}

function problemOfStatus(status: number, host: string): string | undefined {
  if (status === 401) return `${host} refused the key (HTTP 401)`
  if (status === 403) return `${host} does not allow this key to do it (HTTP 403)`
  if (status === 429) return `${host} was asked too often (HTTP 429)`
  return status >= 500 ? `${host} failed (HTTP ${status})` : undefined
}

const problems: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `there is no host ${host} (ENOTFOUND)`,
  EAI_AGAIN: (host) => `the name ${host} could not be looked up (EAI_AGAIN)`,
  PLAIN_HTTP: (host) => `${host} uses plain http, which is only for this machine (PLAIN_HTTP)`,
  ANSWER_TOO_LONG: (host) => `${host} answered more than 1 MiB (ANSWER_TOO_LONG)`,
  ECONNREFUSED: (host) => `${host} refuses connections (ECONNREFUSED)`,
}

function problemOfError(error: unknown, host: string): string {
  const isLate =
    error instanceof Error && /^(AbortError|TimeoutError)$/.test(error.name) && error.cause === undefined
  if (isLate) return `${host} gave no answer within ${providerCallMsMax / second} seconds`
  const isRedirect = error instanceof Error && (error.cause as Error)?.message === 'unexpected redirect'
  if (isRedirect) return `${host} redirects to another address, and redirects are not followed`
  const name = nameOf(error)
  return problems[name]?.(host) ?? `the call to ${host} failed (${name})`
}
