// Divides a refund among the shares, exact to the cent.
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { type Rational, rational, roundHalfUp } from '../kernel/values/rational.ts'

export interface Party {
  /** The rest that this party still has. */
  readonly left: Cents
  /** Total that the party gave in earlier proportional refunds. The next refund corrects their rounding with it. */
  readonly inProportion: Cents
}

export interface DividedRefund {
  /** The part of each share in cents, before rounding. */
  readonly exact: readonly Rational[]
  /** The part of each share. */
  readonly shares: readonly Cents[]
  readonly owner: Cents
}

/**
 * After any number of refunds all parties have given the same fraction of their amounts, to the cent. The owner bears the rounding
 * while it has money left. It gives nothing if it gave too much before.
 */
export function divideInProportion(amount: Cents, shares: readonly Party[], owner: Party): DividedRefund {
  const parties = [...shares, owner]
  if (sumOf(parties.map(({ left }) => left)) < amount) throw new Error(`less than ${amount} cents are left`)
  const exact = sameLevel(amount, parties).slice(0, -1)
  const takes = exact.map((part) => roundHalfUp(part))
  const upward = (index: number) => rational(takes[index] as bigint).sub(exact[index] as Rational)
  let rest = takes.reduce((sum, take) => sum - take, amount as bigint)
  while (rest < 0n) {
    const index = indexOfMost(takes, upward, (take) => take > 0n)
    takes[index] = (takes[index] as bigint) - 1n
    rest += 1n
  }
  while (rest > owner.left) {
    const index = indexOfMost(
      takes,
      (at) => upward(at).neg(),
      (take, at) => take < (shares[at] as Party).left,
    )
    takes[index] = (takes[index] as bigint) + 1n
    rest -= 1n
  }
  return { exact, shares: takes.map((take) => cents(take)), owner: cents(rest) }
}

/** A party that has given a cent or more too much gives nothing. Less than a cent is only rounding. */
function sameLevel(amount: Cents, parties: readonly Party[]): Rational[] {
  let giving = parties.map(() => true)
  for (;;) {
    const active = parties.filter((_, index) => giving[index])
    const given = sumOf(active.map(({ inProportion }) => inProportion))
    const whole = given + sumOf(active.map(({ left }) => left))
    const level = rational(amount + given, whole)
    const parts = parties.map(({ left, inProportion }, index) =>
      giving[index] ? level.mul(left + inProportion).sub(inProportion) : rational(0n),
    )
    if (parts.every((part) => part.gt(-1n))) return parts.map((part) => (part.s < 0n ? rational(0n) : part))
    giving = giving.map((gives, index) => gives && (parts[index] as Rational).gt(-1n))
  }
}

/** The index with the largest `worth` among those that `may` allows. If two are equal, the later one. */
function indexOfMost(
  takes: readonly bigint[],
  worth: (index: number) => Rational,
  may: (take: bigint, index: number) => boolean,
): number {
  let most: { readonly index: number; readonly worth: Rational } | undefined
  for (const [index, take] of takes.entries()) {
    if (!may(take, index)) continue
    const candidate = worth(index)
    if (most === undefined || candidate.compare(most.worth) >= 0) most = { index, worth: candidate }
  }
  if (most === undefined) throw new Error('no share has a cent left')
  return most.index
}

/** Divides by fractions, which total at most 1. The owner gives the rest. */
export function divideByFractions(amount: Cents, fractions: readonly Rational[]): DividedRefund {
  const exact = fractions.map((fraction) => fraction.mul(amount))
  const shares = roundedWithin(amount, exact)
  return { exact, shares, owner: cents(amount - sumOf(shares)) }
}

/** Rounds half up. If the total exceeds `limit`, the shares with the largest upward rounding lose a cent. */
export function roundedWithin(limit: Cents, exact: readonly Rational[]): readonly Cents[] {
  const rounded = exact.map((part) => cents(roundHalfUp(part)))
  const upward = (index: number) => rational(rounded[index] as bigint).sub(exact[index] as Rational)
  for (let excess = sumOf(rounded) - limit; excess > 0n; excess -= 1n) {
    const index = indexOfMost(rounded, upward, (part) => part > 0n)
    rounded[index] = cents((rounded[index] as bigint) - 1n)
  }
  return rounded
}
