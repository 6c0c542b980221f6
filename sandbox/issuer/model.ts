// A challenge: the issuer asks its cardholder for a code before it says who is paying.
import type { TransStatus } from '../../src/rails/index.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'

export type ChallengeState = 'open' | 'authenticated' | 'failed' | 'cancelled' | 'expired'

export const challenges = table(
  'sandbox.challenges',
  {
    /** Our own id of the transaction. */
    acsTransId: column.uuid(),
    threeDsServerTransId: column.uuid(),
    dsTransId: column.uuid(),
    messageVersion: column.text(),
    messageCategory: column.text<'01' | '02'>(),
    merchantName: column.text(),
    /** Cents; absent when a card is only being stored. */
    amount: column.bigint().optional(),
    /** ISO 4217, three letters. */
    currency: column.text().optional(),
    /** Brand as the card library names it. */
    brand: column.text(),
    last4: column.text(),
    otp: column.text(),
    state: column.text<ChallengeState>(),
    attemptsLeft: column.integer(),
    /** How often the cardholder answered. */
    interactions: column.integer(),
    authenticationValue: column.text().optional(),
    /** Where the result is reported; gone once it was received. */
    threeDsServerUrl: column.text().optional(),
    notificationUrl: column.text(),
    /** The 3DS requestor's own note, carried through the browser and given back with `cres`. */
    sessionData: column.text().optional(),
    createdAt: column.instant(),
    expiresAt: column.instant(),
  },
  { reportedAt: column.instant().optional() },
)

export type Challenge = RowOf<typeof challenges>

/** Wrong codes until the issuer gives up on the cardholder (CONTRACT section 8). */
export const attemptsMax = 3
/** How long the issuer waits for its cardholder, in the gateway's time. */
export const challengeMinutesMax = 10

interface Report {
  readonly transStatus: TransStatus
  readonly transStatusReason?: string
  readonly challengeCancel?: string
}

/** What the report says of each state: 01 authentication failed or cancelled by the cardholder, 14 and 05 timed out. */
export const reports: Readonly<Record<Exclude<ChallengeState, 'open'>, Report>> = {
  authenticated: { transStatus: 'Y' },
  failed: { transStatus: 'N', transStatusReason: '01' },
  cancelled: { transStatus: 'N', transStatusReason: '01', challengeCancel: '01' },
  expired: { transStatus: 'N', transStatusReason: '14', challengeCancel: '05' },
}

/** What may be shown of the card. */
export function maskedCard({ last4 }: Pick<Challenge, 'last4'>): string {
  return `•••• ${last4}`
}

/** Open challenges that a list shows at most. */
export const listedMax = 100
