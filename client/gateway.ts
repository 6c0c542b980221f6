// A gateway as a merchant's program speaks to it: one request, its answer as JSON, and refusals in words.

import { CliError } from '../src/cli/session.ts'
import { boundedFetch } from '../src/http/bounded-fetch.ts'
import { isPrivateInTransit } from '../src/kernel/values/web-address.ts'
import type { Place } from './place.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a merchant's script reads them
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined where it is no JSON. */
  readonly body: Json
  readonly text: string
}

export interface Request {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Else {@link timeoutMsDefault}. */
  readonly timeoutMs?: number
}

export interface Gateway {
  readonly place: Place
  /** Any answer, refusals too; throws {@link CliError} where there is none: `unreachable`, or `stopped` by Ctrl-C. */
  send(path: string, request?: Request): Promise<Answer>
  /**
   * The body of a success; throws {@link CliError}, `refused` with the gateway's own words, or `not_a_gateway` where
   * somebody else answered, such as a proxy.
   */
  ask(path: string, request?: Request): Promise<Json>
}

/** The gateway answers everything within 30 seconds. */
const timeoutMsDefault = 35_000
/** A page of a hundred events, each of a body of 64 kB. */
const answerBytesMax = 8 * 1024 * 1024

/** The gateway at `place`; requests end with `stopped`. */
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

/** Whether the gateway is a sandbox. Keys of production are known by their form, before anything is asked. */
export async function isSandbox(gateway: Gateway): Promise<boolean> {
  if (hasLiveKey(gateway.place)) return false
  return (await gateway.send('/sandbox/api/clock')).status === 200
}

function hasLiveKey({ authorization }: Place): boolean {
  return authorization.includes(' cmp_live_')
}

/** A key that moves money goes to an address that somebody named, and to nobody in between. */
function keepSecret(place: Place): void {
  if (!hasLiveKey(place)) return
  if (place.isFromFile) {
    throw new CliError(
      'unsafe_address',
      'a key of production is not sent to the address of a demo.json: give the address by --url or COMPORTA_URL',
    )
  }
  if (!isPrivateInTransit(new URL(place.url))) {
    throw new CliError(
      'unsafe_address',
      `a key of production is sent by https alone, and ${place.url} is read by everybody in between`,
    )
  }
}

/** The refusal in the gateway's words, with its code and tid. */
export function refusalOf({ status, body }: Answer, { url }: Place): CliError {
  const { code, message, reason, tid, operation_id } = body ?? {}
  if (typeof code !== 'number') {
    return new CliError('not_a_gateway', `${url} answered ${status} without the words of a Comporta gateway`)
  }
  const words = `${message}: ${reason} (${code}, tid ${tid})`
  return new CliError('refused', words, { status, code, message, detail: reason, tid, operation_id })
}

/** Whether `error` is a no that asking again would not change: the gateway's own, or that nothing is sent there. */
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

/** Why fetch failed, as the system says it. */
function faultOf(error: unknown): string {
  const { cause, message, name } = error as { cause?: { code?: string; message?: string } } & Error
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code ?? cause?.message ?? message
}
