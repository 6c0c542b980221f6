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
  /** Also saves the customer's account for later charges, or both fail. An amount of 0 only saves it. */
  readonly saves?: boolean | undefined
}

export type OnlineWalletDecline =
  | 'cancelled'
  | 'expired'
  | 'insufficient_funds'
  | 'not_agreed'
  | 'refused'
  /** The customer or the provider ended the permission to charge a saved account. */
  | 'account_ended'

export type WalletAnswer =
  | { readonly kind: 'open'; readonly approveUrl: string }
  | { readonly kind: 'agreed' }
  /** The order is paid. A hold is reserved. With an amount of 0 the account is saved. */
  | { readonly kind: 'paid'; readonly reference: string; readonly heldUntil?: Instant | undefined }
  /** Captured but not paid yet: the provider reviews it or waits for the payer's bank, sometimes for days. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'declined'; readonly reason: OnlineWalletDecline }
  | UnknownAnswer

/** Only `capture` moves money. A customer who agrees on an abandoned page therefore pays nothing. */
export interface OnlineWallet extends RefundsPayments {
  /** An absolute URL. Only pages of its host may be opened in the browser. */
  readonly pagesUrl: string
  open(order: WalletOrder, signal?: AbortSignal): Promise<WalletAnswer>
  /** Captures an agreed order, else `not_agreed`. A repeated key gets the same answer. Use `callRail`. */
  capture(key: string, signal?: AbortSignal): Promise<WalletAnswer>
  inquire(key: string): Promise<WalletAnswer | { readonly kind: 'not_found' }>
  /** Absent if the wallet cannot reserve money. */
  readonly holds?: WalletHolds | undefined
  /** Absent if the wallet saves no accounts. */
  readonly saved?: SavedAccounts | undefined
  /** The features that this merchant's provider lacks. Absent: it lacks nothing. */
  lacks?(merchantId: bigint): readonly MobileWalletLack[]
}

/** Captures and releases of holds, by the key of the hold. A refund names the key of a capture. */
export interface WalletHolds {
  /** If the key is repeated, it returns the same answer. Use `callRail`. */
  capture(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  release(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  inquireFollowUp(key: string): Promise<WalletFollowUpAnswer | UnknownAnswer | NotReceived>
  /** Whether a hold is still valid. */
  inquireHold(key: string): Promise<HoldAnswer>
}

export interface AccountCharge extends Omit<WalletOrder, 'returnUrl' | 'language' | 'intent' | 'saves'> {
  /** The key of the order that saved the account. */
  readonly account: string
}

/** Charges of saved accounts without their customer. `inquire` and `refund` know the key of a charge. */
export interface SavedAccounts {
  /** `paid`, `waiting` or `declined`. A repeated key gets the same answer. Use `callRail`. */
  charge(charge: AccountCharge, signal?: AbortSignal): Promise<WalletAnswer>
  /** Whether the account can still be charged. `not_found`: no order with this key has saved an account. */
  inquireAccount(account: string): Promise<{ readonly kind: 'saved' | 'ended' } | UnknownAnswer | NotReceived>
  /** Ends the permission to charge. Can be repeated. `not_found`: no account is saved under this key. */
  forget(
    account: string,
    signal?: AbortSignal,
  ): Promise<{ readonly kind: 'ended' } | UnknownAnswer | NotReceived>
}
