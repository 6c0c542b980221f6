// The contract of reference networks: payments at ATMs and in home banking.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { RefundAccount, RefundAnswer } from './refund.ts'

export interface ReferenceName {
  readonly entity: string
  readonly ref: string
}

export interface PublishedReference extends ReferenceName {
  readonly payableOnce: boolean
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly starts?: Instant | undefined
  readonly expires?: Instant | undefined
  /** From this moment the network itself refuses; before, the gateway gets every payment. */
  readonly limitsFrom: Instant
}

export interface ReferencePayment extends ReferenceName {
  readonly id: string
  /** Our key of a reference that a provider made. */
  readonly key?: string | undefined
  readonly amount: Cents
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

export type ReferenceNetwork = OwnReferences | ProviderReferences

/** The gateway's own entity: it chooses and publishes the numbers. */
export interface OwnReferences {
  readonly numbering: 'ours'
  readonly entity: string
  /** The newest version of a reference counts. */
  publish(references: readonly PublishedReference[]): Promise<void>
  /** The network refuses payments from now on. Unknown references are ignored. */
  withdraw(references: readonly ReferenceName[]): Promise<void>
  unanswered(references: readonly ReferenceName[]): Promise<readonly ReferencePayment[]>
}

export interface ReferenceRequest {
  readonly key: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly starts?: Instant | undefined
  readonly expires?: Instant | undefined
  readonly payableOnce: boolean
  readonly description?: string | undefined
  readonly customer?: { readonly email?: string | undefined; readonly name?: string | undefined } | undefined
}

export type ReferenceDecline = 'amount_not_possible' | 'expiry_not_possible' | 'withdrawn' | 'not_permitted'

export type ReferenceAnswer =
  /** `expires` only if the network ends it earlier than requested. */
  | ({ readonly kind: 'named'; readonly expires?: Instant | undefined } & ReferenceName)
  | { readonly kind: 'declined'; readonly reason: ReferenceDecline }
  | UnknownAnswer

export interface ReferenceLimits {
  readonly payableManyTimes: boolean
  readonly openAmount: boolean
  readonly startsLater: boolean
  readonly validityDaysMax?: number | undefined
  readonly amountMax?: Cents | undefined
}

export interface ReferenceRefund {
  readonly key: string
  readonly of: string
  readonly paymentId: string
  readonly amount: Cents
  /** Only after the provider declined a refund as `account_needed`. */
  readonly to?: RefundAccount | undefined
}

/** A provider with its own entity and numbers. It reports payments only after the money was taken. */
export interface ProviderReferences {
  readonly numbering: 'theirs'
  readonly limits: ReferenceLimits
  /**
   * Makes a reference. A repeated key gets the first answer. Some providers make a second reference after a lost answer:
   * the other verbs then mean all references of the key. Use `callRail`.
   */
  create(request: ReferenceRequest, signal?: AbortSignal): Promise<ReferenceAnswer>
  /**
   * Stops payments of these references as far as possible; earlier payments are still reported. A key that arrives
   * later is declined as `withdrawn`.
   */
  withdraw(keys: readonly string[]): Promise<void>
  /**
   * The payments of these references, because notices can be lost. Unknown keys have none. Of several references of a
   * key, each payment names the one that was paid; the gateway finds it by the key.
   */
  paymentsOf(keys: readonly string[]): Promise<readonly ReferencePayment[]>
  /** Absent: the provider cannot refund. A repeated key gets the first answer. */
  refundPayment?(refund: ReferenceRefund, signal?: AbortSignal): Promise<RefundAnswer>
}

export interface ReferenceNetworks {
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
  receive(payment: ReferencePayment): Promise<PaymentAnswer>
  beneficiaryOf(reference: ReferenceName): Promise<string | undefined>
}
