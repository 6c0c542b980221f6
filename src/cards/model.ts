// A card, and one customer's attempt to pay with it.
import type { CardSummary } from '../kernel/values/card-summary.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/**
 * Cards tried for one payment. More than any customer has, and few enough that a list of stolen cards is not
 * tried out on one checkout (docs/decisions/0025).
 */
export const attemptsPerSubjectMax = 20

/** A card as a person types it. `vcode` lives in memory only, for one authorization (PCI DSS 3.3.1). */
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

/** The data of the customer's browser, which the issuer needs for its decision. */
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

/** Attempts to pay by card. A later one never inherits the outcome of one before. */
export const cardAttempts = table(
  'card_attempts',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    /** The operation to be paid, the storing of a card, or the subscription to accept. */
    subjectId: column.uuid(),
    /** Put into the page when it was made, so that a double click sends the same attempt. */
    pageToken: column.uuid(),
    owner: column.text<AttemptOwner>(),
    state: column.text<AttemptState>(),
    amount: column.cents(),
    currency: column.text(),
    merchantName: column.text(),
    /** `verify` asks the issuer who the holder is, and no acquirer for money. */
    intent: column.text<'sale' | 'hold' | 'verify'>(),
    /** Whether its holder allows later charges without them, should this be approved. */
    keepsCard: column.boolean(),
    sealedCard: column.bytes().optional(),
    card: column.json<CardSummary>(),
    browser: column.json<BrowserFacts>(),
    /** `threeDSServerTransID` of every message about it. */
    threeDsId: column.uuid(),
    methodUrl: column.text().optional(),
    /** Whether the issuer was asked already: it is asked once. */
    asked: column.boolean(),
    version: column.text().optional(),
    acsUrl: column.text().optional(),
    acsTransactionId: column.text().optional(),
    authentication: column.json<Authentication>().optional(),
    failure: column.text<AttemptFailure>().optional(),
    acquirerReference: column.text().optional(),
    /** How often the acquirer was asked what it did. */
    inquiries: column.integer(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  {
    dueAt: column.instant().optional(),
  },
)

/** One attempt. */
export type CardAttempt = RowOf<typeof cardAttempts>
