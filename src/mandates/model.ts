// What a mandate is: what a customer allows a merchant on the phone, and the ways its state may go.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { WantedMandate } from '../rails/index.ts'

export const mandateTypes = ['ONECLICK', 'SUBSCRIPTION'] as const
export type MandateType = (typeof mandateTypes)[number]

export const mandateStates = ['REQUESTED', 'ACTIVE', 'SUSPENDED', 'VOIDED', 'EXPIRED'] as const
export type MandateState = (typeof mandateStates)[number]

/**
 * Every transition there is (CONTRACT section 12); a state without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const mandateTransitions: Readonly<Record<MandateState, readonly MandateState[]>> = {
  REQUESTED: ['ACTIVE', 'EXPIRED'],
  ACTIVE: ['SUSPENDED', 'VOIDED', 'EXPIRED'],
  SUSPENDED: ['ACTIVE', 'VOIDED', 'EXPIRED'],
  VOIDED: [],
  EXPIRED: [],
}

/** What the merchant is told (SPEC.md Events). */
export type MandateEventWord = 'APPROVED' | 'UPDATED' | 'EXPIRED' | 'VOIDED' | 'SUSPENDED'

export interface Mandate {
  readonly id: string
  readonly walletId: bigint
  readonly type: MandateType
  readonly state: MandateState
  /** E.164 */
  readonly phone: string
  readonly clientName?: string | undefined
  readonly urlCallback?: string | undefined
  readonly requestId?: string | undefined
  /** Of a SUBSCRIPTION mandate, and only of those. */
  readonly subscriptionId?: string | undefined
  /** What may be taken per calendar month in Lisbon; zero until the customer has set it. */
  readonly limit: Cents
  /** What was taken of it in the present month. */
  readonly used: Cents
  /** The last Lisbon day. */
  readonly expiryDate?: Day | undefined
  /** How many of the network's changes are in it. */
  readonly version: number
  /** Until when the customer may approve. */
  readonly askedUntil: Instant
  /** How often the network was asked about it since it was last heard of. */
  readonly inquiries: number
  /** Whether the customer took the request back, on the page where they had asked for it. */
  readonly withdrawn: boolean
  /** Whether it was asked for together with a payment that is not settled yet: until then it follows that. */
  readonly awaitsPayment: boolean
  /** What the merchant asked to be allowed; absent where the customer is asked for no more than a mandate. */
  readonly wanted?: WantedMandate | undefined
  readonly createdAt: Instant
  /** When its state or terms changed last. */
  readonly modifiedAt: Instant
}

/** What may still be taken this month. A limit lowered below what was taken leaves nothing. */
export function availableOf({ state, limit, used }: Mandate): Cents {
  return (state === 'ACTIVE' && limit > used ? limit - used : 0n) as Cents
}
