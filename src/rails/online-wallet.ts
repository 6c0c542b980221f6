// The contract of a third party's online wallet (PAYPAL): its customers agree on its pages, then the order is captured.
import type { Cents } from '../kernel/money.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { RefundsPayments } from './refund.ts'

/** What a customer of the wallet is asked to agree to. */
export interface WalletOrder {
  /** Our idempotency key (a UUID): under one key money moves once. */
  readonly key: string
  /** Our operation, which the wallet names in its reports. */
  readonly reference: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
  /** Where the customer goes after the wallet's pages, whatever they decided there. */
  readonly returnUrl: string
  readonly language: 'pt' | 'en'
}

/** Why nothing is paid. */
export type OnlineWalletDecline = 'cancelled' | 'expired' | 'insufficient_funds' | 'not_agreed' | 'refused'

/** `paid` and `declined` are final. */
export type WalletAnswer =
  /** The customer has not decided; `approveUrl` is where they do. */
  | { readonly kind: 'open'; readonly approveUrl: string }
  /** The customer agreed: the order can be captured. */
  | { readonly kind: 'agreed' }
  | { readonly kind: 'paid'; readonly reference: string }
  | { readonly kind: 'declined'; readonly reason: OnlineWalletDecline }
  | UnknownAnswer

/**
 * Agreeing moves no money: `capture` does, and only what was agreed to. So a customer who agrees on a page that
 * was left behind pays nothing.
 */
export interface OnlineWallet extends RefundsPayments {
  /** An absolute URL at the host of its pages: a customer's browser is redirected to no other host. */
  readonly pagesUrl: string
  /** Places an order. Repeated under one key it answers the state of that order. */
  open(order: WalletOrder, signal?: AbortSignal): Promise<WalletAnswer>
  /**
   * Captures an order that was agreed to; `not_agreed` when it was not. Repeated it answers as the
   * first time. May throw or never answer: call it through `callRail`.
   */
  capture(key: string, signal?: AbortSignal): Promise<WalletAnswer>
  /** The state of the order; `not_found` when it has not been received so far. */
  inquire(key: string): Promise<WalletAnswer | { readonly kind: 'not_found' }>
}
