// Deciding how a refund of a divided payment is taken from its shares (CONTRACT section 10).
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Rational } from '../kernel/values/rational.ts'
import { type DividedRefund, divideByFractions, divideInProportion, type Party } from './divide-refund.ts'
import type { BookedShare, RefundSource, ShareRefund } from './model.ts'

/** A divided payment as refunds have left it. */
export interface DividedPayment {
  /** What was paid, in cents; the gateway's fee is not given back, so the owner bears it. */
  readonly amount: Cents
  /** What was refunded of the payment, pending refunds included, in cents. */
  readonly refunded: Cents
  readonly shares: readonly BookedShare[]
  /** Each refund in proportion, pending ones included: its amount and what it takes from shares; negative where it came back. */
  readonly proportionate: readonly { readonly amount: Cents; readonly shareRefunds: readonly ShareRefund[] }[]
}

/** A wallet that a refund names, with the part of the refund that it is to give. */
export interface ListedWallet {
  readonly walletId: bigint
  readonly fraction: Rational
}

export interface RefundPlan {
  readonly source: RefundSource
  /** From shares, those of nothing left out. */
  readonly shareRefunds: readonly ShareRefund[]
  /** From the marketplace owner, in cents. */
  readonly owner: Cents
  /** Per share concerned, before rounding, for a dry run. */
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
    return ok(planOf('proportion', shares, divideInProportion(amount, parties, owner)))
  }
  if (listed.length === 0) return ok({ source: 'owner', shareRefunds: [], owner: amount, parts: [] })
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
  const taken = divideByFractions(
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

function planOf(source: RefundSource, shares: readonly BookedShare[], taken: DividedRefund): RefundPlan {
  const parts = shares.map((share, index) => ({
    share,
    exact: taken.exact[index] as Rational,
    amount: taken.shares[index] as Cents,
  }))
  const shareRefunds = parts
    .filter(({ amount }) => amount > 0n)
    .map(({ share: { position, walletId, transferId }, amount }) => ({
      position,
      walletId,
      transferId,
      amount,
    }))
  return { source, shareRefunds, owner: taken.owner, parts }
}

function partiesOf({ amount, refunded, shares, proportionate }: DividedPayment) {
  const taken = new Map<number, bigint>()
  let byOwner = 0n
  for (const { amount: total, shareRefunds } of proportionate) {
    byOwner += total
    for (const part of shareRefunds) {
      taken.set(part.position, (taken.get(part.position) ?? 0n) + part.amount)
      byOwner -= part.amount
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
