// A split: the shares of a payment and of its refunds.
import type { Cents } from '../kernel/money.ts'
import type { Rational } from '../kernel/values/rational.ts'

/** The limit of CONTRACT section 2. */
export const descriptorsMax = 100

/** A checked split descriptor. Without fees of its own, the fees of the wallet's settings apply. */
export interface AskedShare {
  readonly walletId: bigint
  readonly publicId: string
  /** Above 0, at most 1. */
  readonly fraction: Rational
  readonly feeFixed: Cents
  /** In basis points of the share: 10 000 is the whole share. */
  readonly feeVariableBp: number
  readonly descr?: string | undefined
}

export interface Share extends AskedShare {
  readonly amount: Cents
}

export interface BookedShare extends Share {
  readonly position: number
  /** The operation of the sub-merchant that books the share. */
  readonly transferId: string
  /** The refunded amount, including pending refunds. */
  readonly refunded: Cents
}

export interface ShareRefund {
  readonly position: number
  readonly walletId: bigint
  readonly transferId: string
  /** Always above 0. */
  readonly amount: Cents
}

/** How to divide a refund (SPEC.md "Refund of a previously split operation"). */
export type RefundSource = 'proportion' | 'listed' | 'owner'
