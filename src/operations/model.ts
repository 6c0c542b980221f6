// What an operation is, and the ways its status may go.
import type { CardSummary } from '../kernel/card-summary.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { Method } from '../wallets/index.ts'

export { type Method, methods } from '../wallets/index.ts'

export const operationTypes = [
  'PAYMENT',
  'AUTH',
  'CAPTURE',
  'RELEASE',
  'REFUND',
  'USERTRANSFER',
  'WALLETFUNDS',
] as const
export type OperationType = (typeof operationTypes)[number]

export type OperationStatus = 'NEW' | 'PENDING' | 'COMPLETED' | 'FAIL' | 'VOIDED'

/**
 * Every transition there is (CONTRACT section 6); a status without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const operationTransitions: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  NEW: ['PENDING', 'COMPLETED', 'FAIL', 'VOIDED'],
  PENDING: ['COMPLETED', 'FAIL', 'VOIDED'],
  COMPLETED: [],
  FAIL: [],
  VOIDED: [],
}

/** A line of what was bought, echoed as it was sent. */
export interface PaymentItem {
  readonly descr?: string
  readonly ref?: string | number
  readonly name?: string
  readonly qt?: number
  readonly amount?: number | string
}

export interface Address {
  readonly address?: string
  readonly city?: string
  readonly country?: string
  readonly postalcode?: string
}

/** The customer, as the merchant told and as the customer completed it. */
export interface Client {
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  readonly address?: Address
}

/** The merchant's own references and remarks, on whatever makes an operation. */
export interface MerchantReferences {
  readonly extInvoiceId?: string | undefined
  readonly extEmail?: string | undefined
  readonly extCustomerId?: string | undefined
  readonly extEmployee?: string | undefined
  readonly notes?: string | undefined
}

/** An operation as it is asked for. */
export interface NewOperation extends MerchantReferences {
  readonly id: string
  readonly walletId: bigint
  readonly type: OperationType
  readonly status: OperationStatus
  readonly method?: Method | undefined
  /** In cents; negative on refunds. */
  readonly amount: Cents
  readonly currency: 'EUR'
  readonly channel: string
  readonly ipaddress?: string | undefined
  readonly parentId?: string | undefined
  readonly checkoutId?: string | undefined
  /** The subscription it is a charge of, or that the customer accepts with it. */
  readonly subscriptionId?: string | undefined
  readonly store?: bigint | undefined
  readonly items?: readonly PaymentItem[] | undefined
  readonly client?: Client | undefined
  readonly phone?: string | undefined
  readonly callbackUrl?: string | undefined
  /** Where the customer of a card API payment goes after the issuer's page. */
  readonly cardSecureUrls?: { readonly confirm: string; readonly cancel: string } | undefined
  readonly card?: CardSummary | undefined
  /** The attempt that may settle it; of a direct movement, the operation itself. */
  readonly attemptId?: string | undefined
  readonly underApproval?: boolean | undefined
  /** When the rail is asked what became of a direct movement. */
  readonly dueAt?: Instant | undefined
  readonly expires?: Instant | undefined
  readonly createdAt: Instant
}

/** An operation as it stands. */
export interface Operation extends NewOperation {
  /** In cents, zero or negative. */
  readonly fee: Cents
  /** Whether a rail is deciding about it. */
  readonly underApproval: boolean
  /** What refunds have taken or are taking back, in cents. */
  readonly refunded: Cents
  readonly mb?: { readonly entity: string; readonly ref: string } | undefined
  /** Why it failed, in a word. */
  readonly error?: string | undefined
  readonly modifiedAt: Instant
}

/** An operation not settled yet: {@link NewOperation} with what reads of it show. */
export function openedOperation(operation: NewOperation): Operation {
  return {
    ...operation,
    fee: 0n as Cents,
    underApproval: operation.underApproval ?? false,
    refunded: 0n as Cents,
    modifiedAt: operation.createdAt,
  }
}
