// A split: the shares of a payment and of its refunds.
import type { Cents } from '../kernel/money.ts'
import type { Rational } from '../kernel/values/rational.ts'

/** CONTRACT section 2. */
export const descriptorsMax = 100

/** A checked split descriptor, with its fees or the wallet's. */
export interface AskedShare {
  readonly walletId: bigint
  readonly publicId: string
  /** Above 0, at most 1. */
  readonly fraction: Rational
  /** In cents. */
  readonly feeFixed: Cents
  /** In basis points of the share: 10 000 is all of it. */
  readonly feeVariableBp: number
  readonly descr?: string | undefined
}

export interface Share extends AskedShare {
  /** In cents. */
  readonly amount: Cents
}

export interface BookedShare extends Share {
  readonly position: number
  /** The sub-merchant's operation. */
  readonly transferId: string
  /** Pending refunds included, in cents. */
  readonly refunded: Cents
}

export interface ShareRefund {
  readonly position: number
  readonly walletId: bigint
  readonly transferId: string
  /** In cents, above 0. */
  readonly amount: Cents
}

/** SPEC.md "Refund of a previously split operation". */
export type RefundSource = 'proportion' | 'listed' | 'owner'
