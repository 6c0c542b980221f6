// HTTP requests to a gateway, with JSON answers and readable errors.
import { CliError } from '../src/cli/session.ts'
import { boundedFetch } from '../src/http/bounded-fetch.ts'
import { isPrivateInTransit } from '../src/kernel/values/web-address.ts'
import type { Place } from './place.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a merchant's script reads them
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
  readonly text: string
}

export interface Request {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

export interface Gateway {
  readonly place: Place
  /** Returns any answer. Throws {@link CliError}: `unreachable`, or `stopped` after Ctrl-C. */
  send(path: string, request?: Request): Promise<Answer>
  /**
   * Returns the body of a success. Throws {@link CliError}: `refused`, or `not_a_gateway` if a proxy answered, for
   * example.
   */
  ask(path: string, request?: Request): Promise<Json>
}

/** Longer than the gateway needs, which answers within 30 seconds. */
const timeoutMsDefault = 35_000
/** Enough for a page of a hundred events of 64 kB each. */
const answerBytesMax = 8 * 1024 * 1024

export function gatewayAt(place: Place, stopped: AbortSignal): Gateway {
  async function send(path: string, request: Request = {}): Promise<Answer> {
    const { method = request.body === undefined ? 'GET' : 'POST', body, headers } = request
    keepSecret(place)
    const until = AbortSignal.any([stopped, AbortSignal.timeout(request.timeoutMs ?? timeoutMsDefault)])
    try {
      const asked: RequestInit = {
        method,
        signal: until,
        redirect: 'manual',
        headers: {
          authorization: place.authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      const response = await boundedFetch(place.url + path, asked, answerBytesMax)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: jsonOf(text) }
    } catch (error) {
      if (stopped.aborted) throw new CliError('stopped', `stopped before ${place.url} answered`)
      throw new CliError(
        'unreachable',
        `${place.url} does not answer: ${faultOf(error)}; is the gateway running, and is this its address?`,
      )
    }
  }

  return {
    place,
    send,
    async ask(path, request) {
      const answer = await send(path, request)
      const { status, body } = answer
      if (status >= 200 && status < 300 && body !== undefined) return body
      throw refusalOf(answer, place)
    },
  }
}

/** Whether the gateway is a sandbox. A production key shows this without a request. */
export async function isSandbox(gateway: Gateway): Promise<boolean> {
  if (hasLiveKey(gateway.place)) return false
  return (await gateway.send('/sandbox/api/clock')).status === 200
}

/** Throws {@link CliError} outside a sandbox. */
export async function requireSandbox(gateway: Gateway, command: string): Promise<void> {
  if (await isSandbox(gateway)) return
  throw new CliError(
    'sandbox_only',
    `${command} works in a sandbox only: ${gateway.place.url} would move real money`,
  )
}

function hasLiveKey({ authorization }: Place): boolean {
  return authorization.includes(' cmp_live_')
}

/** Sends a production key only to an address that the user gave, and only by https or to this machine. */
function keepSecret(place: Place): void {
  if (!hasLiveKey(place)) return
  if (place.isFromFile) {
    throw new CliError(
      'unsafe_address',
      'a production key is not sent to the address in demo.json: give the address by --url or COMPORTA_URL',
    )
  }
  if (!isPrivateInTransit(new URL(place.url))) {
    throw new CliError(
      'unsafe_address',
      `a production key needs https: others could read it on the way to ${place.url}`,
    )
  }
}

export function refusalOf({ status, body }: Answer, { url }: Place): CliError {
  const { code, message, reason, tid, operation_id } = body ?? {}
  if (typeof code !== 'number') {
    return new CliError('not_a_gateway', `${url} answered ${status}, not like a Comporta gateway`)
  }
  const text = `${message}: ${reason} (${code}, tid ${tid})`
  return new CliError('refused', text, { status, code, message, detail: reason, tid, operation_id })
}

/** Whether the gateway would refuse the same request again. */
export function isFinalRefusal(error: unknown): boolean {
  if (!(error instanceof CliError)) return false
  if (error.facts.kind === 'unsafe_address') return true
  if (error.facts.kind !== 'refused') return false
  const status = Number(error.facts.status)
  return status < 500 && status !== 408 && status !== 429
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function faultOf(error: unknown): string {
  const { cause, message, name } = error as { cause?: { code?: string; message?: string } } & Error
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code ?? cause?.message ?? message
}
