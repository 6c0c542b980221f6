// The contract of the acquirer: the bank that asks a card's issuer for money on a merchant's behalf.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'

/** What an acquirer is asked to authorize. */
export interface CardAuthorization {
  /** Our idempotency key (a UUID): under one key money moves once, however often it is asked. */
  readonly key: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
  /** `sale` takes the money at once; `hold` reserves it for later captures. */
  readonly intent: 'sale' | 'hold'
  readonly card: PresentedCard
  /** What the issuer said about who is paying; absent for a payment the merchant initiates. */
  readonly authentication?: AuthenticationProof
  /** Whether the card is being stored, or was stored before, and who initiated this payment. */
  readonly credentialOnFile?: 'initial' | 'customer_initiated' | 'merchant_initiated'
}

/** A payment whose customer is at one of our pages, for an acquirer that has the issuer authenticate them itself. */
export interface CustomerAuthorization extends Omit<CardAuthorization, 'intent' | 'authentication' | 'card'> {
  /** Absent where the customer types it into the acquirer's own form ({@link CustomerAuthorizations.hasCardForm}). */
  readonly card?: PresentedCard
  /** As of {@link CardAuthorization}; `verify` asks the issuer who the holder is, and moves nothing. */
  readonly intent: CardAuthorization['intent'] | 'verify'
  readonly browser: CustomerBrowser
  /** Where the customer's browser is to come back to, whatever the issuer said. */
  readonly returnUrl: string
}

/** What issuers want to know of a customer's browser. */
export interface CustomerBrowser {
  readonly acceptHeader: string
  readonly userAgent: string
  readonly ip?: string | undefined
  readonly language?: string | undefined
  readonly javascript: boolean
  readonly colorDepth?: number | undefined
  readonly screenWidth?: number | undefined
  readonly screenHeight?: number | undefined
  /** Minutes, as browsers report it: UTC minus local time. */
  readonly timezoneOffset?: number | undefined
}

/** The customer must go to a page of the acquirer or issuer. What came of it is asked when they come back. */
export interface CustomerNeeded {
  readonly kind: 'customer'
  readonly page: CustomerPage
}

/** A page of the acquirer or issuer, or a page of ours on which the acquirer's form is shown. */
export type CustomerPage = LinkedPage | CardFormPage

