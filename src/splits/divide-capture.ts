// Divides the captures of an authorization, so that their totals are exact.
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { type Rational, rational, roundHalfUp } from '../kernel/values/rational.ts'
import { type Divided, exactShare } from './divide.ts'
import { roundedWithin } from './divide-refund.ts'
import type { AskedShare } from './model.ts'

/** The total of earlier captures, in cents. */
export interface CapturedBefore {
  readonly amount: Cents
  /** The total less the gateway's fees. */
  readonly net: Cents
  /** The totals of each share, in the order of the split. */
  readonly shares: readonly Cents[]
}

export interface CaptureToDivide {
  readonly authorized: Cents
  readonly amount: Cents
  /** The capture less the gateway's fee. */
  readonly net: Cents
  readonly before: CapturedBefore
}

/**
 * Each share gets the difference to its exact total, so the last capture settles the cents. A share above its
 * total gets nothing until the total has grown. A fixed fee counts in the proportion capture / authorization.
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

/** The most that the shares can get: this capture, with the cents that the owner kept of earlier ones. */
function limitOf({ amount, net, before }: CaptureToDivide): Cents {
  const there = net + before.net - sumOf(before.shares)
  if (there > amount) return amount
  return cents(there)
}

/** The part of the fixed fee, in whole cents. After a full capture the parts total the fee. */
function feeFixedOf({ feeFixed }: AskedShare, before: bigint, captured: bigint, authorized: Cents): Cents {
  const until = (amount: bigint): Rational => rational(amount, authorized).mul(feeFixed)
  return cents(roundHalfUp(until(captured)) - roundHalfUp(until(before)))
}
