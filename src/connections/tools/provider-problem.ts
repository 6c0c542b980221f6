// Reasons of failed provider calls, for the operator.
import { nameOf } from '../../kernel/result.ts'
import { second } from '../../kernel/time.ts'
import { providerCallMsMax, urlOf } from './provider-fetch.ts'

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
  return problem() ?? nameOf(error)
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
