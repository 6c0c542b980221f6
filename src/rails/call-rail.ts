// Calls to rails begin in time and end in time; a missing answer is an unknown answer, never a decline.
import { crashPoint, effect } from '../kernel/crash-points.ts'
import { nameOf } from '../kernel/result.ts'
import { type Clock, type Instant, minute, second, startWatch } from '../kernel/time.ts'
import type { UnknownAnswer } from './card-acquirer.ts'

/**
 * The rail's answer, or `unknown` when it throws or does not answer within `timeoutMs` (real time, because it
 * bounds a network call). A call whose time is over is cancelled by its signal. `why` names the kind of failure
 * only: the text of an error may quote a card.
 *
 * @param ask makes the call, and passes the signal to the rail
 * @param beforeSend asked immediately before a call that moves money; where it answers false, the rail is not called
 */
export async function callRail<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  timeoutMs: number,
  beforeSend?: MayStart,
): Promise<Answer | UnknownAnswer> {
  const call = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    if (beforeSend !== undefined && !(await beforeSend()))
      return { kind: 'unknown', why: 'too late to be asked: the resolver asks what became of it' }
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

/**
 * A call that begins within this is over, or cancelled, before the resolver asks the rail for the first time:
 * calls last 8 s at most, and it first asks after 10.
 */
const startWithinMs = 2 * second
/** After a longer delay no call is made at all: the customer has gone, and the resolver has taken over. */
const startAtAllWithinMs = minute

/** Asked immediately before a call; false when it must not begin any more. */
export type MayStart = () => Promise<boolean>

/**
 * A call that begins at once costs nothing more. A delayed one asks the database first: `renew` postpones the
 * resolver's first inquiry, counted from `now`, and answers false where the resolver, or another process, took over.
 *
 * @param since from when the resolver's first inquiry is counted
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
      // Measured from before the statement: its answer may be what is held up.
      elapsed = startWatch(clock, now)
      if (!(await renew(now))) return false
    }
    return true
  }
}

/** Only the first two are final. */
export type RailAnswer =
  | {
      readonly kind: 'approved'
      /** Of a hold: until when it can be captured, where its provider says so. */
      readonly heldUntil?: Instant | undefined
    }
  | {
      readonly kind: 'declined'
      readonly reason: string
      /** What the rail has not said to be over: an approval that comes after all is reversed. */
      readonly mayArrive?: boolean
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_found' }

/**
 * What an acquirer or another rail said, in its own words for a decline. Under a key that was cancelled before
 * anything arrived there is nothing: whoever cancelled it says what becomes of the movement. What may still arrive is
 * not final.
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