/** A page of the acquirer or issuer. */
export interface LinkedPage {
  readonly url: string
  /** What the browser posts to it; absent where the address is opened. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** The acquirer's card form: a script of the acquirer's draws it on a page of ours, and alone reads what is typed. */
export interface CardFormPage {
  readonly cardForm: {
    /** Absolute address; the page may load from its origin, and from no other but our own. */
    readonly script: string
    /** Of the `form` element in which the script draws, such as `class`: names of lower case letters and hyphens. */
    readonly attributes: Readonly<Record<string, string>>
  }
}

/** How an acquirer is asked that has the issuer authenticate customers itself. */
export interface CustomerAuthorizations {
  /** Whether it does so for this merchant; for others we authenticate, and it is handed the proof. */
  serves(merchantId: bigint): boolean
  /**
   * Whether customers of a merchant it serves type their card into the acquirer's own form, so that the gateway never
   * has it: then they are always asked to go there, and no card is stored, charged later or taken by the card API.
   */
  hasCardForm?(merchantId: bigint): boolean
  /** Promises what {@link CardAcquirer.authorize} does. Money may move as soon as the customer has been at the page. */
  authorize(request: CustomerAuthorization, signal?: AbortSignal): Promise<AcquirerAnswer | CustomerNeeded>
  /** What became of a request: {@link CardAcquirer.inquire}, and the page while the customer is to go there. */
  inquire(key: string, signal?: AbortSignal): Promise<AcquirerAnswer | CustomerNeeded | NotReceived>
}

/** What an acquirer is asked to do with what it approved before. */
export interface FollowUp {
  /** Our idempotency key (a UUID), as of {@link CardAuthorization}; each request has its own. */
  readonly key: string
  /** The key of what it follows: of the hold, and of a refund, the sale or the capture. */
  readonly original: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amount: Cents
  readonly currency: string
}

/** A release: of an amount, or of all that is still held. */
export type Release = Omit<FollowUp, 'amount'> & { readonly amount: Cents | 'all' }

/** A card as it is sent to the acquirer, in memory only. */
export interface PresentedCard {
  /** Digits only. */
  readonly number: string
  /** `month` 1 to 12, `year` with four digits. */
  readonly expiry: { readonly month: number; readonly year: number }
  /** Never stored, so absent from everything but the customer's own first request (PCI DSS 3.3.1). */
  readonly vcode?: string
  readonly name: string
}

/** The outcome of 3-D Secure in the words an acquirer wants it. */
export interface AuthenticationProof {
  readonly eci: string
  /** 28 characters of base64. */
  readonly value: string
  readonly dsTransId: string
  /** Version of the 3-D Secure messages, such as `2.2.0`. */
  readonly version: string
}

/** Why an issuer or acquirer declined. */
export type DeclineReason =
  | 'do_not_honour'
  | 'insufficient_funds'
  | 'expired_card'
  | 'lost_or_stolen'
  | 'wrong_security_code'
  | 'invalid_card'
  | 'limit_exceeded'
  | 'not_permitted'
  /** The acquirer takes no payment so small, or so large: no issuer was asked. */
  | 'amount_too_small'
  | 'amount_too_large'
  | 'suspected_fraud'
  | 'authentication_required'

/**
 * Why an acquirer itself declined a capture, release or refund: so much is not held, or was not taken, or
 * there is nothing under that key.
 */
export type FollowUpDecline = 'exceeds_hold' | 'exceeds_payment'

/** The key was cancelled before the request under it arrived: nothing was taken, and nothing will be. */
export type Cancelled = 'cancelled'

/** Only `approved` and `declined` are final. */
export type AcquirerAnswer =
  | {
      readonly kind: 'approved'
      readonly reference: string
      readonly approvalCode?: string
      /** Of a hold: until when it can be captured, where its provider says so. */
      readonly heldUntil?: Instant | undefined
    }
  | {
      readonly kind: 'declined'
      readonly decline: DeclineReason | FollowUpDecline | Cancelled
      readonly reference?: string
      /** The acquirer does not say that it is over, as long as it has taken: an approval that comes after all is reversed. */
      readonly mayArrive?: boolean
    }
  | UnknownAnswer

/** The outcome is unknown: timeout, broken connection, an answer that cannot be read. */
export interface UnknownAnswer {
  readonly kind: 'unknown'
  /** For the log; holds nothing of the card. */
  readonly why: string
}

/** `ended`: nothing of the hold can be captured any more, whoever ended it. */
export type HoldAnswer = { readonly kind: 'held' | 'ended' } | UnknownAnswer | NotReceived

/** Undoes an approval completely. */
export interface Reversal {
  /** Our idempotency key (a UUID) of the reversal itself. */
  readonly key: string
  /** The key under which something was approved. */
  readonly original: string
}

/**
 * Every verb may throw or never answer: call it through `callRail`. A driver hands `signal` to its connection, and
 * promises that a call is not sent from any queue of its own once it was aborted.
 */
export interface CardAcquirer {
  /** Absent: we authenticate every customer. Verbs below answer `unknown` while a customer is at its page. */
  readonly customers?: CustomerAuthorizations | undefined
  /** Asks for the money. Repeated under one key it answers as the first time and moves no money again. */
  authorize(request: CardAuthorization, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** Takes money of an approved hold; several captures may share one. Promises what `authorize` does. */
  capture(request: FollowUp, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** Gives an approved hold back to its cardholder, in part or whole. Promises what `authorize` does. */
  release(request: Release, signal?: AbortSignal): Promise<AcquirerAnswer>
  /** Gives money of a sale or capture back to its cardholder; several refunds may share one. Promises the same. */
  refund(request: FollowUp, signal?: AbortSignal): Promise<AcquirerAnswer>
  /**
   * What became of the request with this key, whichever of the above it was. `not_found` means that the acquirer has
   * not received it so far: final only once no call under that key can still arrive.
   */
  inquire(key: string, signal?: AbortSignal): Promise<AcquirerAnswer | NotReceived>
  /** Whether an approved hold still stands. Absent: holds stand as long as the acquirer said when it approved them. */
  inquireHold?(key: string, signal?: AbortSignal): Promise<HoldAnswer>
  /**
   * Has a request that has not arrived under this key declined, as `cancelled`, should it arrive later; answers what
   * became of one that has. A page of a customer who has not answered there is closed, and counts as `cancelled`.
   * Acquirers without it are inquired instead.
   */
  cancel?(key: string, signal?: AbortSignal): Promise<AcquirerAnswer>
  /**
   * Undoes what was approved under a key, whole: a sale goes back, a hold is given up, what was captured is held
   * again, and a refund or release is taken back. Promises what `authorize` does.
   */
  reverse(reversal: Reversal, signal?: AbortSignal): Promise<AcquirerAnswer>
}

/** The rail has not received a request under that key so far. */
export interface NotReceived {
  readonly kind: 'not_found'
}

/**
 * The last step for a request that an acquirer has not received: its key is cancelled, where the acquirer can do
 * that. `not_found`: nothing was taken.
 */
export async function cancelAtAcquirer(
  acquirer: CardAcquirer,
  key: string,
  signal: AbortSignal,
): Promise<AcquirerAnswer | NotReceived> {
  const answer = await (acquirer.cancel ?? acquirer.inquire).call(acquirer, key, signal)
  return isCancelled(answer) ? { kind: 'not_found' } : answer
}

/** Whether an acquirer says that the key was cancelled before anything arrived under it. */
export function isCancelled(answer: AcquirerAnswer | NotReceived): boolean {
  return answer.kind === 'declined' && answer.decline === 'cancelled'
}
