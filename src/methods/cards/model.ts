// A card, and one customer's attempt to pay with it.
import type { CardSummary } from '../../kernel/values/card-numbers.ts'
import type { AttemptOwner, AttemptPurpose, CustomerAttempt } from '../../operations/for-methods.ts'
import type { CustomerBrowser, CustomerPage } from '../../rails/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'

/**
 * Cards tried for one payment. More than any customer has, and few enough that a list of stolen cards is not
 * tried out on one checkout.
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
export interface BrowserFacts extends CustomerBrowser {
  /** Language of our page, to come back to. */
  readonly pageLanguage?: string | undefined
}

/** What the issuer said about who is paying. */
export interface Authentication {
  readonly transStatus: string
  readonly eci?: string | undefined
  readonly value?: string | undefined
  readonly dsTransId?: string | undefined
  readonly version: string
}

/**
 * What the customer of an attempt that is OPEN goes through: nobody was asked yet, the issuer is being asked, the issuer
 * wants to see the customer, the issuer vouches for them. Or: the acquirer has the issuer asked, when it is asked itself.
 */
export type AuthenticationStep =
  | 'STARTED'
  | 'ISSUER_ASKED'
  | 'CHALLENGED'
  | 'AUTHENTICATED'
  | 'LEFT_TO_ACQUIRER'

/**
 * Every transition there is, while the attempt is OPEN.
 *
 * @public Compared with its drawing in docs/states.
 */
export const authenticationTransitions: Readonly<Record<AuthenticationStep, readonly AuthenticationStep[]>> =
  {
    STARTED: ['ISSUER_ASKED', 'LEFT_TO_ACQUIRER'],
    ISSUER_ASKED: ['CHALLENGED', 'AUTHENTICATED'],
    CHALLENGED: ['AUTHENTICATED'],
    AUTHENTICATED: [],
    LEFT_TO_ACQUIRER: [],
  }

/** What attempts by card are made for. */
export type CardOwner = Exclude<AttemptOwner, 'direct'>

/** What an attempt by card keeps of its own. */
export interface CardAttemptDetails {
  readonly step: AuthenticationStep
  /** `verify` asks the issuer who the holder is, and no acquirer for money. */
  readonly intent: 'sale' | 'hold' | 'verify'
  /** Whether its holder allows later charges without them, should this be approved. */
  readonly keepsCard: boolean
  /** Absent where the customer types it into the acquirer's own form. */
  readonly card?: CardSummary | undefined
  readonly browser: BrowserFacts
  readonly methodUrl?: string | undefined
  readonly version?: string | undefined
  readonly acsUrl?: string | undefined
  readonly acsTransactionId?: string | undefined
  readonly authentication?: Authentication | undefined
  /** Whether the acquirer has the issuer authenticate the customer; otherwise we ask the issuer. */
  readonly leftToAcquirer?: boolean | undefined
  /** Where the acquirer wants the customer to go. */
  readonly page?: CustomerPage | undefined
  /** The page that the customer came back from. */
  readonly visitedPage?: CustomerPage | undefined
}

/** One customer's attempt to pay with one card. A later one never inherits the outcome of one before. */
export type CardAttempt = CustomerAttempt<CardAttemptDetails>

/** The purpose of an attempt by card. */
export interface CardPurpose extends AttemptPurpose<CardAttemptDetails> {
  /** Where the customer's browser goes on after the issuer's page. */
  returnUrl(attempt: CardAttempt): Promise<string>
}

/** The step of an attempt that is OPEN. */
export function stepOf({ state, details }: CardAttempt): AuthenticationStep | undefined {
  return state === 'OPEN' ? details.step : undefined
}

/** Whether an attempt is OPEN for no reason but that the acquirer was not asked yet. */
export function isReadyToAsk(attempt: CardAttempt): boolean {
  const step = stepOf(attempt)
  return step === 'AUTHENTICATED' || step === 'LEFT_TO_ACQUIRER'
}

/** The issuer was asked and has not answered, or the acquirer is about to be. */
export function isBeingDecided(attempt: CardAttempt): boolean {
  return attempt.state === 'ASKED' || stepOf(attempt) === 'ISSUER_ASKED' || isReadyToAsk(attempt)
}

/** The page of the acquirer or issuer to which the customer has to go now. */
export function pageToVisit({ state, details }: CardAttempt): CustomerPage | undefined {
  const { page, visitedPage } = details
  if (state !== 'ASKED' || page === undefined) return undefined
  return JSON.stringify(page) === JSON.stringify(visitedPage) ? undefined : page
}

/** Whether the customer is at the acquirer's own card form, which they may leave. */
export function isAtCardForm(attempt: CardAttempt): boolean {
  const page = pageToVisit(attempt)
  return page !== undefined && 'cardForm' in page
}

/** `threeDSServerTransID` of every message about the attempt. */
export function threeDsIdOf({ key, threeDsId }: CardAttempt): string {
  if (threeDsId === undefined) throw new Error(`attempt ${key} has no transaction of 3-D Secure`)
  return threeDsId
}

/** Cards on their way into the vault. */
export const cardStorings = table(
  'card_storings',
  {
    /** The customer's browser is sent to an address with it. */
    id: column.uuid(),
    walletId: column.bigint(),
    requestId: column.uuid(),
    state: column.text<'PENDING' | 'COMPLETED' | 'FAIL'>(),
    urlConfirm: column.text(),
    urlCancel: column.text(),
    /** Under which the card lies in the vault, once it is stored. */
    token: column.uuid().optional(),
  },
  {
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
)

export type CardStoring = RowOf<typeof cardStorings>
