// The steps of a division or refund, for `dry_run=true`.
import { type Cents, decimalText } from '../kernel/money.ts'
import type { Rational } from '../kernel/values/rational.ts'
import type { Division } from './divide.ts'
import type { RefundPlan } from './plan-refund.ts'

export function explainDivision(amount: Cents, { net, shares, owner }: Division): Record<string, unknown> {
  return {
    amount: decimalText(amount),
    fee: decimalText(amount - net),
    net: decimalText(net),
    shares: shares.map((share) => ({
      merchant_wallet: share.publicId,
      fraction: share.fraction.toFraction(),
      fee_variable: variableFee(share.feeVariableBp),
      fee_fixed: decimalText(share.feeFixed),
      calculation:
        `(1 - ${variableFee(share.feeVariableBp)}) * ${share.fraction.toFraction()} * ${decimalText(net)}` +
        ` - ${decimalText(share.feeFixed)} = ${exactEuros(share.exact)}`,
      exact: exactEuros(share.exact),
      rounded: decimalText(share.rounded),
      lost_cent: share.lostCent,
      amount: decimalText(share.amount),
    })),
    owner: decimalText(owner),
  }
}

export function explainRefund(amount: Cents, { source, parts, owner }: RefundPlan): Record<string, unknown> {
  return {
    amount: decimalText(amount),
    source,
    shares: parts.map(({ share, exact, amount: taken }) => ({
      merchant_wallet: share.publicId,
      received: decimalText(share.amount),
      refunded_before: decimalText(share.refunded),
      exact: exactEuros(exact),
      amount: decimalText(taken),
      left: decimalText(share.amount - share.refunded - taken),
    })),
    owner: decimalText(owner),
  }
}

/** The fee as `splits` shows it: a text with 4 decimals. */
export function variableFee(basisPoints: number): string {
  return (basisPoints / 10_000).toFixed(4)
}

/** Writes an amount with fractions of a cent as an exact quotient of euros. */
function exactEuros(exact: Rational): string {
  return exact.div(100n).toFraction()
}
