// Dividing the captures of an authorization, exactly in total.
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { type Rational, rational, roundHalfUp } from '../kernel/values/rational.ts'
import { type Divided, exactShare } from './divide.ts'
import { roundedWithin } from './divide-refund.ts'
import type { AskedShare } from './model.ts'

/** Earlier captures, in cents. */
export interface CapturedBefore {
  readonly amount: Cents
  /** After the gateway's fees. */
  readonly net: Cents
  /** In the order of the split. */
  readonly shares: readonly Cents[]
}

export interface CaptureToDivide {
  /** In cents, as `amount`. */
  readonly authorized: Cents
  readonly amount: Cents
  /** The capture after the gateway's fee, in cents. */
  readonly net: Cents
  readonly before: CapturedBefore
}

/**
 * Fixed fees count in the proportion capture / authorization. Each share gets the difference to its
 * exact total, so any last capture carries the cents. A share above its total waits for it.
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

/** At most this capture, with the owner's cents of earlier ones. */
function limitOf({ amount, net, before }: CaptureToDivide): Cents {
  const there = net + before.net - sumOf(before.shares)
  if (there > amount) return amount
  return cents(there)
}

/** In whole cents, which total the fee after a full capture. */
function feeFixedOf({ feeFixed }: AskedShare, before: bigint, captured: bigint, authorized: Cents): Cents {
  const until = (amount: bigint): Rational => rational(amount, authorized).mul(feeFixed)
  return cents(roundHalfUp(until(captured)) - roundHalfUp(until(before)))
}
