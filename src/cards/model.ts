// A card, and one customer's attempt to pay with it.
import type { CardSummary } from '../kernel/card-summary.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'

/**
 * Cards tried for one payment. More than any customer has, and few enough that a list of stolen cards is not
 * tried out on one checkout (docs/decisions/0025).
 */
export const attemptsPerSubjectMax = 20

/** A card as a person types it. `vcode` lives in memory only, for one authorisation (PCI DSS 3.3.1). */
export interface CardDetails {
  /** Digits only. */
  readonly number: string
  readonly name: string
  readonly expiry: CardExpiry
  readonly vcode: string
}

export interface CardExpiry {
  /** 1 to 12 */
  readonly month: number
  /** Four digits. */
  readonly year: number
}

/** What the customer's browser tells about itself; the issuer wants it for its decision. */
export interface BrowserFacts {
  readonly acceptHeader: string
  readonly userAgent: string
  readonly ip?: string | undefined
  readonly language?: string | undefined
  /** Language of our page, to come back to. */
  readonly pageLanguage?: string | undefined
  readonly javascript: boolean
  readonly colorDepth?: number | undefined
  readonly screenWidth?: number | undefined
  readonly screenHeight?: number | undefined
  /** Minutes, as browsers report it: UTC minus local time. */
  readonly timezoneOffset?: number | undefined
}

/** What the issuer said about who is paying. */
export interface Authentication {
  readonly transStatus: string
  readonly eci?: string | undefined
  readonly value?: string | undefined
  readonly dsTransId?: string | undefined
  readonly version: string
}

export type AttemptState =
  | 'STARTED'
  | 'CHALLENGED'
  | 'AUTHENTICATED'
  | 'AUTHORISING'
  | 'APPROVED'
  | 'DECLINED'
  | 'FAILED'
  | 'ABANDONED'

/**
 * Every way an attempt may go; one without any is over.
 *
 * @public Compared with its drawing in docs/states.
 */
export const attemptTransitions: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  STARTED: ['CHALLENGED', 'AUTHENTICATED', 'FAILED', 'ABANDONED'],
  CHALLENGED: ['AUTHENTICATED', 'FAILED', 'ABANDONED'],
  AUTHENTICATED: ['AUTHORISING', 'ABANDONED'],
  AUTHORISING: ['APPROVED', 'DECLINED', 'FAILED'],
  APPROVED: [],
  DECLINED: [],
  FAILED: [],
  ABANDONED: [],
}

/** Who hears the outcome. */
export type AttemptOwner = 'checkout' | 'card_api' | 'card_store' | 'subscription'

/** Why an attempt ended without money, in a word: the acquirer's or the authentication's. */
export type AttemptFailure = string

/** One attempt. A later one never inherits its outcome. */
export interface CardAttempt {
  readonly id: string
  readonly walletId: bigint
  /** The operation to be paid, the storing of a card, or the subscription to accept. */
  readonly subjectId: string
  /** Put into the page when it was made, so that a double click sends the same attempt. */
  readonly pageToken: string
  readonly owner: AttemptOwner
  readonly state: AttemptState
  readonly amount: Cents
  readonly currency: string
  readonly merchantName: string
  /** `verify` asks the issuer who the holder is, and no acquirer for money. */
  readonly intent: 'sale' | 'hold' | 'verify'
  /** Whether its holder allows later charges without them, should this be approved. */
  readonly keepsCard: boolean
  readonly sealedCard?: Uint8Array | undefined
  readonly card: CardSummary
  readonly browser: BrowserFacts
  /** `threeDSServerTransID` of every message about it. */
  readonly threeDsId: string
  readonly methodUrl?: string | undefined
  /** Whether the issuer was asked already: it is asked once. */
  readonly asked: boolean
  readonly version?: string | undefined
  readonly acsUrl?: string | undefined
  readonly acsTransactionId?: string | undefined
  readonly authentication?: Authentication | undefined
  readonly failure?: AttemptFailure | undefined
  readonly acquirerReference?: string | undefined
  /** How often the acquirer was asked what it did. */
  readonly inquiries: number
  readonly createdAt: Instant
  readonly modifiedAt: Instant
}
