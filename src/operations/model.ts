// What an operation is, and the ways its status may go.
import type { CardSummary } from '../kernel/card-summary.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { AskedShare, RefundSource, Take } from '../splits/index.ts'
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

/** Types that take from a parent or give back to it. */
export type ChildType = 'CAPTURE' | 'RELEASE' | 'REFUND'

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
  /** Whether the customer typed it on a hosted page; else the merchant sent it. */
  readonly typed?: boolean
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
  /** The bank reference it is paid by. */
  readonly mb?: { readonly entity: string; readonly ref: string } | undefined
  /** Whether its bank reference is, or would be, an instant one. */
  readonly instant?: boolean | undefined
  /** When an instant reference begins to be payable. */
  readonly starts?: Instant | undefined
  /** When the rail is asked what became of a direct movement. */
  readonly dueAt?: Instant | undefined
  readonly expires?: Instant | undefined
  /** How the payment is to be divided once it completes, or each capture of the authorization. */
  readonly split?: readonly AskedShare[] | undefined
  /** What a refund of a divided payment takes from its shares. */
  readonly taking?: { readonly source: RefundSource; readonly takes: readonly Take[] } | undefined
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
  /** Grows whenever a refund reserves or gives back. */
  readonly refundRevision: number
  /** When it was divided among sub-merchants. */
  readonly splitAt?: Instant | undefined
  /** What captures have taken or are taking of an authorization, in cents, and how many they are. */
  readonly captured: Cents
  readonly captures: number
  /** What releases have given or are giving back of an authorization, in cents. */
  readonly released: Cents
  /** When what remained of an authorization was given back because its month was over. */
  readonly lapsedAt?: Instant | undefined
  readonly mb?: { readonly entity: string; readonly ref: string } | undefined
  /** What its rail calls the payment that completed it. */
  readonly railPaymentId?: string | undefined
  /** Why it failed, in a word. */
  readonly error?: string | undefined
  readonly modifiedAt: Instant
  /** When its status became final. */
  readonly settledAt?: Instant | undefined
}

/**
 * An operation that takes from its parent: opening it reserves `amount` on the parent's totals, and where it
 * fails that is given back (`reservations-store.ts`).
 */
export interface ChildOperation extends NewOperation {
  readonly type: ChildType
  readonly parentId: string
  /** Of a refund of a divided payment: the parent's revision from which its takes were computed. */
  readonly parentRevision?: number | undefined
}

/** What the merchant may say about a child; the rest comes from its parent. */
export interface AskedChild<Type extends ChildType> {
  readonly id: string
  readonly type: Type
  /** In cents; negative on refunds. */
  readonly amount: Cents
  readonly references: MerchantReferences
  readonly expires?: Instant | undefined
  readonly createdAt: Instant
}

/**
 * A capture, release or refund of `parent`: on the same card, told to the same address. A capture is divided as the
 * authorization says.
 */
export function childOperation<Type extends ChildType>(
  parent: Operation,
  { references, ...asked }: AskedChild<Type>,
): ChildOperation & { readonly type: Type } {
  return {
    ...references,
    ...asked,
    walletId: parent.walletId,
    status: 'PENDING',
    method: parent.method,
    currency: parent.currency,
    channel: 'API',
    parentId: parent.id,
    checkoutId: parent.checkoutId,
    store: parent.store,
    phone: parent.phone,
    callbackUrl: parent.callbackUrl,
    card: parent.card,
    split: asked.type === 'CAPTURE' ? parent.split : undefined,
  }
}

/** An operation not settled yet: {@link NewOperation} with what reads of it show. */
export function openedOperation(operation: NewOperation): Operation {
  return {
    ...operation,
    fee: 0n as Cents,
    underApproval: operation.underApproval ?? false,
    refunded: 0n as Cents,
    refundRevision: 0,
    captured: 0n as Cents,
    captures: 0,
    released: 0n as Cents,
    modifiedAt: operation.createdAt,
  }
}
