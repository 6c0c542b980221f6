// A challenge: the issuer asks its cardholder for a code before it says who is paying.
import type { Instant } from '../../src/kernel/time.ts'
import type { TransStatus } from '../../src/rails/index.ts'

export type ChallengeState = 'open' | 'authenticated' | 'failed' | 'cancelled' | 'expired'

export interface Challenge {
  /** Our own id of the transaction. */
  readonly acsTransId: string
  readonly threeDsServerTransId: string
  readonly dsTransId: string
  readonly messageVersion: string
  readonly messageCategory: '01' | '02'
  readonly merchantName: string
  /** Cents; absent when a card is only being stored. */
  readonly amount: bigint | undefined
  /** ISO 4217, three letters. */
  readonly currency: string | undefined
  /** Brand as the card library names it. */
  readonly brand: string
  readonly last4: string
  readonly otp: string
  readonly state: ChallengeState
  readonly attemptsLeft: number
  /** How often the cardholder answered. */
  readonly interactions: number
  readonly authenticationValue: string | undefined
  /** Where the result is reported; gone once it was received. */
  readonly threeDsServerUrl: string | undefined
  readonly notificationUrl: string
  /** The 3DS requestor's own note, carried through the browser and given back with `cres`. */
  readonly sessionData: string | undefined
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Wrong codes until the issuer gives up on the cardholder (CONTRACT section 8). */
export const attemptsMax = 3
/** How long the issuer waits for its cardholder, in the gateway's time. */
export const challengeMinutesMax = 10

interface Report {
  readonly transStatus: TransStatus
  readonly transStatusReason?: string
  readonly challengeCancel?: string
}

/** What is told of each state: 01 authentication failed or cancelled by the cardholder, 14 and 05 timed out. */
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
