// The tables of bank references.
import type { Instant } from '../../kernel/time.ts'
import type { OperationStatus } from '../../operations/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'

export type ReferenceKind = 'time_limited' | 'instant' | 'recurring'

export interface PayableWindow {
  readonly starts?: Instant | undefined
  readonly expires: Instant
}

/** Seven digits, which are unique for the entity. */
export type ReferenceNumber = number

export const bankReferences = table(
  'bank_references',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    kind: column.text<ReferenceKind>(),
    entity: column.text(),
    /** Undefined if a provider made the number. */
    number: column.integer<ReferenceNumber>().optional(),
    ref: column.text(),
    operationId: column.uuid().optional(),
    /** Both are inclusive. They are equal if the amount is fixed. */
    amountMin: column.cents(),
    amountMax: column.cents(),
    extInvoiceId: column.text().named('ext_invoiceid').optional(),
    extEmail: column.text().optional(),
    extCustomerId: column.text().named('ext_customerid').optional(),
    starts: column.instant().optional(),
    expires: column.instant().optional(),
    createdAt: column.instant(),
    publishedAt: column.instant().named('published_at').optional(),
    deletedAt: column.instant().optional(),
  },
  {
    dueAt: column.instant().optional(),
    numberHeld: column.boolean(),
    numberFreeAt: column.instant().optional(),
  },
)

export type BankReference = RowOf<typeof bankReferences>

export type UserError = 'badamount' | 'duplicatepayment'

/** Decisions about payments: all of recurring references, and refusals of others. */
export const referenceNotices = table('bank_reference_notices', {
  paymentId: column.uuid(),
  walletId: column.bigint(),
  referenceId: column.uuid(),
  amount: column.cents(),
  operationId: column.uuid().optional(),
  userError: column.text<UserError>().optional(),
  decidedAt: column.instant(),
})

/**
 * How many numbers each entity has given out.
 * @public Tested against the schema.
 */
export const referenceCounters = table('bank_reference_counters', {
  entity: column.text(),
  handedOut: column.bigint(),
})

export const referenceRequests = table('bank_reference_requests', {
  /** Our idempotency key at the provider, and the later id of the reference. */
  id: column.uuid(),
  walletId: column.bigint(),
  requestId: column.uuid().optional(),
  fingerprint: column.bytes().optional(),
  expires: column.instant().optional(),
  createdAt: column.instant(),
  dueAt: column.instant().optional(),
  withdrawnAt: column.instant().optional(),
})

export interface PaidOperation {
  readonly status: OperationStatus
  readonly attemptId?: string | undefined
  readonly railPaymentId?: string | undefined
  readonly error?: string | undefined
}

/** Only a reference that is `open` can be paid. */
export type ReferenceState = 'open' | 'paid' | 'expired' | 'deleted'
