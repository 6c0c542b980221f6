// An operation and the transitions of its status.

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

export type ChildType = 'CAPTURE' | 'RELEASE' | 'REFUND'

export const operationStatuses = ['NEW', 'PENDING', 'COMPLETED', 'FAIL', 'VOIDED'] as const
export type OperationStatus = (typeof operationStatuses)[number]

/** The allowed changes of status (CONTRACT section 6). @public Tested against the drawing in docs/states. */
export const operationTransitions: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  NEW: ['PENDING', 'COMPLETED', 'FAIL', 'VOIDED'],
  PENDING: ['COMPLETED', 'FAIL', 'VOIDED'],
  COMPLETED: [],
  FAIL: [],
  VOIDED: [],
}

export const channels = ['WEBSITE', 'API', 'BACKOFFICE', 'SCHEDULE', 'SPLIT', 'BANK', 'RAIL'] as const
export type Channel = (typeof channels)[number]

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
  /** True if the customer typed the address on a hosted page. Otherwise the merchant sent it. */
  readonly typed?: boolean
}

export interface Client {
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  readonly address?: Address
}

export interface MerchantReferences {
  readonly extInvoiceId?: string | undefined
  readonly extEmail?: string | undefined
  readonly extCustomerId?: string | undefined
  readonly extEmployee?: string | undefined
  readonly notes?: string | undefined
}

export const operations = table(
  'operations',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    type: column.text<OperationType>(),
    status: column.text<OperationStatus>(),
    method: column.text<Method>().optional(),
    /** Negative on refunds. */
    amount: column.cents(),
    /** Zero or negative. */
    fee: column.cents(),
    currency: column.text<'EUR'>(),
    channel: column.text<Channel>(),
    ipaddress: column.text().optional(),
    parentId: column.uuid().optional(),
    checkoutId: column.uuid().optional(),
    paymentLinkId: column.uuid().optional(),
    /** The subscription of a charge, or of its first payment. */
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
    /** The customer's browser goes here after the issuer's page. */
    cardSecureUrls: column
      .embedded({
        confirm: column.text().named('cardsecure_url_confirm'),
        cancel: column.text().named('cardsecure_url_cancel'),
      })
      .optional(),
    card: column.json<CardSummary>().optional(),
    /** The attempt that may settle the operation. For a direct movement this is the operation's own id. */
    attemptId: column.uuid().optional(),
    underApproval: column.boolean().default(false),
    mb: column.embedded({ entity: column.text(), ref: column.text() }).optional(),
    /** True for an instant reference, also before the reference exists. */
    instant: column.boolean().optional(),
    starts: column.instant().optional(),
    expires: column.instant().optional(),
    /** How the payment, or each capture of the authorization, is divided. */
    split: askedShares.optional(),
    refundSplit: column
      .embedded({
        source: column.text<RefundSource>().named('refund_source'),
        shareRefunds: shareRefunds.named('share_refunds'),
      })
      .optional(),
    createdAt: column.instant(),
    /** The trace of its opening, which later work joins. */
    traceparent: column.text().optional(),
    /** Refunded amount, pending refunds included, less `cameBack`. */
    refunded: column.cents(),
    /** Refunds that the customer's bank returned: not refundable again, but a rail may claw them back. */
    cameBack: column.cents(),
    /** Grows with each change of the refunded totals, so a writer notices a parallel change. */
    refundRevision: column.integer(),
    splitAt: column.instant().optional(),
    /** Captured amount, including pending captures. */
    captured: column.cents(),
    captures: column.integer(),
    released: column.cents(),
    /** The rest of an authorization was released at the end of its month. */
    lapsedAt: column.instant().optional(),
    /** The rail's id of the payment. For a clawback, the id of the rail's report (see `openClawback`). */
    railPaymentId: column.uuid().optional(),
    /** Reason of a failure or of a rail's report, as one word. */
    error: column.text().optional(),
    modifiedAt: column.instant(),
    settledAt: column.instant().optional(),
  },
  {
    /** For an authorization: grows with every divided capture, so a parallel capture notices it. */
    splitRevision: column.integer(),
  },
)

export type Operation = RowOf<typeof operations>

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

export type NewOperation = NewRowOf<typeof newOperations> & {
  readonly dueAt?: Instant | undefined
}

/** A child reserves its `amount` on the parent's totals. If the child fails, the amount is released. */
export type ChildOperation = NewOperation & {
  readonly type: ChildType
  readonly parentId: string
  /** For a divided refund: the parent's revision for which `takes` was computed. */
  readonly parentRevision?: number | undefined
}

export const bankChannel = 'BANK'
export const railChannel = 'RAIL'
export const reportedChannels = [bankChannel, railChannel] as const

/** Amounts that a rail clawed back beyond the rest of a payment (decision 0012). */
export const railShortfalls = table('rail_shortfalls', {
  walletId: column.bigint(),
  /** The disputed or returned payment. For a disputed hold, its captures bear the amount. */
  operationId: column.uuid(),
  reportId: column.uuid(),
  channel: column.text<(typeof reportedChannels)[number]>(),
  reason: column.text(),
  /** The highest total that the rail has reported as taken; `reinstated`: as given back. */
  withdrawn: column.cents(),
  reinstated: column.cents(),
  /** The amount that must still be taken from the wallet. */
  missing: column.cents(),
  notedAt: column.instant(),
})

export function isReported({ channel }: Pick<Operation, 'channel'>): boolean {
  return (reportedChannels as readonly string[]).includes(channel)
}

/** The total of a day in Lisbon time, never too low. @public Tested against the schema. */
export const limitDays = table('limit_days', {
  walletId: column.bigint(),
  day: column.day(),
  taken: column.cents(),
})

/** Failed uses are removed when the day needs room. @public Tested against the schema. */
export const limitUses = table('limit_uses', {
  walletId: column.bigint(),
  day: column.day(),
  operationId: column.uuid(),
  amount: column.cents(),
  /** When the payment was last admitted. A use that gets no operation is deleted later. */
  reservedAt: column.instant(),
  /** True for a completed payment. It counts for its day even after a refund. */
  final: column.boolean(),
})

/** Each statement adds its own rows, so that payments share no counter. @public Tested against the schema. */
export const operationCounts = table('operation_counts', {
  walletId: column.bigint(),
  type: column.text<OperationType>(),
  id: column.bigint(),
  operations: column.bigint(),
})
