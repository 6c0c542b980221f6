// The contract of reference networks: ATMs and home banking, where people pay an entity and a reference.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { RefundAnswer } from './refund.ts'

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
  /** Our key of the reference, where the network made it; then entity and ref are for people to read. */
  readonly key?: string | undefined
  readonly amount: Cents
  /** When the payer confirmed it; a notice may come later. */
  readonly paidAt: Instant
  /** Whether the money has been taken, whatever the gateway answers; of a payment with a key it always has. */
  readonly isTaken?: boolean | undefined
}

/** Why a payment is refused. The first two are SPEC.md's words of a USERERROR. */
export type PaymentRefusal =
  | 'badamount'
  | 'duplicatepayment'
  | 'unknown_reference'
  | 'not_started'
  | 'expired'
  | 'deleted'

/** The gateway's answer to a notice. Where the money was taken, what is refused is kept in suspense. */
export type PaymentAnswer =
  | { readonly kind: 'accepted'; readonly operationId: string }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }

/** A network by who chooses the entity and the number of a reference: the gateway, or the network's provider. */
export type ReferenceNetwork = OwnReferences | ProviderReferences

/** An entity of the gateway's own: it chooses the numbers, and publishes them. */
export interface OwnReferences {
  readonly numbering: 'ours'
  /** The gateway's five digits at this network. */
  readonly entity: string
  /** Publishes references. Published again, the newest version counts. */
  publish(references: readonly PublishedReference[]): Promise<void>
  /** Has the network refuse payments of these references. Unknown ones are ignored. */
  withdraw(references: readonly ReferenceName[]): Promise<void>
  /** Payments of these references that were made and that the gateway has not answered yet. */
  unanswered(references: readonly ReferenceName[]): Promise<readonly ReferencePayment[]>
}

/** A reference that is asked for of a provider. */
export interface ReferenceRequest {
  /** Our idempotency key (a UUID), by which the reference is known from then on. */
  readonly key: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  /** In cents, both included; equal where only one amount is right. */
  readonly amountMin: Cents
  readonly amountMax: Cents
  /** From when it can be paid; undefined: at once. */
  readonly starts?: Instant | undefined
  /** The last second in which it can be paid; undefined: until it is withdrawn. */
  readonly expires?: Instant | undefined
  readonly payableOnce: boolean
  /** The merchant's own reference, for statements and the like. */
  readonly description?: string | undefined
  readonly customer?: { readonly email?: string | undefined; readonly name?: string | undefined } | undefined
}

export type ReferenceDecline = 'amount_not_possible' | 'expiry_not_possible' | 'withdrawn' | 'not_permitted'

/** Only the first two are final. */
export type ReferenceAnswer =
  /** It can be paid. `expires` where the network ends it earlier than was asked for. */
  | ({ readonly kind: 'named'; readonly expires?: Instant | undefined } & ReferenceName)
  | { readonly kind: 'declined'; readonly reason: ReferenceDecline }
  | UnknownAnswer

/** What references of a provider can be; what goes beyond is refused before the provider is asked. */
export interface ReferenceLimits {
  /** Whether one can be paid more than once. */
  readonly payableManyTimes: boolean
  /** Whether the payer may choose the amount, between two bounds. */
  readonly openAmount: boolean
  /** Whether one can begin to be payable later. */
  readonly startsLater: boolean
  /** How far ahead one can end, in days; undefined: as far as is asked. */
  readonly validityDaysMax?: number | undefined
  /** In cents; undefined: what the gateway itself allows. */
  readonly amountMax?: Cents | undefined
}

/** A payment to give back to who paid it. */
export interface ReferenceRefund {
  /** Our idempotency key (a UUID): under one key money is refunded once, however often it is asked. */
  readonly key: string
  /** The key of the reference. */
  readonly of: string
  /** Of the {@link ReferencePayment}. */
  readonly paymentId: string
  readonly amount: Cents
}

/**
 * A provider that makes references, under its own entity and numbers. It never holds a payment for the gateway's answer:
 * what is reported has been taken.
 */
export interface ProviderReferences {
  readonly numbering: 'theirs'
  readonly limits: ReferenceLimits
  /**
   * Makes a reference. Repeated under one key it answers as the first time, and makes no other, whatever else has
   * changed. May throw or never answer: call it through `callRail`, whose signal cancels it.
   */
  create(request: ReferenceRequest, signal?: AbortSignal): Promise<ReferenceAnswer>
  /**
   * Has the network take no payment of these references from now on, as far as it can; a payment that was made before
   * is reported nevertheless. A key that has not arrived is declined as `withdrawn` when it does. Repeated it does no harm.
   */
  withdraw(keys: readonly string[]): Promise<void>
  /** Payments of these references, as the provider knows them by now: notices may be lost. Unknown keys have none. */
  paymentsOf(keys: readonly string[]): Promise<readonly ReferencePayment[]>
  /** Absent: the provider gives no payment back. Repeated under one key it answers as the first time. */
  refundPayment?(refund: ReferenceRefund, signal?: AbortSignal): Promise<RefundAnswer>
}

/** The networks that serve the gateway and its merchants. */
export interface ReferenceNetworks {
  /** Where a new reference of a wallet is made; undefined: nowhere. */
  serving(walletId: bigint): ReferenceNetwork | undefined
  /** That of the gateway's own entity; undefined: it has none and had none. */
  readonly own: OwnReferences | undefined
  /** Where references were made by providers, each found by its key. */
  readonly made: Omit<ProviderReferences, 'numbering' | 'limits' | 'create'>
}

/** One network, which serves everybody. */
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
