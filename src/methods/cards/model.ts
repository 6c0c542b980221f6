// A card, and a customer's attempt to pay with it.
import type { CardSummary } from '../../kernel/values/card-numbers.ts'
import type { AttemptOwner, AttemptPurpose, CustomerAttempt } from '../../operations/for-methods.ts'
import type { CustomerBrowser, CustomerPage } from '../../rails/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'

/** No customer has more cards than this. The limit prevents a test of many stolen cards on one checkout. */
export const attemptsPerSubjectMax = 20

/** Data that a person typed. `vcode` is only in memory, for one authorization (PCI DSS 3.3.1). */
export interface CardDetails {
  readonly number: string
  readonly name: string
  readonly expiry: CardExpiry
  readonly vcode: string
}

export interface CardExpiry {
  readonly month: number
  readonly year: number
}

export interface BrowserFacts extends CustomerBrowser {
  readonly pageLanguage?: string | undefined
}

export interface Authentication {
  readonly transStatus: string
  readonly eci?: string | undefined
  readonly value?: string | undefined
  readonly dsTransId?: string | undefined
  readonly version: string
}

/** The customer's step in an OPEN attempt. LEFT_TO_ACQUIRER: the acquirer authenticates the customer. */
export type AuthenticationStep =
  | 'STARTED'
  | 'ISSUER_ASKED'
  | 'CHALLENGED'
  | 'AUTHENTICATED'
  | 'LEFT_TO_ACQUIRER'

/**
 * All transitions of an OPEN attempt.
 * @public A test compares them with the drawing in docs/states.
 */
export const authenticationTransitions: Readonly<Record<AuthenticationStep, readonly AuthenticationStep[]>> =
  {
    STARTED: ['ISSUER_ASKED', 'LEFT_TO_ACQUIRER'],
    ISSUER_ASKED: ['CHALLENGED', 'AUTHENTICATED'],
    CHALLENGED: ['AUTHENTICATED'],
    AUTHENTICATED: [],
    LEFT_TO_ACQUIRER: [],
  }

export type CardOwner = Exclude<AttemptOwner, 'direct'>

export interface CardAttemptDetails {
  readonly step: AuthenticationStep
  /** `verify` authenticates the cardholder and moves no money. */
  readonly intent: 'sale' | 'hold' | 'verify'
  readonly keepsCard: boolean
  /** The customer who gets the card as a saved one after the payment. */
  readonly savesFor?: string | undefined
  /** The token of the saved card that pays. */
  readonly savedCard?: string | undefined
  readonly card?: CardSummary | undefined
  readonly browser: BrowserFacts
  readonly methodUrl?: string | undefined
  readonly version?: string | undefined
  readonly acsUrl?: string | undefined
  readonly acsTransactionId?: string | undefined
  readonly authentication?: Authentication | undefined
  readonly leftToAcquirer?: boolean | undefined
  readonly page?: CustomerPage | undefined
  readonly visitedPage?: CustomerPage | undefined
}

/** Each attempt has its own outcome and never inherits an earlier one. */
export type CardAttempt = CustomerAttempt<CardAttemptDetails>

export interface CardPurpose extends AttemptPurpose<CardAttemptDetails> {
  returnUrl(attempt: CardAttempt): Promise<string>
}

export function stepOf({ state, details }: CardAttempt): AuthenticationStep | undefined {
  return state === 'OPEN' ? details.step : undefined
}

export function isReadyToAsk(attempt: CardAttempt): boolean {
  const step = stepOf(attempt)
  return step === 'AUTHENTICATED' || step === 'LEFT_TO_ACQUIRER'
}

export function isBeingDecided(attempt: CardAttempt): boolean {
  return attempt.state === 'ASKED' || stepOf(attempt) === 'ISSUER_ASKED' || isReadyToAsk(attempt)
}

export function pageToVisit({ state, details }: CardAttempt): CustomerPage | undefined {
  const { page, visitedPage } = details
  if (state !== 'ASKED' || page === undefined) return undefined
  return JSON.stringify(page) === JSON.stringify(visitedPage) ? undefined : page
}

export function isAtCardForm(attempt: CardAttempt): boolean {
  const page = pageToVisit(attempt)
  return page !== undefined && 'cardForm' in page
}

/** The `threeDSServerTransID` in all messages about the attempt. */
export function threeDsIdOf({ key, threeDsId }: CardAttempt): string {
  if (threeDsId === undefined) throw new Error(`attempt ${key} has no transaction of 3-D Secure`)
  return threeDsId
}

export const cardStorings = table(
  'card_storings',
  {
    /** The id is a part of the address that the customer's browser opens. */
    id: column.uuid(),
    walletId: column.bigint(),
    requestId: column.uuid(),
    state: column.text<'PENDING' | 'COMPLETED' | 'FAIL'>(),
    urlConfirm: column.text(),
    urlCancel: column.text(),
    token: column.uuid().optional(),
  },
  {
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
)

export type CardStoring = RowOf<typeof cardStorings>
