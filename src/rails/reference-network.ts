// The contract of the reference network: ATMs and home banking, where people pay an entity and a reference.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'

/** What a payer types: 5 digits and 9 digits. */
export interface ReferenceName {
  readonly entity: string
  readonly ref: string
}

/** A reference with its limits, as it is published to the network. */
export interface PublishedReference extends ReferenceName {
  /** Whether one payment is all it takes. */
  readonly payableOnce: boolean
  /** In cents, both included; equal where only one amount is right. */
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly starts?: Instant | undefined
  /** The last second in which it can be paid. */
  readonly expires?: Instant | undefined
  /** From when the network refuses by itself; before, every payment reaches the gateway. */
  readonly limitsFrom: Instant
}

/** A payment, as the network's notice describes it. */
export interface ReferencePayment extends ReferenceName {
  /** The network's id of the payment (a UUID): two notices with one id are about one payment. */
  readonly id: string
  readonly amount: Cents
  /** When the payer confirmed it; a notice may come later. */
  readonly paidAt: Instant
}

/** Why a payment is refused. The first two are SPEC.md's words of a USERERROR. */
export type PaymentRefusal =
  | 'badamount'
  | 'duplicatepayment'
  | 'unknown_reference'
  | 'not_started'
  | 'expired'
  | 'deleted'

/** The gateway's answer to a notice; the network holds the money until it has one. */
export type PaymentAnswer =
  | { readonly kind: 'accepted'; readonly operationId: string }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }

export interface ReferenceNetwork {
  /** The gateway's five digits at this network; empty while it is at none. */
  readonly entity: string
  /** Publishes references. Published again, the newest version counts. */
  publish(references: readonly PublishedReference[]): Promise<void>
  /** Has the network refuse payments of these references. Unknown ones are ignored. */
  withdraw(references: readonly ReferenceName[]): Promise<void>
  /** Payments of these references that were made and that the gateway has not answered yet. */
  unanswered(references: readonly ReferenceName[]): Promise<readonly ReferencePayment[]>
}

/** The gateway as the network sees it. */
export interface ReferencePayee {
  /**
   * Decides about a payment, once: repeated, at once or much later, it answers as the first time. May
   * throw; then nothing was decided and the network sends its notice again.
   */
  receive(payment: ReferencePayment): Promise<PaymentAnswer>
  /** The name of the merchant who is paid, to show to the payer; undefined for an unknown reference. */
  beneficiaryOf(reference: ReferenceName): Promise<string | undefined>
}
