// A bank reference: the entity and the nine digits under which people pay, once or many times.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { OperationStatus } from '../operations/index.ts'
import type { ReferenceName } from '../rails/index.ts'

export type ReferenceKind = 'time_limited' | 'instant' | 'recurring'

/** Until when, and from when, something is payable; both to the second, both included. */
export interface PayableWindow {
  readonly starts?: Instant | undefined
  readonly expires: Instant
}

/** A number for a new reference: the seven digits that identify it at its entity. */
export type ReferenceNumber = number

export interface BankReference extends ReferenceName {
  /** Of a reference to pay an operation: the attempt that may settle it. */
  readonly id: string
  readonly walletId: bigint
  readonly kind: ReferenceKind
  readonly number: ReferenceNumber
  /** What it pays; a recurring reference makes an operation of each payment. */
  readonly operationId?: string | undefined
  /** In cents, both included; equal where only one amount is right. */
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly extInvoiceId?: string | undefined
  readonly extEmail?: string | undefined
  readonly extCustomerId?: string | undefined
  readonly starts?: Instant | undefined
  readonly expires?: Instant | undefined
  readonly createdAt: Instant
  /** When the network was told of it. */
  readonly toldAt?: Instant | undefined
  readonly deletedAt?: Instant | undefined
}

/** What a reference must know of the operation that it pays. */
export interface PaidOperation {
  readonly status: OperationStatus
  readonly attemptId?: string | undefined
  readonly railPaymentId?: string | undefined
  readonly error?: string | undefined
}

/** How things stand with a reference; only `open` takes a payment. */
export type ReferenceStanding = 'open' | 'paid' | 'expired' | 'deleted'
