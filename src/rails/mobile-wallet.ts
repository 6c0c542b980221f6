// The contract of the mobile wallet: approvals and mandates by phone.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { HoldAnswer, NotReceived, Reversal, UnknownAnswer } from './card-acquirer.ts'

interface Asked {
  readonly key: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly phone: string
  readonly expires: Instant
}

/** A SUBSCRIPTION mandate as the merchant wants it; the customer sets limit and last day. */
export interface WantedMandate {
  readonly limit: Cents
  /** The day of the first charge. The mandate must not end before it. */
  readonly from: Day
}

export interface WalletPaymentRequest extends Asked {
  readonly amount: Cents
  readonly currency: string
  readonly intent: 'sale' | 'hold'
  /**
   * The key of a mandate of this merchant and phone, which replaces the customer's approval. If it cannot be
   * used, the network asks the customer.
   */
  readonly mandate?: string | undefined
  /** A SUBSCRIPTION mandate to approve with the payment. The network always asks the customer. */
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
  | 'amount_too_small'
  | 'amount_too_large'

export type WalletPaymentAnswer =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'approved'
      readonly reference: string
      readonly byMandate: boolean
      readonly heldUntil?: Instant | undefined
    }
  | {
      readonly kind: 'declined'
      readonly decline: WalletDecline
      /** The network did not confirm the end, so a late approval is reversed. */
      readonly mayArrive?: boolean
    }

export type WalletMandateAnswer =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'declined'; readonly decline: WalletDecline }

/** A change that the customer made in the app. `version` counts from 1 without gaps. */
export type WalletMandateChange = { readonly version: number } & (
  | { readonly kind: 'approved' | 'updated'; readonly limit: Cents; readonly expiryDate: Day }
  | { readonly kind: 'refused' | 'expired' | 'suspended' | 'resumed' | 'cancelled' }
)

export type WalletMandateHistory =
  | { readonly kind: 'changes'; readonly changes: readonly WalletMandateChange[] }
  | NotReceived

export interface WalletFollowUp {
  readonly key: string
  /** The key of the approved payment. For a refund of a hold: the key of the capture. */
  readonly payment: string
  readonly amount: Cents
}

export type WalletFollowUpAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly decline: WalletDecline }

/** Features that a provider of the mobile wallet can lack. The gateway then does not offer them. */
export type MobileWalletLack = 'mandates' | 'holds' | 'partial releases' | 'withdrawal'

/**
 * Every call may throw or never answer: use `callRail`. If a key is repeated, it returns the same answer. A
 * driver passes `signal` to its connection, and sends nothing later after an abort.
 */
export interface MobileWallet {
  /**
   * The features that this merchant's provider lacks. Absent: it lacks nothing. Unsupported requests are
   * declined as `not_permitted`. A withdrawal returns the present state.
   */
  lacks?(merchantId: bigint): readonly MobileWalletLack[]
  /** `unsupported`: the network does not answer such questions. */
  findCustomer(
    phone: string,
  ): Promise<{ readonly kind: 'registered' | 'not_registered' | 'unsupported' } | UnknownAnswer>
  requestPayment(
    request: WalletPaymentRequest,
    signal?: AbortSignal,
  ): Promise<WalletPaymentAnswer | UnknownAnswer>
  inquirePayment(key: string): Promise<WalletPaymentAnswer | UnknownAnswer | NotReceived>
  /**
   * Withdraws an unanswered request and the mandate that it opens. Returns the state after that. After
   * `not_found`, a late request can still reach the customer.
   */
  withdrawPayment(
    key: string,
    signal?: AbortSignal,
  ): Promise<WalletPaymentAnswer | UnknownAnswer | NotReceived>
  requestMandate(
    request: WalletMandateRequest,
    signal?: AbortSignal,
  ): Promise<WalletMandateAnswer | UnknownAnswer>
  /** Withdraws an unanswered request. `over`: it was answered or has expired, and the mandate stays. */
  withdrawMandate(
    key: string,
    signal?: AbortSignal,
  ): Promise<{ readonly kind: 'withdrawn' | 'over' } | UnknownAnswer | NotReceived>
  mandateHistory(key: string, afterVersion: number): Promise<WalletMandateHistory | UnknownAnswer>
  /** Ends a mandate for the merchant, even if the customer has not answered it. */
  cancelMandate(
    key: string,
    signal?: AbortSignal,
  ): Promise<{ readonly kind: 'cancelled' } | UnknownAnswer | NotReceived>
  capture(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  release(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  refund(followUp: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
  inquireFollowUp(key: string): Promise<WalletFollowUpAnswer | UnknownAnswer | NotReceived>
  /** Whether an approved hold is still valid. If this is absent, it is valid until `heldUntil`. */
  inquireHold?(key: string, signal?: AbortSignal): Promise<HoldAnswer>
  /**
   * Cancels a key: a follow-up that arrives later is declined as `withdrawn`. If it has arrived, returns its
   * outcome. Absent: the gateway inquires.
   */
  cancelFollowUp?(
    key: string,
    signal?: AbortSignal,
  ): Promise<WalletFollowUpAnswer | UnknownAnswer | NotReceived>
  /** Undoes an approved payment, hold or follow-up completely. */
  reverse(reversal: Reversal, signal?: AbortSignal): Promise<WalletFollowUpAnswer | UnknownAnswer>
}

/**
 * Something changed under a key. A notice can be late, repeated or lost. The gateway always asks the network,
 * so a forged notice has no effect.
 */
export interface MobileWalletNotice {
  readonly kind: 'payment' | 'mandate'
  readonly key: string
}
