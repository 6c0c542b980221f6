// The contract of the acquirer.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'

export interface CardAuthorization {
  readonly key: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amount: Cents
  readonly currency: string
  readonly intent: 'sale' | 'hold'
  readonly card: PresentedCard
  /** The issuer's proof. Absent if the merchant started the payment. */
  readonly authentication?: AuthenticationProof
  readonly credentialOnFile?: 'initial' | 'customer_initiated' | 'merchant_initiated'
}

export interface CustomerAuthorization extends Omit<CardAuthorization, 'intent' | 'authentication' | 'card'> {
  readonly card?: PresentedCard
  /** `verify` authenticates the cardholder and moves no money. */
  readonly intent: CardAuthorization['intent'] | 'verify'
  readonly browser: CustomerBrowser
  /** The page returns the browser to this address after every result. */
  readonly returnUrl: string
}

export interface CustomerBrowser {
  readonly acceptHeader: string
  readonly userAgent: string
  readonly ip?: string | undefined
  readonly language?: string | undefined
  readonly javascript: boolean
  readonly colorDepth?: number | undefined
  readonly screenWidth?: number | undefined
  readonly screenHeight?: number | undefined
  readonly timezoneOffset?: number | undefined
}

/** The customer must visit a page of the acquirer or issuer. Inquire after the browser's return. */
export interface CustomerNeeded {
  readonly kind: 'customer'
  readonly page: CustomerPage
}

export type CustomerPage = LinkedPage | CardFormPage

export interface LinkedPage {
  readonly url: string
  /** Form fields to post to the address. Absent: the browser opens the address. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** The acquirer's script draws the form on our page; only that script reads the card. */
export interface CardFormPage {
  readonly cardForm: {
    readonly script: string
    /** Attributes for the `form` element: their names have lower case letters and hyphens. */
    readonly attributes: Readonly<Record<string, string>>
  }
}

/** Authorizations by an acquirer that also authenticates the customer. */
export interface CustomerAuthorizations {
  /** For other merchants the gateway authenticates and sends the proof. */
  serves(merchantId: bigint): boolean
  /**
   * True if the customer types the card into the acquirer's own form. The gateway never has that card, so it
   * cannot store it or charge it later.
   */
  hasCardForm?(merchantId: bigint): boolean
  /** Like {@link CardAcquirer.authorize}. Money can move as soon as the customer has visited the page. */
  authorize(request: CustomerAuthorization, signal?: AbortSignal): Promise<AcquirerAnswer | CustomerNeeded>
  /** Like {@link CardAcquirer.inquire}. While the customer must visit a page, it returns the page. */
  inquire(key: string, signal?: AbortSignal): Promise<AcquirerAnswer | CustomerNeeded | NotReceived>
}

export interface FollowUp {
  readonly key: string
  /** The key of the hold. For a refund: the key of the sale or capture. */
  readonly original: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amount: Cents
  readonly currency: string
}

export type Release = Omit<FollowUp, 'amount'> & { readonly amount: Cents | 'all' }

export interface PresentedCard {
  readonly number: string
  readonly expiry: { readonly month: number; readonly year: number }
  /** The security code must never be stored (PCI DSS 3.3.1). */
  readonly vcode?: string
  readonly name: string
}

export interface AuthenticationProof {
  readonly eci: string
  readonly value: string
  readonly dsTransId: string
  readonly version: string
}

export type DeclineReason =
  | 'do_not_honour'
  | 'insufficient_funds'
  | 'expired_card'
  | 'lost_or_stolen'
  | 'wrong_security_code'
  | 'invalid_card'
  | 'limit_exceeded'
  | 'not_permitted'
  /** The acquirer refused these before it asked an issuer. */
  | 'amount_too_small'
  | 'amount_too_large'
  | 'suspected_fraud'
  | 'authentication_required'

export type FollowUpDecline = 'exceeds_hold' | 'exceeds_payment'

/** The request was cancelled before it arrived, so no money moves. */
export type Cancelled = 'cancelled'

/** Only `approved` and `declined` are final. */
export type AcquirerAnswer =
  | {
      readonly kind: 'approved'
      readonly reference: string
      readonly approvalCode?: string
      /** For a hold: the last moment to capture, if the provider says it. */
      readonly heldUntil?: Instant | undefined
    }
  | {
      readonly kind: 'declined'
      readonly decline: DeclineReason | FollowUpDecline | Cancelled
      readonly reference?: string
      /** The acquirer did not confirm the end, so a late approval is reversed. */
      readonly mayArrive?: boolean
    }
  | UnknownAnswer

export interface UnknownAnswer {
  readonly kind: 'unknown'
  readonly why: string
}

/** `ended`: nothing more can be captured. */
export type HoldAnswer = { readonly kind: 'held' | 'ended' } | UnknownAnswer | NotReceived

export interface Reversal {
  readonly key: string
  readonly original: string
}

/**
 * Every call may throw or never answer: use `callRail`. A driver passes `signal` to its connection, and sends
 * nothing later after an abort. If a key is repeated, it returns the first answer and moves no money again.
 */
export interface CardAcquirer {
  readonly customers?: CustomerAuthorizations | undefined
  authorize(request: CardAuthorization, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** Takes money of an approved hold, which can have several captures. */
  capture(request: FollowUp, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** Returns a part of a hold, or all of it, to the cardholder. */
  release(request: Release, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** Refunds a part of a sale or capture, or all of it. */
  refund(request: FollowUp, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** The outcome by key. `not_found`: not received so far; final only if no call can still arrive. */
  inquire(key: string, signal?: AbortSignal): Promise<AcquirerAnswer | NotReceived>
  /** Whether an approved hold is still valid. If this is absent, it is valid until `heldUntil`. */
  inquireHold?(key: string, signal?: AbortSignal): Promise<HoldAnswer>
  /**
   * Cancels a key: a request that arrives later is declined as `cancelled`. If it has arrived, returns its
   * outcome. Closes an open customer page. Absent: the gateway inquires.
   */
  cancel?(key: string, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** Undoes an approval: returns a sale, releases a hold, restores a captured hold, takes a refund back. */
  reverse(reversal: Reversal, signal?: AbortSignal): Promise<AcquirerAnswer>
}

export interface NotReceived {
  readonly kind: 'not_found'
}

/** The last step for a request that the acquirer has not received. `not_found`: no money was taken. */
export async function cancelAtAcquirer(
  acquirer: CardAcquirer,
  key: string,
  signal: AbortSignal,
): Promise<AcquirerAnswer | NotReceived> {
  const answer = await (acquirer.cancel ?? acquirer.inquire).call(acquirer, key, signal)
  return isCancelled(answer) ? { kind: 'not_found' } : answer
}

export function isCancelled(answer: AcquirerAnswer | NotReceived): boolean {
  return answer.kind === 'declined' && answer.decline === 'cancelled'
}
