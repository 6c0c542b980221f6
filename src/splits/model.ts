// What a split is: who gets which part of a payment, and what each gives back of it.
import type { Cents } from '../kernel/money.ts'
import type { Rational } from '../kernel/values/rational.ts'

/** Descriptors of one split (CONTRACT section 2). */
export const descriptorsMax = 100

/** A split descriptor, checked: its wallet known, its fees the descriptor's own or the wallet's. */
export interface AskedShare {
  readonly walletId: bigint
  readonly publicId: string
  /** Its part of the payment, above 0 and at most 1. */
  readonly fraction: Rational
  /** In cents. */
  readonly feeFixed: Cents
  /** In basis points of the share: 10 000 is all of it. */
  readonly feeVariableBp: number
  readonly descr?: string | undefined
}

/** What a sub-merchant gets of a payment. */
export interface Share extends AskedShare {
  /** In cents. */
  readonly amount: Cents
}

/** A share in the books, at its place among the shares of its payment. */
export interface BookedShare extends Share {
  readonly position: number
  /** The operation by which the sub-merchant sees it. */
  readonly transferId: string
  /** What was refunded of it, pending refunds included, in cents. */
  readonly refunded: Cents
}

/** What a refund takes from one share. */
export interface ShareRefund {
  readonly position: number
  readonly walletId: bigint
  /** The operation by which the sub-merchant saw the share. */
  readonly transferId: string
  /** In cents, above 0. */
  readonly amount: Cents
}

/** From whom a refund takes: everyone in proportion, listed wallets, or the owner (SPEC.md "Refund of a previously split operation"). */
export type RefundSource = 'proportion' | 'listed' | 'owner'
