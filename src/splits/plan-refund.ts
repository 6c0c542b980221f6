// Deciding from whom a refund is taken, of a payment that was divided (CONTRACT section 10).
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Rational } from '../kernel/values/rational.ts'
import type { BookedShare, RefundSource, Take } from './model.ts'
import { type Party, type TakenBack, takeByFractions, takeInProportion } from './take-back.ts'

/** A divided payment as refunds have left it. */
export interface DividedPayment {
  /** What was paid, in cents; the gateway's fee is not given back, so the owner bears it. */
  readonly amount: Cents
  /** What refunds have taken or are taking back of the payment, in cents. */
  readonly refunded: Cents
  readonly shares: readonly BookedShare[]
  /** What each refund in proportion took or is taking, with its amount. */
  readonly proportionate: readonly { readonly amount: Cents; readonly takes: readonly Take[] }[]
}

/** A wallet that a refund names, with the part of the refund that it is to give. */
export interface ListedWallet {
  readonly walletId: bigint
  readonly fraction: Rational
}

export interface RefundPlan {
  readonly source: RefundSource
  /** From shares, those of nothing left out. */
  readonly takes: readonly Take[]
  /** From the marketplace owner, in cents. */
  readonly owner: Cents
  /** Per share concerned, before rounding, for whoever asks how it came about. */
  readonly parts: readonly { readonly share: BookedShare; readonly exact: Rational; readonly amount: Cents }[]
}

/**
 * Plans a refund of `amount`, which is at most what is left of the payment.
 *
 * @param listed undefined: in proportion; empty: from the owner alone; else from these wallets
 *
 * Refusals: invalid_split for a wallet that has no share, or would give more than it got.
 */
export function planRefund(
  payment: DividedPayment,
  amount: Cents,
  listed: readonly ListedWallet[] | undefined,
): Result<RefundPlan> {
  const { shares } = payment
  if (listed === undefined) {
    const { parties, owner } = partiesOf(payment)
    return ok(planOf('proportion', shares, takeInProportion(amount, parties, owner)))
  }
  if (listed.length === 0) return ok({ source: 'owner', takes: [], owner: amount, parts: [] })
  return planListed(shares, amount, listed)
}

function planListed(
  shares: readonly BookedShare[],
  amount: Cents,
  listed: readonly ListedWallet[],
): Result<RefundPlan> {
  const named: BookedShare[] = []
  for (const [index, { walletId }] of listed.entries()) {
    const share = shares.find((candidate) => candidate.walletId === walletId)
    if (share === undefined) {
      return refuse('invalid_split', `split[${index}].merchant_wallet must be a wallet that has a share`)
    }
    named.push(share)
  }
  const taken = takeByFractions(
    amount,
    listed.map(({ fraction }) => fraction),
  )
  for (const [index, share] of named.entries()) {
    const left = share.amount - share.refunded
    if ((taken.shares[index] as bigint) > left) {
      return refuse(
        'invalid_split',
        `split[${index}] must take at most ${decimalText(left)}, what is left of the share of ${decimalText(share.amount)}`,
      )
    }
  }
  return ok(planOf('listed', named, taken))
}

function planOf(source: RefundSource, shares: readonly BookedShare[], taken: TakenBack): RefundPlan {
  const parts = shares.map((share, index) => ({
    share,
    exact: taken.exact[index] as Rational,
    amount: taken.shares[index] as Cents,
  }))
  const takes = parts
    .filter(({ amount }) => amount > 0n)
    .map(({ share: { position, walletId, transferId }, amount }) => ({
      position,
      walletId,
      transferId,
      amount,
    }))
  return { source, takes, owner: taken.owner, parts }
}

function partiesOf({ amount, refunded, shares, proportionate }: DividedPayment) {
  const taken = new Map<number, bigint>()
  let byOwner = 0n
  for (const { amount: total, takes } of proportionate) {
    byOwner += total
    for (const take of takes) {
      taken.set(take.position, (taken.get(take.position) ?? 0n) + take.amount)
      byOwner -= take.amount
    }
  }
  const parties: Party[] = shares.map((share) => ({
    left: cents(share.amount - share.refunded),
    inProportion: cents(taken.get(share.position) ?? 0n),
  }))
  const got = shares.reduce((rest, share) => rest - share.amount, amount as bigint)
  const gave = shares.reduce((rest, share) => rest - share.refunded, refunded as bigint)
  const owner: Party = { left: cents(gave < got ? got - gave : 0n), inProportion: cents(byOwner) }
  return { parties, owner }
}
