// The port to a third party's online wallet (PAYPAL): its customers agree on its pages, then we take the money.
import type { Cents } from '../kernel/money.ts'
import type { UnclearAnswer } from './card-acquirer.ts'
import type { RefundsPayments } from './refund.ts'

/** What a customer of the wallet is asked to agree to. */
export interface WalletOrder {
  /** Our idempotency key (a UUID): under one key money moves once. */
  readonly key: string
  /** Our operation, which the wallet tells back in its reports. */
  readonly reference: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
  /** Where the customer goes after the wallet's pages, whatever they decided there. */
  readonly returnUrl: string
  readonly language: 'pt' | 'en'
}

/** Why no money comes. */
export type OnlineWalletDecline = 'cancelled' | 'expired' | 'insufficient_funds' | 'not_agreed' | 'refused'

/** `paid` and `declined` are final. */
export type WalletAnswer =
  /** The customer has not decided; `approveUrl` is where they do. */
  | { readonly kind: 'open'; readonly approveUrl: string }
  /** The customer agreed: the money waits to be taken. */
  | { readonly kind: 'agreed' }
  | { readonly kind: 'paid'; readonly reference: string }
  | { readonly kind: 'declined'; readonly reason: OnlineWalletDecline }
  | UnclearAnswer

/**
 * Agreeing moves no money: `take` does, and only what was agreed to. So a customer who agrees on a page that
 * was left behind pays nothing.
 */
export interface OnlineWallet extends RefundsPayments {
  /** An absolute URL at the host of its pages: a customer's browser is let go nowhere else. */
  readonly pagesUrl: string
  /** Places an order. Repeated under one key it answers where that order stands. */
  open(order: WalletOrder, signal?: AbortSignal): Promise<WalletAnswer>
  /**
   * Takes the money of an order that was agreed to; `not_agreed` when it was not. Repeated it answers as the
   * first time. May throw or never answer: call it through `callRail`.
   */
  take(key: string, signal?: AbortSignal): Promise<WalletAnswer>
  /** Where the order stands; `not_found` when it has not been received so far. */
  inquire(key: string): Promise<WalletAnswer | { readonly kind: 'not_found' }>
}
