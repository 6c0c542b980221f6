// Pure decisions about captures and releases.
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { capturesPerAuthorizationMax, monthEndOf, whyHoldEnded } from '../operations/for-movements.ts'
import type { Operation } from '../operations/index.ts'

/** The minimum of SPEC.md "Limits", 0.20. A smaller rest can be taken if the request names no amount. */
const amountMin: Cents = cents(20)

/** Whether the provider ends the hold before the authorization's month. */
export function endsBeforeMonth(authorization: Operation): boolean {
  return authorization.expires !== undefined && authorization.expires < monthEndOf(authorization)
}

export function remainingOf({ amount, captured, released }: Operation): Cents {
  return cents(amount - captured - released)
}

/** SPEC.md "Authorization rules", CONTRACT section 9. Refuses outside the month or after a full release. */
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
    return refuse('illegal_state', 'nothing is left to capture: the authorization was released')
  }
  if (authorization.captures >= capturesPerAuthorizationMax) {
    return refuse(
      'too_many_captures',
      `an authorization allows at most ${capturesPerAuthorizationMax} captures`,
    )
  }
  return withinRemaining('capture', authorization, asked)
}

/** Refuses outside the month or hold, or after a capture. */
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
    return refuse('illegal_state', 'a release is not possible after a capture: release first, then capture')
  }
  return withinRemaining('release', authorization, asked)
}

/** Refuses a part of the rest, for providers that can only release all of it. */
export function wholeRelease(authorization: Operation, amount: Cents): Result<Cents> {
  const remaining = remainingOf(authorization)
  return amount === remaining
    ? ok(amount)
    : refuse(
        'illegal_state',
        `amount must be ${decimalText(remaining)}: the provider releases only the whole rest of this authorization`,
      )
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
  return refuse('illegal_state', 'the month of the authorization is over, and the rest was released')
}

function withinRemaining(
  verb: 'capture' | 'release',
  authorization: Operation,
  asked: Cents | undefined,
): Result<Cents> {
  const remaining = remainingOf(authorization)
  if (asked === undefined) {
    return remaining > 0n ? ok(remaining) : refuse('amount_exceeds_remaining', `nothing is left to ${verb}`)
  }
  return asked > remaining
    ? refuse(
        'amount_exceeds_remaining',
        `amount must be at most ${decimalText(remaining)}, the rest of the authorization`,
      )
    : ok(asked)
}
