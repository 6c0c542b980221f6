// What an operation is, and the ways its status may go.

import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { CardSummary } from '../kernel/values/card-numbers.ts'
import type { Method } from '../methods/list.ts'
import type { RefundSource } from '../splits/index.ts'
import { column, type NewRowOf, type RowOf, table } from '../storage/tables/table.ts'
import { askedShares, shareRefunds } from './shares/stored-json.ts'

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

export const operationStatuses = ['NEW', 'PENDING', 'COMPLETED', 'FAIL', 'VOIDED'] as const
export type OperationStatus = (typeof operationStatuses)[number]

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

/** Where an operation came from; the last two mark what a bank or another rail reported. */
export const channels = ['WEBSITE', 'API', 'BACKOFFICE', 'SCHEDULE', 'SPLIT', 'BANK', 'RAIL'] as const
export type Channel = (typeof channels)[number]

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

/** The customer's data, as the merchant sent and the customer completed it. */
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

/** Every movement of money. */
export const operations = table(
  'operations',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    type: column.text<OperationType>(),
    status: column.text<OperationStatus>(),
    method: column.text<Method>().optional(),
    /** In cents; negative on refunds. */
    amount: column.cents(),
    /** In cents, zero or negative. */
    fee: column.cents(),
    currency: column.text<'EUR'>(),
    channel: column.text<Channel>(),
    ipaddress: column.text().optional(),
    parentId: column.uuid().optional(),
    checkoutId: column.uuid().optional(),
    /** The payment link through which the customer came to its checkout. */
    paymentLinkId: column.uuid().optional(),
    /** The subscription it is a charge of, or that the customer accepts with it. */
    subscriptionId: column.uuid().optional(),
    extInvoiceId: column.text().named('ext_invoiceid').optional(),
    extEmail: column.text().optional(),
    extCustomerId: column.text().named('ext_customerid').optional(),
    extEmployee: column.text().optional(),
    notes: column.text().optional(),
    store: column.bigint().optional(),
    items: column.json<readonly PaymentItem[]>().optional(),
    client: column.json<Client>().optional(),
    phone: column.text().optional(),
    callbackUrl: column.text().optional(),
    /** Where the customer of a card API payment goes after the issuer's page. */
    cardSecureUrls: column
      .embedded({
        confirm: column.text().named('cardsecure_url_confirm'),
        cancel: column.text().named('cardsecure_url_cancel'),
      })
      .optional(),
    card: column.json<CardSummary>().optional(),
    /** The attempt that may settle it; of a direct movement, the operation itself. */
    attemptId: column.uuid().optional(),
    /** Whether a rail is deciding about it. */
    underApproval: column.boolean().default(false),
    /** The bank reference it is paid by. */
    mb: column.embedded({ entity: column.text(), ref: column.text() }).optional(),
    /** Whether its bank reference is, or would be, an instant one. */
    instant: column.boolean().optional(),
    /** When an instant reference begins to be payable. */
    starts: column.instant().optional(),
    expires: column.instant().optional(),
    /** How the payment is to be divided once it completes, or each capture of the authorization. */
    split: askedShares.optional(),
    /** What a refund of a divided payment takes from its shares. */
    refundSplit: column
      .embedded({
        source: column.text<RefundSource>().named('refund_source'),
        shareRefunds: shareRefunds.named('share_refunds'),
      })
      .optional(),
    createdAt: column.instant(),
    /** Of the span in which it was opened, where the operator traces: what is done about it later belongs to that trace. */
    traceparent: column.text().optional(),
    /** What was refunded, pending refunds included, less `cameBack`, in cents. */
    refunded: column.cents(),
    /** What was refunded and came back: nobody refunds it again, and a rail may withdraw it. In cents. */
    cameBack: column.cents(),
    /** Grows whenever a refund reserves or releases, or comes back. */
    refundRevision: column.integer(),
    /** When it was divided among sub-merchants. */
    splitAt: column.instant().optional(),
    /** What was captured of an authorization, pending captures included, in cents, and how many captures. */
    captured: column.cents(),
    captures: column.integer(),
    /** What was released of an authorization, pending releases included, in cents. */
    released: column.cents(),
    /** When the rest of an authorization was released because its month was over. */
    lapsedAt: column.instant().optional(),
    /** What its rail calls the payment that completed it, or what the rail did by itself (`openWithdrawal`). */
    railPaymentId: column.uuid().optional(),
    /** Why it failed, or why its rail did it by itself, in a word. */
    error: column.text().optional(),
    modifiedAt: column.instant(),
    /** When its status became final. */
    settledAt: column.instant().optional(),
  },
  {
    /** Of an authorization: grows with every divided capture. */
    splitRevision: column.integer(),
  },
)

/** An operation as it stands. */
export type Operation = RowOf<typeof operations>

/** What is written of a new operation; the rest has its default. */
export const newOperations = operations.omit(
  'fee',
  'refunded',
  'cameBack',
  'refundRevision',
  'splitAt',
  'captured',
  'captures',
  'released',
  'lapsedAt',
  'modifiedAt',
  'settledAt',
)

/** An operation as it is asked for. */
export type NewOperation = NewRowOf<typeof newOperations> & {
  /** When the rail is asked what became of a direct movement. */
  readonly dueAt?: Instant | undefined
}

/**
 * An operation that takes from its parent: opening it reserves `amount` on the parent's totals, and where it
 * fails that is given back (`open/children.ts`).
 */
export type ChildOperation = NewOperation & {
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
  readonly merchantReferences: MerchantReferences
  readonly expires?: Instant | undefined
  readonly createdAt: Instant
}

/**
 * A capture, release or refund of `parent`: on the same card, reported to the same address. A capture is divided as the
 * authorization says.
 */
export function childOperation<Type extends ChildType>(
  parent: Operation,
  { merchantReferences, ...asked }: AskedChild<Type>,
): ChildOperation & { readonly type: Type } {
  return {
    ...merchantReferences,
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

/** Channel of operations that the bank reported. */
export const bankChannel = 'BANK'
/** Channel of operations that another rail reported, such as a dispute of a payment by card. */
export const railChannel = 'RAIL'
/** Channels of what rails report: the money has moved already. */
export const reportedChannels = [bankChannel, railChannel] as const

/** What a rail took of a payment beyond what was left of it (decision 0012). */
export const railShortfalls = table('rail_shortfalls', {
  walletId: column.bigint(),
  /** What was disputed, or whose debit was returned: a payment, or a hold whose captures bear it. */
  operationId: column.uuid(),
  reportId: column.uuid(),
  channel: column.text<(typeof reportedChannels)[number]>(),
  reason: column.text(),
  /** In cents, the most that the rail ever said to have taken, and to have given again. */
  withdrawn: column.cents(),
  reinstated: column.cents(),
  /** In cents, what is to be withdrawn yet: zero or above. */
  missing: column.cents(),
  notedAt: column.instant(),
})

/** Whether its rail reported it by itself: no rail has to approve it. */
export function isReported({ channel }: Pick<Operation, 'channel'>): boolean {
  return (reportedChannels as readonly string[]).includes(channel)
}
