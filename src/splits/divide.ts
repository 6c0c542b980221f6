// Dividing a payment: exact rationals, rounded to the cent, never more than there is (SPEC.md split rules 1 to 3).
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { type Rational, rational, roundHalfUp } from '../kernel/values/rational.ts'
import type { AskedShare, Share } from './model.ts'

const basisPointsOfWhole = 10_000

/** A share with how it came about. */
export interface DividedShare extends Share {
  /** In cents, before rounding. */
  readonly exact: Rational
  /** In cents, after rounding; `amount` is one cent less where {@link lostCent}. */
  readonly rounded: Cents
  /** Whether its upward rounding was taken back, because all shares together exceeded the net amount. */
  readonly lostCent: boolean
}

/** What there was to divide, and who got which part of it. */
export interface Divided {
  /** What there is to divide, in cents: the payment less the gateway's fee. */
  readonly net: Cents
  readonly shares: readonly Share[]
  /** What remains for the marketplace owner, in cents. */
  readonly owner: Cents
}

export interface Division extends Divided {
  readonly shares: readonly DividedShare[]
}

/**
 * Divides `net` cents among `asked`, whose fractions sum to 1 at most. Each share is rounded half up; while
 * all together exceed `net`, the share with the largest upward rounding (the later one on a tie) loses one
 * cent. What remains is the owner's. A share that its fixed fee takes below zero is nothing.
 */
export function divide(net: Cents, asked: readonly AskedShare[]): Division {
  const drafts = asked.map((share) => {
    const exact = exactShare(net, share)
    return { share, exact, rounded: exact.s < 0n ? 0n : roundHalfUp(exact) }
  })
  const excess = drafts.reduce((sum, { rounded }) => sum + rounded, 0n) - net
  const losers = new Set(
    drafts
      .map((draft, position) => ({ position, upward: rational(draft.rounded).sub(draft.exact), draft }))
      .filter(({ upward, draft }) => upward.s > 0n && draft.exact.s >= 0n)
      .sort((one, other) => other.upward.compare(one.upward) || other.position - one.position)
      .slice(0, excess > 0n ? Number(excess) : 0)
      .map(({ position }) => position),
  )
  const shares = drafts.map(({ share, exact, rounded }, position) => {
    const lostCent = losers.has(position)
    return {
      ...share,
      exact,
      rounded: cents(rounded),
      lostCent,
      amount: cents(lostCent ? rounded - 1n : rounded),
    }
  })
  const owner = cents(shares.reduce((rest, { amount }) => rest - amount, net as bigint))
  if (owner < 0n) throw new Error(`shares of ${net} cents exceed them by ${-owner}`)
  return { net, shares, owner }
}

/**
 * (1 − fee_variable) × fraction × net − fee_fixed, in cents (rule 1).
 *
 * @param part of the fixed fee: less than all of it where less than all was captured
 */
export function exactShare(
  net: Cents,
  { fraction, feeVariableBp, feeFixed }: AskedShare,
  part: Rational = rational(1n),
): Rational {
  const kept = rational(BigInt(basisPointsOfWhole - feeVariableBp), BigInt(basisPointsOfWhole))
  return kept.mul(fraction).mul(net).sub(part.mul(feeFixed))
}

/**
 * Refuses a split of which a share would be negative, with the least that can be left to divide.
 *
 * @param field name of the split in the request, such as `payment.split`
 *
 * Refusals: invalid_split.
 */
export function withoutNegativeShares(
  leastNet: Cents,
  asked: readonly AskedShare[],
  field: string,
): Result<readonly AskedShare[]> {
  const position = asked.findIndex((share) => exactShare(leastNet, share).s < 0n)
  if (position < 0) return ok(asked)
  return refuse(
    'invalid_split',
    `${field}[${position}].fee_fixed must not exceed the share: of ${decimalText(leastNet)} to divide it would leave less than nothing`,
  )
}
