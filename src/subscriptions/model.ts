// A subscription: what a customer allows a merchant to charge per cycle; and the charges made under it.
import type { CardSummary } from '../kernel/card-summary.ts'
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { Client, PaymentItem } from '../operations/index.ts'
import { recurringMethods } from '../wallets/index.ts'

export const periods = ['DAY', 'WEEK', 'MONTH'] as const
export type Period = (typeof periods)[number]

/** Methods by which a customer can accept a subscription, and is charged afterwards. */
export const subscriptionMethods = recurringMethods
export type SubscriptionMethod = (typeof subscriptionMethods)[number]

export type SubscriptionStatus = 'NEW' | 'APPROVED' | 'FAILED' | 'EXPIRED' | 'CANCELED' | 'VOIDED'

/**
 * Every transition there is (SPEC.md "Subscription"; CONTRACT section 14); a status without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const subscriptionTransitions: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  NEW: ['APPROVED', 'FAILED', 'VOIDED'],
  APPROVED: ['EXPIRED', 'CANCELED', 'VOIDED'],
  FAILED: [],
  EXPIRED: [],
  CANCELED: [],
  VOIDED: [],
}

export type ChargeStatus = 'NEW' | 'PROCESSING' | 'SUCCESS' | 'FAIL'

/**
 * Every transition there is (CONTRACT section 14); a status without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const chargeTransitions: Readonly<Record<ChargeStatus, readonly ChargeStatus[]>> = {
  NEW: ['PROCESSING'],
  PROCESSING: ['SUCCESS', 'FAIL'],
  SUCCESS: [],
  FAIL: [],
}

/** What the customer allows: at most `amount` per cycle of `frequency` periods, from one day to another. */
export interface Terms {
  /** In cents; zero while a mandate that opened it has no limit yet. */
  readonly amount: Cents
  readonly currency: 'EUR'
  /** 1 to 365 */
  readonly frequency: number
  readonly period: Period
  /** The Lisbon day on which cycles begin, and from which charges are taken. */
  readonly startDate: Day
  /** The last Lisbon day on which charges are taken; absent for no end. */
  readonly endDate?: Day | undefined
}

/** A subscription as it is asked for. */
export interface NewSubscription extends Terms {
  readonly id: string
  readonly walletId: bigint
  readonly extSubscriptionId?: string | undefined
  readonly description?: string | undefined
  readonly client?: Client | undefined
  readonly checkoutId?: string | undefined
  /** The payment made in the same acceptance: both succeed, or neither. */
  readonly operationId?: string | undefined
  readonly createdAt: Instant
}

/** A subscription as it stands. */
export interface Subscription extends NewSubscription {
  readonly status: SubscriptionStatus
  /** How it is accepted, or was. */
  readonly method?: SubscriptionMethod | undefined
  /** The customer's latest attempt to accept it. */
  readonly attemptId?: string | undefined
  /** Whether a rail is deciding about it. */
  readonly underApproval: boolean
  /** The stored card it is charged on, with its token. */
  readonly card?: CardSummary | undefined
  /** The mandate of the mobile wallet it is charged under. */
  readonly mandateId?: string | undefined
  /** Whose balance it is charged to. */
  readonly consumerId?: bigint | undefined
  /** The end that was asked for, whatever lowered it since. */
  readonly askedEndDate?: Day | undefined
  /** The latest cycle in which something was charged, counted from 0. */
  readonly cycle: number
  /** What of that cycle's allowance is charged or being charged, in cents. */
  readonly cycleCharged: Cents
  /** Why it failed, in a word. */
  readonly error?: string | undefined
  readonly modifiedAt: Instant
}

/** A charge as it is asked for. */
export interface NewCharge {
  readonly id: string
  readonly walletId: bigint
  readonly subscriptionId: string
  /** The id of the payment it becomes: given with the charge, so that a crash never makes it two. */
  readonly operationId: string
  /** In cents. */
  readonly amount: Cents
  readonly currency: 'EUR'
  readonly extInvoiceId?: string | undefined
  readonly items?: readonly PaymentItem[] | undefined
  readonly client?: Client | undefined
  readonly createdAt: Instant
}

/** A charge order as it stands. */
export interface Charge extends NewCharge {
  readonly status: ChargeStatus
  /** The cycle whose allowance it uses. */
  readonly cycle: number
  /** Why it failed, in a word. */
  readonly error?: string | undefined
  readonly modifiedAt: Instant
}
