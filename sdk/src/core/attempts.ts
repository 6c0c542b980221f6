// Repeated attempts with back-off and jitter.
import { setTimeout as pause } from 'node:timers/promises'

/** Result of one attempt: an answer, or none. */
export type Outcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      readonly bytes: Uint8Array<ArrayBuffer>
    }
  | { readonly kind: 'no_answer'; readonly cause: unknown; readonly timedOut: boolean }

export interface AttemptRules {
  /** Milliseconds for one attempt, including its body. */
  readonly timeout: number
  /** Milliseconds for all attempts and pauses. */
  readonly totalTimeout: number
  /** Maximum number of repeated attempts. */
  readonly retries: number
  /** Whether a second attempt is safe. */
  readonly repeatable: boolean
  readonly signal: AbortSignal | undefined
}

/** First pause in milliseconds. Each later pause is twice as long. */
const firstPause = 250
const pauseMax = 8_000
/** Maximum delay of a Node timer in milliseconds. A longer timer would fire at once. */
const timerMax = 2 ** 31 - 1

/** Sends until an answer is final. Rejects with the reason of `signal` after an abort. */
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

/** Node reports these if no connection was made, so the gateway got nothing. */
const neverReached: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** Errors that may be over at the next attempt. */
const passing: ReadonlySet<number> = new Set([408, 500, 502, 503, 504])
const inFlight = 10_014

function isToRepeat(outcome: Outcome, repeatable: boolean): boolean {
  if (outcome.kind === 'no_answer') return repeatable || neverReached.has(codeOf(outcome.cause))
  if (outcome.status === 429) return true
  if (!repeatable) return false
  const { code, operation_id } = bodyOf(outcome.bytes)
  // If the call created a failed operation, the answer is final.
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

/** The pause that the gateway asks for, or else the back-off. Half of the back-off is random. */
function pauseBefore(outcome: Outcome, attempts: number): number {
  const asked = outcome.kind === 'answer' ? retryAfterOf(outcome.headers) : undefined
  if (asked !== undefined) return asked * 1000
  const whole = Math.min(pauseMax, firstPause * 2 ** (attempts - 1))
  return whole / 2 + (Math.random() * whole) / 2
}

/** Seconds of `Retry-After`, a number or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
