// Sends a call again where that is safe: with back-off and jitter, and within the time that the whole call has.
import { setTimeout as pause } from 'node:timers/promises'

/** What one attempt came to: an answer with a status, or none. */
export type Outcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      readonly bytes: Uint8Array<ArrayBuffer>
    }
  | { readonly kind: 'no_answer'; readonly cause: unknown; readonly timedOut: boolean }

export interface AttemptRules {
  /** Milliseconds that one attempt may take, its answer read to the end. */
  readonly timeout: number
  /** Milliseconds that all attempts may take with the pauses between them. */
  readonly totalTimeout: number
  /** How often a call is sent again after the first time. */
  readonly retries: number
  /** Whether the gateway does no more when it is asked twice. */
  readonly repeatable: boolean
  readonly signal: AbortSignal | undefined
}

/** The first pause, in milliseconds; each is twice as long as the one before. */
const firstPause = 250
const pauseMax = 8_000
/** The longest that a timer of Node waits, in milliseconds: with more it would end at once. */
const timerMax = 2 ** 31 - 1

/** Sends until there is an answer to keep. Rejects with the reason of `signal` when that is aborted. */
export async function withRetries(
  send: (signal: AbortSignal) => Promise<Outcome & { kind: 'answer' }>,
  rules: AttemptRules,
): Promise<{ readonly outcome: Outcome; readonly attempts: number }> {
  const end = performance.now() + rules.totalTimeout
  for (let attempts = 1; ; attempts += 1) {
    rules.signal?.throwIfAborted()
    const outcome = await sendOnce(send, rules, end - performance.now())
    const wait = pauseBefore(outcome, attempts)
    const isLast = attempts > rules.retries || !isToRepeat(outcome, rules.repeatable)
    if (isLast || performance.now() + wait >= end) return { outcome, attempts }
    await pause(Math.min(wait, timerMax), undefined, rules.signal ? { signal: rules.signal } : {}).catch(
      () => {
        rules.signal?.throwIfAborted()
      },
    )
  }
}

async function sendOnce(
  send: (signal: AbortSignal) => Promise<Outcome & { kind: 'answer' }>,
  { timeout, signal }: AttemptRules,
  left: number,
): Promise<Outcome> {
  const timer = AbortSignal.timeout(Math.max(1, Math.round(Math.min(timeout, left, timerMax))))
  try {
    return await send(signal ? AbortSignal.any([timer, signal]) : timer)
  } catch (cause) {
    signal?.throwIfAborted()
    return { kind: 'no_answer', cause, timedOut: timer.aborted }
  }
}

/** Codes of Node for a connection that was never made: nothing was sent. */
const neverReached: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** Somewhere in between something is not well; 409 only while the gateway still works on the first attempt. */
const passing: ReadonlySet<number> = new Set([408, 500, 502, 503, 504])
const inFlight = 10_014

function isToRepeat(outcome: Outcome, repeatable: boolean): boolean {
  if (outcome.kind === 'no_answer') return repeatable || neverReached.has(codeOf(outcome.cause))
  if (outcome.status === 429) return true
  if (!repeatable) return false
  const { code, operation_id } = bodyOf(outcome.bytes)
  // An operation was made and has failed: that is the answer, and would be the second time.
  return (passing.has(outcome.status) && operation_id === undefined) || code === inFlight
}

function codeOf(cause: unknown): unknown {
  const { code, cause: inner } = cause as { code?: unknown; cause?: { code?: unknown } }
  return inner?.code ?? code
}

function bodyOf(bytes: Uint8Array): { code?: unknown; operation_id?: unknown } {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) ?? {}
  } catch {
    return {}
  }
}

/** What the gateway asks for, else twice as long each time; between half of it and all of it, so that clients part. */
function pauseBefore(outcome: Outcome, attempts: number): number {
  const asked = outcome.kind === 'answer' ? retryAfterOf(outcome.headers) : undefined
  if (asked !== undefined) return asked * 1000
  const whole = Math.min(pauseMax, firstPause * 2 ** (attempts - 1))
  return whole / 2 + (Math.random() * whole) / 2
}

/** Seconds from now, of `Retry-After` as a number or as a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
