// Decides the part of each share in a refund (CONTRACT section 10).
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Rational } from '../kernel/values/rational.ts'
import { type DividedRefund, divideByFractions, divideInProportion, type Party } from './divide-refund.ts'
import type { BookedShare, RefundSource, ShareRefund } from './model.ts'

export interface DividedPayment {
  /** The gateway does not refund its fee, so the owner bears it. */
  readonly amount: Cents
  /** The refunded amount, including pending refunds. */
  readonly refunded: Cents
  readonly shares: readonly BookedShare[]
  /** Refunds in proportion, including pending ones. A returned refund is negative. */
  readonly proportionate: readonly { readonly amount: Cents; readonly shareRefunds: readonly ShareRefund[] }[]
}

export interface ListedWallet {
  readonly walletId: bigint
  readonly fraction: Rational
}

export interface RefundPlan {
  readonly source: RefundSource
  /** Shares that give nothing are left out. */
  readonly shareRefunds: readonly ShareRefund[]
  /** The amount that the marketplace owner gives. */
  readonly owner: Cents
  /** For a preview: the parts before rounding. */
  readonly parts: readonly { readonly share: BookedShare; readonly exact: Rational; readonly amount: Cents }[]
}

/** In proportion without `listed`; from the owner alone with an empty list. Refusals: invalid_split. */
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
        `split[${index}] must take at most ${decimalText(left)}, the rest of the share of ${decimalText(share.amount)}`,
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
