// An attempt to be paid by phone: what the network is asked under its id, and what became of it.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'

export type MobilePaymentState = 'ASKED' | 'APPROVED' | 'DECLINED'

/**
 * Every transition there is; a state without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const mobilePaymentTransitions: Readonly<Record<MobilePaymentState, readonly MobilePaymentState[]>> = {
  ASKED: ['APPROVED', 'DECLINED'],
  APPROVED: [],
  DECLINED: [],
}

/** What a payment by phone is for, before anybody was asked. */
export interface MobilePaymentOrder {
  readonly walletId: bigint
  readonly operationId: string
  /** A declined attempt leaves a checkout open, and fails a direct payment. */
  readonly owner: 'checkout' | 'direct'
  /** Of the form that asked for it: the same one twice is one attempt. */
  readonly pageToken: string
  readonly merchantName: string
  /** E.164 */
  readonly phone: string
  readonly amount: Cents
  readonly currency: string
  readonly intent: 'sale' | 'hold'
}

export interface MobilePayment extends MobilePaymentOrder {
  /** Also the key under which the network was asked. */
  readonly id: string
  readonly state: MobilePaymentState
  /** The mandate whose allowance is reserved for it; gone where the network asks the customer all the same. */
  readonly mandateId?: string | undefined
  /** The mandate that the same approval makes, under which a subscription is charged from then on. */
  readonly opensMandateId?: string | undefined
  /** Why it was declined, in a word of the network. */
  readonly decline?: string | undefined
  /** Until when the customer may approve. */
  readonly expiresAt: Instant
  /** When the customer took the question back; the network is told so until it has said what became of it. */
  readonly withdrawnAt?: Instant | undefined
  /** How often the network was asked about it. */
  readonly inquiries: number
  readonly createdAt: Instant
}
