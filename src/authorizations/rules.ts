// Pure decisions about authorizations: how much may be captured or released, and why not.
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { capturesPerAuthorizationMax, monthEndOf, whyHoldEnded } from '../operations/for-movements.ts'
import type { Operation } from '../operations/index.ts'

/** SPEC.md "Limits": 0.20, unless less than that is left and no amount was named. */
const amountMin: Cents = cents(20)

/** Whether the provider holds, or held, the money for less than the authorization's month. */
export function endsBeforeMonth(authorization: Operation): boolean {
  return authorization.expires !== undefined && authorization.expires < monthEndOf(authorization)
}

/** What can still be captured of an accepted authorization, in cents. */
export function remainingOf({ amount, captured, released }: Operation): Cents {
  return cents(amount - captured - released)
}

/**
 * How much a capture takes: what was asked for, or all that remains (SPEC.md "Authorization rules";
 * CONTRACT section 9).
 *
 * Refusals: illegal_state while it is not accepted, once its month or its hold is over and once all was released;
 * too_many_captures; below_minimum_amount; amount_exceeds_remaining.
 */
export function decideCapture(
  authorization: Operation,
  asked: Cents | undefined,
  now: Instant,
): Result<Cents> {
  const named = namedAmount(asked)
  if (!named.ok) return named
  const open = stillOpen(authorization, now)
  if (!open.ok) return open
  if (authorization.released === authorization.amount) {
    return refuse('illegal_state', 'the authorization was released as a whole: nothing is left to capture')
  }
  if (authorization.captures >= capturesPerAuthorizationMax) {
    return refuse(
      'too_many_captures',
      `an authorization takes at most ${capturesPerAuthorizationMax} captures`,
    )
  }
  return withinRemaining('capture', authorization, asked)
}

/**
 * How much a release gives back: what was asked for, or all that remains.
 *
 * Refusals: illegal_state while it is not accepted, once its month or its hold is over and after a capture;
 * below_minimum_amount; amount_exceeds_remaining.
 */
export function decideRelease(
  authorization: Operation,
  asked: Cents | undefined,
  now: Instant,
): Result<Cents> {
  const named = namedAmount(asked)
  if (!named.ok) return named
  const open = stillOpen(authorization, now)
  if (!open.ok) return open
  if (authorization.captures > 0) {
    return refuse('illegal_state', 'nothing is released after a capture: release first, then capture')
  }
  return withinRemaining('release', authorization, asked)
}

function namedAmount(asked: Cents | undefined): Result<undefined> {
  return asked !== undefined && asked < amountMin
    ? refuse('below_minimum_amount', 'amount must be at least 0.20')
    : ok(undefined)
}

function stillOpen(authorization: Operation, now: Instant): Result<undefined> {
  const { status, expires, lapsedAt } = authorization
  if (status === 'NEW' || status === 'PENDING')
    return refuse('illegal_state', `the authorization must be accepted first; it is ${status}`)
  if (status !== 'COMPLETED') return refuse('illegal_state', `the authorization is ${status}`)
  if (lapsedAt === undefined && (expires === undefined || now < expires)) return ok(undefined)
  if (endsBeforeMonth(authorization)) return refuse('illegal_state', whyHoldEnded)
  return refuse('illegal_state', "the authorization's month is over, and what remained has lapsed")
}

function withinRemaining(
  verb: 'capture' | 'release',
  authorization: Operation,
  asked: Cents | undefined,
): Result<Cents> {
  const remaining = remainingOf(authorization)
  if (asked === undefined) {
    return remaining > 0n
      ? ok(remaining)
      : refuse('amount_exceeds_remaining', `nothing of the authorization remains to ${verb}`)
  }
  return asked > remaining
    ? refuse(
        'amount_exceeds_remaining',
        `amount must be at most ${decimalText(remaining)}, which is what remains`,
      )
    : ok(asked)
}
