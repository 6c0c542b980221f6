// Dividing a refund among those who shared the payment: exact to the cent, and none gives more than it has.
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { type Rational, rational, roundHalfUp } from '../kernel/values/rational.ts'

/** Someone who got part of a payment. */
export interface Party {
  /** What it still has of the payment, in cents. */
  readonly left: Cents
  /** What refunds in proportion took from it before, in cents: rounding is corrected by the next one. */
  readonly inProportion: Cents
}

export interface DividedRefund {
  /** Per share, in cents before rounding. */
  readonly exact: readonly Rational[]
  /** Per share, in cents. */
  readonly shares: readonly Cents[]
  /** The part of the marketplace owner. */
  readonly owner: Cents
}

/**
 * Takes `amount` from all in proportion to what they got, so that after any number of refunds everyone has
 * given back the same part, to the cent. Rounding is on the owner's side as long as the owner has something
 * to give. Of an owner who bears more than its part already (a refund from the owner alone), nothing is taken.
 *
 * @param amount at most what is left of all parties together
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

/**
 * What each party gives so that all have given the same part of what refunds in proportion can take from
 * them, before and now. Who gave a cent or more beyond that, because others were spared, gives nothing; what
 * is less came of rounding, and stays in the account of all.
 */
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

/** Where `worth` is largest among those that `may`; the later one on a tie. */
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
  if (most === undefined) throw new Error('there is no share to take a cent from')
  return most.index
}

/**
 * Takes `amount` by fractions of it, which sum to 1 at most. Each part is rounded half up; while all exceed
 * the amount, the one with the largest upward rounding (the later one on a tie) gives one cent less. What
 * the fractions leave is the owner's to give, as what a split leaves is the owner's to have.
 */
export function divideByFractions(amount: Cents, fractions: readonly Rational[]): DividedRefund {
  const exact = fractions.map((fraction) => fraction.mul(amount))
  const shares = roundedWithin(amount, exact)
  return { exact, shares, owner: cents(amount - sumOf(shares)) }
}

/**
 * Rounds each part half up; while all exceed `limit`, the one with the largest upward rounding (the later one
 * on a tie) loses one cent. Parts are not negative.
 */
export function roundedWithin(limit: Cents, exact: readonly Rational[]): readonly Cents[] {
  const rounded = exact.map((part) => cents(roundHalfUp(part)))
  const upward = (index: number) => rational(rounded[index] as bigint).sub(exact[index] as Rational)
  for (let excess = sumOf(rounded) - limit; excess > 0n; excess -= 1n) {
    const index = indexOfMost(rounded, upward, (part) => part > 0n)
    rounded[index] = cents((rounded[index] as bigint) - 1n)
  }
  return rounded
}
