// The contract of the mobile wallet: the network that asks its customers on their phones, and keeps their mandates.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { HoldAnswer, NotReceived, Reversal, UnknownAnswer } from './card-acquirer.ts'

interface Asked {
  /** Our idempotency key (a UUID): under one key a customer is asked once, and money moves once. */
  readonly key: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  /** E.164 */
  readonly phone: string
  /** The customer can approve before this moment, and not at it. */
  readonly expires: Instant
}

/** What a merchant wants of a SUBSCRIPTION mandate; the customer sets its limit and last day themselves. */
export interface WantedMandate {
  /** As much as may be charged in a calendar month. */
  readonly limit: Cents
  /** The day of the first charge: the network takes no approval that ends before it. */
  readonly from: Day
}

export interface WalletPaymentRequest extends Asked {
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
  /** `sale` takes the money once approved; `hold` reserves it for later captures. */
  readonly intent: 'sale' | 'hold'
  /**
   * Key of a mandate of this merchant and phone: under it the network approves without asking the customer.
   * Where the mandate is not usable any more, the customer is asked as if none had been named.
   */
  readonly mandate?: string | undefined
  /**
   * A SUBSCRIPTION mandate, with a key of its own, that the same answer of the customer makes: approved both, or
   * neither. With it the customer is always asked.
   */
  readonly opens?: { readonly key: string; readonly wanted: WantedMandate } | undefined
}

export interface WalletMandateRequest extends Asked {
  readonly kind: 'ONECLICK' | 'SUBSCRIPTION'
  readonly wanted?: WantedMandate | undefined
}

export type WalletDecline =
  | 'refused'
  | 'expired'
  | 'withdrawn'
  | 'not_registered'
  | 'insufficient_funds'
  | 'not_permitted'
  /** The provider takes no payment so small, or so large: nobody was asked. */
  | 'amount_too_small'
  | 'amount_too_large'

/**
 * The state of a payment; `waiting` until the customer answers, then final. Where a mandate was named it says that the
 * customer is asked all the same: `unknown` while that is not known.
 */
export type WalletPaymentAnswer =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'approved'
      readonly reference: string
      /** Whether the mandate that was named replaced the customer's PIN. */
      readonly byMandate: boolean
      /** Of a hold: until when it can be captured, where the network says so. */
      readonly heldUntil?: Instant | undefined
    }
  | {
      readonly kind: 'declined'
      readonly decline: WalletDecline
      /** The network does not say that it is over, as long as it has taken: an approval that comes after all is reversed. */
      readonly mayArrive?: boolean
    }

export type WalletMandateAnswer =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'declined'; readonly decline: WalletDecline }

/** What a customer's app did to a mandate; `version` counts from 1 without gaps. */
export type WalletMandateChange = { readonly version: number } & (
  | { readonly kind: 'approved' | 'updated'; readonly limit: Cents; readonly expiryDate: Day }
  | { readonly kind: 'refused' | 'expired' | 'suspended' | 'resumed' | 'cancelled' }
)

export type WalletMandateHistory =
  | { readonly kind: 'changes'; readonly changes: readonly WalletMandateChange[] }
  | NotReceived

/** Money that follows an approved payment: part of a hold captured or released, or part of a sale refunded. */
export interface WalletFollowUp {
  readonly key: string
  /**
   * Key of the payment, approved as a `hold` (capture, release) or a `sale` (refund). Of a hold its captures are
   * refunded, each by the capture's own key.
   */
  readonly payment: string
  readonly amount: Cents
}

export type WalletFollowUpAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly decline: WalletDecline }

/**
 * Every verb may throw or never answer; call it through `callRail`. Repeated under one key it answers alike. A driver
 * hands `signal` to its connection, and sends nothing from any queue of its own once it was aborted.
 */
export interface MobileWallet {
  /** Whether the number belongs to a customer of the network; `unsupported` if the network does not answer such questions. */
  findCustomer(
    phone: string,
  ): Promise<{ readonly kind: 'registered' | 'not_registered' | 'unsupported' } | UnknownAnswer>
  requestPayment(
    request: WalletPaymentRequest,
    signal?: AbortSignal,
  ): Promise<WalletPaymentAnswer | UnknownAnswer>
  inquirePayment(key: string): Promise<WalletPaymentAnswer | UnknownAnswer | NotReceived>
  /**
   * Withdraws what the customer has not answered yet, with the mandate it opens; answers its state then. What
   * arrives under the key afterwards is shown to no customer, unless the answer was `not_found`: then it may be.
   */
  withdrawPayment(
    key: string,
    signal?: AbortSignal,
  ): Promise<WalletPaymentAnswer | UnknownAnswer | NotReceived>
  requestMandate(
    request: WalletMandateRequest,
    signal?: AbortSignal,
  ): Promise<WalletMandateAnswer | UnknownAnswer>
  /**
   * Withdraws the request for a mandate that the customer has not answered, which then expires; `over` where they
   * have, or their time was: then the mandate stays as it is.
   */
  withdrawMandate(
    key: string,
    signal?: AbortSignal,
  ): Promise<{ readonly kind: 'withdrawn' | 'over' } | UnknownAnswer | NotReceived>
  /** What became of a mandate after the version that the caller knows, oldest first. */
  mandateHistory(key: string, afterVersion: number): Promise<WalletMandateHistory | UnknownAnswer>
  /** Ends a mandate on the merchant's behalf, also before it was answered; one that is over stays as it is. */
  cancelMandate(
    key: string,
    signal?: AbortSignal,
  ): Promise<{ readonly kind: 'cancelled' } | UnknownAnswer | NotReceived>
  capture(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  release(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  refund(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  inquireFollowUp(key: string): Promise<WalletFollowUpAnswer | UnknownAnswer | NotReceived>
  /** Whether an approved hold still stands. Absent: holds stand as long as the network said when it approved them. */
  inquireHold?(key: string, signal?: AbortSignal): Promise<HoldAnswer>
  /**
   * Has a follow-up that has not arrived under this key declined, as `withdrawn`, should it arrive later; answers what
   * became of one that has. Networks without it are inquired instead.
   */
  cancelFollowUp?(
    key: string,
    signal?: AbortSignal,
  ): Promise<WalletFollowUpAnswer | UnknownAnswer | NotReceived>
  /** Undoes an approved payment, hold or follow-up completely. */
  reverse(reversal: Reversal, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
}

/**
 * The network's notice that something happened under a key; it may come late, twice or never. It says no more
 * than that: the gateway asks the network what happened, so that a forged notice does nothing.
 */
export interface MobileWalletNotice {
  readonly kind: 'payment' | 'mandate'
  readonly key: string
}
