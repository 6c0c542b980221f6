// The contract of reference networks: payments at ATMs and in home banking.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { RefundAnswer } from './refund.ts'

/** 5 digits and 9 digits. */
export interface ReferenceName {
  readonly entity: string
  readonly ref: string
}

export interface PublishedReference extends ReferenceName {
  readonly payableOnce: boolean
  /** In cents, both included; equal for a fixed amount. */
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly starts?: Instant | undefined
  /** The last second to pay. */
  readonly expires?: Instant | undefined
  /** From this moment the network itself refuses; before, the gateway gets every payment. */
  readonly limitsFrom: Instant
}

export interface ReferencePayment extends ReferenceName {
  /** The network's id (a UUID); duplicates are dropped. */
  readonly id: string
  /** Our key of a reference that a provider made. */
  readonly key?: string | undefined
  readonly amount: Cents
  /** Time of the payer's confirmation, before the notice. */
  readonly paidAt: Instant
  /** Whether a refusal comes too late, because the money was taken. True for payments with a key. */
  readonly isTaken?: boolean | undefined
}

/** The first two are USERERROR texts of SPEC.md. */
export type PaymentRefusal =
  | 'badamount'
  | 'duplicatepayment'
  | 'unknown_reference'
  | 'not_started'
  | 'expired'
  | 'deleted'

/** If the money was taken, a refused payment goes to the suspense account. */
export type PaymentAnswer =
  | { readonly kind: 'accepted'; readonly operationId: string }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }

/** By the numbering: the gateway's own numbers, or the provider's. */
export type ReferenceNetwork = OwnReferences | ProviderReferences

/** The gateway's own entity: it chooses and publishes the numbers. */
export interface OwnReferences {
  readonly numbering: 'ours'
  readonly entity: string
  /** The newest version of a reference counts. */
  publish(references: readonly PublishedReference[]): Promise<void>
  /** The network refuses payments from now on. Unknown references are ignored. */
  withdraw(references: readonly ReferenceName[]): Promise<void>
  /** Payments that wait for the gateway's answer. */
  unanswered(references: readonly ReferenceName[]): Promise<readonly ReferencePayment[]>
}

export interface ReferenceRequest {
  /** Our idempotency key (a UUID), which identifies the reference. */
  readonly key: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  /** In cents, both included; equal for a fixed amount. */
  readonly amountMin: Cents
  readonly amountMax: Cents
  /** First moment to pay. Default: now. */
  readonly starts?: Instant | undefined
  /** Last second to pay. Default: no end. */
  readonly expires?: Instant | undefined
  readonly payableOnce: boolean
  /** The merchant's own reference, for statements. */
  readonly description?: string | undefined
  readonly customer?: { readonly email?: string | undefined; readonly name?: string | undefined } | undefined
}

export type ReferenceDecline = 'amount_not_possible' | 'expiry_not_possible' | 'withdrawn' | 'not_permitted'

export type ReferenceAnswer =
  /** `expires` only if the network ends it earlier than requested. */
  | ({ readonly kind: 'named'; readonly expires?: Instant | undefined } & ReferenceName)
  | { readonly kind: 'declined'; readonly reason: ReferenceDecline }
  | UnknownAnswer

/** Limits of a provider's references, checked before the provider is asked. */
export interface ReferenceLimits {
  readonly payableManyTimes: boolean
  /** Whether the payer may choose an amount between two bounds. */
  readonly openAmount: boolean
  readonly startsLater: boolean
  /** Default: no limit. */
  readonly validityDaysMax?: number | undefined
  /** In cents. Default: the gateway's own limit. */
  readonly amountMax?: Cents | undefined
}

export interface ReferenceRefund {
  /** Our idempotency key (a UUID): under one key money is refunded once. */
  readonly key: string
  /** The key of the reference. */
  readonly of: string
  readonly paymentId: string
  readonly amount: Cents
}

/** A provider with its own entity and numbers. It reports payments only after the money was taken. */
export interface ProviderReferences {
  readonly numbering: 'theirs'
  readonly limits: ReferenceLimits
  /** Makes a reference. A repeated key gets the first answer. Use `callRail`. */
  create(request: ReferenceRequest, signal?: AbortSignal): Promise<ReferenceAnswer>
  /**
   * Stops payments of these references as far as possible; earlier payments are still reported. A key that arrives
   * later is declined as `withdrawn`.
   */
  withdraw(keys: readonly string[]): Promise<void>
  /** The payments of these references, because notices can be lost. Unknown keys have none. */
  paymentsOf(keys: readonly string[]): Promise<readonly ReferencePayment[]>
  /** Absent: the provider cannot refund. A repeated key gets the first answer. */
  refundPayment?(refund: ReferenceRefund, signal?: AbortSignal): Promise<RefundAnswer>
}

export interface ReferenceNetworks {
  /** The network for new references of a wallet. */
  serving(walletId: bigint): ReferenceNetwork | undefined
  readonly own: OwnReferences | undefined
  /** References of all providers, each found by its key. */
  readonly made: Omit<ProviderReferences, 'numbering' | 'limits' | 'create'>
}

export function onlyNetwork(network: ReferenceNetwork): ReferenceNetworks {
  return {
    serving: () => network,
    own: network.numbering === 'ours' ? network : undefined,
    made:
      network.numbering === 'theirs'
        ? network
        : { withdraw: async () => undefined, paymentsOf: async () => [] },
  }
}

export interface ReferencePayee {
  /** Decides about a payment once; a repeated notice gets the first answer. If it throws, send the notice again. */
  receive(payment: ReferencePayment): Promise<PaymentAnswer>
  /** The merchant's name, to show to the payer; undefined for an unknown reference. */
  beneficiaryOf(reference: ReferenceName): Promise<string | undefined>
}
