// Divides a payment with exact fractions (SPEC.md split rules 1 to 3).
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { type Rational, rational, roundHalfUp } from '../kernel/values/rational.ts'
import type { AskedShare, Share } from './model.ts'

const basisPointsOfWhole = 10_000

export interface DividedShare extends Share {
  /** In cents, before rounding. */
  readonly exact: Rational
  /** If {@link lostCent} is true, `amount` is one cent less. */
  readonly rounded: Cents
  /** True if the share was rounded up and lost that cent, because the total exceeded the net amount. */
  readonly lostCent: boolean
}

export interface Divided {
  /** The payment less the gateway's fee. */
  readonly net: Cents
  readonly shares: readonly Share[]
  /** The rest for the marketplace owner. */
  readonly owner: Cents
}

export interface Division extends Divided {
  readonly shares: readonly DividedShare[]
}

/** Fractions total at most 1, and the owner keeps the rest. A fixed fee does not make a share negative. */
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
  if (owner < 0n) throw new Error(`shares of ${net} cents exceed the net amount by ${-owner}`)
  return { net, shares, owner }
}

/** (1 − fee_variable) × fraction × net − fee_fixed, in cents (rule 1). `part`: captured part of fee_fixed. */
export function exactShare(
  net: Cents,
  { fraction, feeVariableBp, feeFixed }: AskedShare,
  part: Rational = rational(1n),
): Rational {
  const kept = rational(BigInt(basisPointsOfWhole - feeVariableBp), BigInt(basisPointsOfWhole))
  return kept.mul(fraction).mul(net).sub(part.mul(feeFixed))
}

/** Checks the smallest net amount. `field` is its name in the request. Refusals: invalid_split. */
export function withoutNegativeShares(
  leastNet: Cents,
  asked: readonly AskedShare[],
  field: string,
): Result<readonly AskedShare[]> {
  const position = asked.findIndex((share) => exactShare(leastNet, share).s < 0n)
  if (position < 0) return ok(asked)
  return refuse(
    'invalid_split',
    `${field}[${position}].fee_fixed must not exceed the share: the least amount to divide is ${decimalText(leastNet)}`,
  )
}
