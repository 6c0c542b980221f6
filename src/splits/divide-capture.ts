// Dividing the captures of an authorization: each gets its part of what was agreed, and all together are exact.
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { type Rational, rational, roundHalfUp } from '../kernel/values/rational.ts'
import { type Divided, exactShare } from './divide.ts'
import { roundedWithin } from './divide-refund.ts'
import type { AskedShare } from './model.ts'

/** What captures of the authorization brought before this one, in cents. */
export interface CapturedBefore {
  readonly amount: Cents
  /** Once the gateway had its fees. */
  readonly net: Cents
  /** What each share got, in the order of the split. */
  readonly shares: readonly Cents[]
}

export interface CaptureToDivide {
  /** The authorization, in cents. */
  readonly authorized: Cents
  /** The capture, in cents. */
  readonly amount: Cents
  /** What is left of it once the gateway has its fee, in cents. */
  readonly net: Cents
  readonly before: CapturedBefore
}

/**
 * Divides a capture by the split of its authorization: fractions of what is captured, fixed fees in the
 * proportion capture / authorization. Each share gets what makes its total right over this capture and those
 * before it, so that whichever capture is the last one carries the cents. What remains is the owner's; a cent
 * that the owner kept of an earlier capture may be given with this one, but all shares never get more than the
 * capture itself. A share that has more than its total already, because a small capture cost more in fees than
 * it brought, gets nothing until the total has caught up.
 */
export function divideCapture(capture: CaptureToDivide, asked: readonly AskedShare[]): Divided {
  const { authorized, amount, net, before } = capture
  const captured = before.amount + amount
  const exact = asked.map((share, position) => {
    const part = rational(captured, authorized)
    const target = exactShare(cents(before.net + net), share, part)
    const due = target.sub(before.shares[position] as bigint)
    return due.s < 0n ? rational(0n) : due
  })
  const amounts = roundedWithin(limitOf(capture), exact)
  const shares = asked.map((share, position) => ({
    ...share,
    feeFixed: feeFixedOf(share, before.amount, captured, authorized),
    amount: cents(amounts[position] as bigint),
  }))
  return { net, shares, owner: cents(net - sumOf(shares.map((share) => share.amount))) }
}

/** What the shares may get together: what is there, with what the owner kept of earlier captures, but no more than this one. */
function limitOf({ amount, net, before }: CaptureToDivide): Cents {
  const there = net + before.net - sumOf(before.shares)
  if (there > amount) return amount
  return cents(there)
}

/** The part of the fixed fee that a capture bears, in whole cents: over all captures they sum to the fee. */
function feeFixedOf({ feeFixed }: AskedShare, before: bigint, captured: bigint, authorized: Cents): Cents {
  const until = (amount: bigint): Rational => rational(amount, authorized).mul(feeFixed)
  return cents(roundHalfUp(until(captured)) - roundHalfUp(until(before)))
}
