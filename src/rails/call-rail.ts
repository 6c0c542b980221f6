// Calls to rails start in time and end in time. Without an answer the outcome is unknown.
import { crashPoint, effect } from '../kernel/crash-points.ts'
import { nameOf } from '../kernel/result.ts'
import { type Clock, type Instant, minute, second, startWatch } from '../kernel/time.ts'
import type { UnknownAnswer } from './card-acquirer.ts'

/** How long a call may take, in real time. The resolver asks after ten seconds for the first time. */
export const railTimeoutMs = 8 * second

/**
 * The rail's answer, or `unknown` if it throws or takes longer than `timeoutMs` of real time. `why` names
 * only the kind of failure, because an error text can quote a card.
 * @param ask makes the call, and passes the signal to the rail
 * @param beforeSend called before a call that moves money; if it returns false, the rail is not called
 */
export async function callRail<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  timeoutMs: number = railTimeoutMs,
  beforeSend?: MayStart,
): Promise<Answer | UnknownAnswer> {
  const call = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    if (beforeSend !== undefined && !(await beforeSend()))
      return { kind: 'unknown', why: 'too late to call the rail: the resolver inquires later' }
    crashPoint('rail to be called, not called')
    const timeout = new Promise<UnknownAnswer>((resolve) => {
      timer = setTimeout(() => {
        resolve({ kind: 'unknown', why: `no answer within ${timeoutMs} ms` })
        call.abort()
      }, timeoutMs)
    })
    const answer = await Promise.race([effect({ kind: 'rail' }, () => ask(call.signal)), timeout])
    crashPoint('rail call ended, nothing follows')
    return answer
  } catch (error) {
    return { kind: 'unknown', why: `the rail failed with ${nameOf(error)}` }
  } finally {
    clearTimeout(timer)
  }
}

/** Calls last 8 s, and the resolver asks after 10 s. A call that starts within this time ends before. */
const startWithinMs = 2 * second
/** After this time the customer has left, and the resolver has taken over. */
const startAtAllWithinMs = minute

export type MayStart = () => Promise<boolean>

/**
 * Allows a call at once, without a statement. A delayed call first postpones the resolver's inquiry by
 * `renew`, which returns false if the resolver or another process took over.
 * @param since when the wait for the resolver's first inquiry began
 */
export function startInTime(
  clock: Clock,
  since: Instant,
  renew: (now: Instant) => Promise<boolean>,
): MayStart {
  const heldUp = startWatch(clock, since)
  return async () => {
    for (let elapsed = heldUp; elapsed() > startWithinMs; ) {
      if (heldUp() > startAtAllWithinMs) return false
      const now = clock.now()
      elapsed = startWatch(clock, now)
      if (!(await renew(now))) return false
    }
    return true
  }
}

/** Only `approved` and `declined` are final. */
export type RailAnswer =
  | {
      readonly kind: 'approved'
      /** For a hold: the last moment to capture, if the provider says it. */
      readonly heldUntil?: Instant | undefined
    }
  | {
      readonly kind: 'declined'
      readonly reason: string
      /** The rail did not confirm the end, so a late approval is reversed. */
      readonly mayArrive?: boolean
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_found' }

/**
 * The common form of all rails' answers. A key that was cancelled before it arrived counts as not found. An
 * answer with `mayArrive` is not final.
 */
export function railAnswerOf(
  answer:
    | { readonly kind: 'approved'; readonly heldUntil?: Instant | undefined }
    | { readonly kind: 'unknown' | 'not_found' }
    | { readonly kind: 'declined'; readonly decline: string; readonly mayArrive?: boolean },
): RailAnswer {
  if (answer.kind === 'approved') return { kind: answer.kind, heldUntil: answer.heldUntil }
  if (answer.kind !== 'declined') return { kind: answer.kind }
  const { decline, mayArrive } = answer
  return mayArrive || decline === 'cancelled' || decline === 'withdrawn'
    ? { kind: 'not_found' }
    : { kind: 'declined', reason: decline }
}
