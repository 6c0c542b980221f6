// A bank reference: the entity and the nine digits under which people pay, once or many times.
import type { Instant } from '../../kernel/time.ts'
import type { OperationStatus } from '../../operations/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'

export type ReferenceKind = 'time_limited' | 'instant' | 'recurring'

/** Until when, and from when, something is payable; both to the second, both included. */
export interface PayableWindow {
  readonly starts?: Instant | undefined
  readonly expires: Instant
}

/** A number for a new reference: the seven digits that identify it at its entity. */
export type ReferenceNumber = number

/** The entity and the nine digits under which people pay, once or many times. */
export const bankReferences = table(
  'bank_references',
  {
    /** Of a reference to pay an operation: the attempt that may settle it. */
    id: column.uuid(),
    walletId: column.bigint(),
    kind: column.text<ReferenceKind>(),
    entity: column.text(),
    /** Undefined: a provider made it, under its own entity and number. */
    number: column.integer<ReferenceNumber>().optional(),
    ref: column.text(),
    /** The operation that it pays; for a recurring reference each payment opens one of its own. */
    operationId: column.uuid().optional(),
    /** In cents, both included; equal where only one amount is right. */
    amountMin: column.cents(),
    amountMax: column.cents(),
    extInvoiceId: column.text().named('ext_invoiceid').optional(),
    extEmail: column.text().optional(),
    extCustomerId: column.text().named('ext_customerid').optional(),
    starts: column.instant().optional(),
    expires: column.instant().optional(),
    createdAt: column.instant(),
    /** When it was published to the network. */
    publishedAt: column.instant().named('published_at').optional(),
    deletedAt: column.instant().optional(),
  },
  {
    dueAt: column.instant().optional(),
    /** Whether its number may not be given to another. */
    numberHeld: column.boolean(),
    numberFreeAt: column.instant().optional(),
  },
)

export type BankReference = RowOf<typeof bankReferences>

/** SPEC.md's words of a USERERROR. */
export type UserError = 'badamount' | 'duplicatepayment'

/** Payments of recurring references, and those that were refused: what was decided about each. */
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
 * How many numbers of an entity were given out.
 *
 * @public Compared with the schema.
 */
export const referenceCounters = table('bank_reference_counters', {
  entity: column.text(),
  handedOut: column.bigint(),
})

/** What is asked of a provider and does not belong to a reference. */
export const referenceRequests = table('bank_reference_requests', {
  /** Our idempotency key at the provider, and the id of the reference that it becomes. */
  id: column.uuid(),
  walletId: column.bigint(),
  requestId: column.uuid().optional(),
  fingerprint: column.bytes().optional(),
  expires: column.instant().optional(),
  createdAt: column.instant(),
  /** When it is withdrawn, unless it became a reference before. */
  dueAt: column.instant().optional(),
  withdrawnAt: column.instant().optional(),
})

/** What a reference must know of the operation that it pays. */
export interface PaidOperation {
  readonly status: OperationStatus
  readonly attemptId?: string | undefined
  readonly railPaymentId?: string | undefined
  readonly error?: string | undefined
}

/** What a reference is worth to a payer; only `open` can be paid. */
export type ReferenceState = 'open' | 'paid' | 'expired' | 'deleted'
