// Challenges, in which the issuer asks the cardholder for a code.
import type { TransStatus } from '../../src/rails/index.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'

export type ChallengeState = 'open' | 'authenticated' | 'failed' | 'cancelled' | 'expired'

export const challenges = table(
  'sandbox.challenges',
  {
    acsTransId: column.uuid(),
    threeDsServerTransId: column.uuid(),
    dsTransId: column.uuid(),
    messageVersion: column.text(),
    messageCategory: column.text<'01' | '02'>(),
    merchantName: column.text(),
    /** Cents. Absent if the card is only stored. */
    amount: column.bigint().optional(),
    currency: column.text().optional(),
    /** The card network, spelt as in the package credit-card-type. */
    brand: column.text(),
    last4: column.text(),
    otp: column.text(),
    state: column.text<ChallengeState>(),
    attemptsLeft: column.integer(),
    interactions: column.integer(),
    authenticationValue: column.text().optional(),
    /** The address for the report. Removed after the report arrived. */
    threeDsServerUrl: column.text().optional(),
    notificationUrl: column.text(),
    /** Data that the 3DS requestor sent and gets back with `cres`. */
    sessionData: column.text().optional(),
    createdAt: column.instant(),
    expiresAt: column.instant(),
  },
  { reportedAt: column.instant().optional() },
)

export type Challenge = RowOf<typeof challenges>

/** Wrong codes that end a challenge (CONTRACT section 8). */
export const attemptsMax = 3
/** Time for the cardholder's answer, on the gateway's clock. */
export const challengeMinutesMax = 10

interface Report {
  readonly transStatus: TransStatus
  readonly transStatusReason?: string
  readonly challengeCancel?: string
}

/** Reasons of EMV 3DS (transStatusReason): 01 for failed or cancelled, 14 and 05 for a time-out. */
export const reports: Readonly<Record<Exclude<ChallengeState, 'open'>, Report>> = {
  authenticated: { transStatus: 'Y' },
  failed: { transStatus: 'N', transStatusReason: '01' },
  cancelled: { transStatus: 'N', transStatusReason: '01', challengeCancel: '01' },
  expired: { transStatus: 'N', transStatusReason: '14', challengeCancel: '05' },
}

export function maskedCard({ last4 }: Pick<Challenge, 'last4'>): string {
  return `•••• ${last4}`
}

export const listedMax = 100
