// The contract of a third party's online wallet (PAYPAL).
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { HoldAnswer, NotReceived, UnknownAnswer } from './card-acquirer.ts'
import type { MobileWalletLack, WalletFollowUp, WalletFollowUpAnswer } from './mobile-wallet.ts'
import type { RefundsPayments } from './refund.ts'

export interface WalletOrder {
  readonly key: string
  readonly reference: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amount: Cents
  readonly currency: string
  readonly returnUrl: string
  readonly language: 'pt' | 'en'
  /** A `hold` reserves the amount for later captures. Default: `sale`. */
  readonly intent?: 'sale' | 'hold' | undefined
}

export type OnlineWalletDecline = 'cancelled' | 'expired' | 'insufficient_funds' | 'not_agreed' | 'refused'

export type WalletAnswer =
  | { readonly kind: 'open'; readonly approveUrl: string }
  | { readonly kind: 'agreed' }
  /** Paid; for a hold, reserved. */
  | { readonly kind: 'paid'; readonly reference: string; readonly heldUntil?: Instant | undefined }
  /** Captured, but not paid yet: the provider reviews it, or waits for the payer's bank. This can take days. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'declined'; readonly reason: OnlineWalletDecline }
  | UnknownAnswer

/** Only `capture` moves money, so a customer who agrees on an abandoned page pays nothing. */
export interface OnlineWallet extends RefundsPayments {
  /** An absolute URL. Browsers are redirected to this host only. */
  readonly pagesUrl: string
  open(order: WalletOrder, signal?: AbortSignal): Promise<WalletAnswer>
  /** Captures an agreed order; otherwise `not_agreed`. A repeated key gets the same answer. Use `callRail`. */
  capture(key: string, signal?: AbortSignal): Promise<WalletAnswer>
  inquire(key: string): Promise<WalletAnswer | { readonly kind: 'not_found' }>
  /** Absent: the wallet cannot reserve money. */
  readonly holds?: WalletHolds | undefined
  /** The functions that this merchant's provider lacks. Absent: none. */
  lacks?(merchantId: bigint): readonly MobileWalletLack[]
}

/** Captures and releases of holds, by the key of the hold. Refunds name the key of a capture. */
export interface WalletHolds {
  /** A repeated key gets the same answer. Use `callRail`. */
  capture(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  release(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  inquireFollowUp(key: string): Promise<WalletFollowUpAnswer | UnknownAnswer | NotReceived>
  /** Whether a hold is still valid. */
  inquireHold(key: string): Promise<HoldAnswer>
}
