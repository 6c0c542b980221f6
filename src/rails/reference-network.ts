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
  /** From then on the network itself refuses wrong payments. Before, the gateway gets every payment. */
  readonly limitsFrom: Instant
}

export interface ReferencePayment extends ReferenceName {
  readonly id: string
  /** Our key of the reference, if a provider made it. */
  readonly key?: string | undefined
  readonly amount: Cents
  readonly paidAt: Instant
  /** True if the money was already taken, so a refusal is too late. Payments with a key are always taken. */
  readonly isTaken?: boolean | undefined
}

/** The first two are the texts of USERERROR in SPEC.md. */
export type PaymentRefusal =
  | 'badamount'
  | 'duplicatepayment'
  | 'unknown_reference'
  | 'not_started'
  | 'expired'
  | 'deleted'

/** If a payment is refused after its money was taken, the money goes to the suspense account. */
export type PaymentAnswer =
  | { readonly kind: 'accepted'; readonly operationId: string }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }

export type ReferenceNetwork = OwnReferences | ProviderReferences

/** The gateway has its own entity: it chooses the numbers and publishes them. */
export interface OwnReferences {
  readonly numbering: 'ours'
  readonly entity: string
  /** Publishes references. The newest version of a reference counts. */
  publish(references: readonly PublishedReference[]): Promise<void>
  /** From now on the network refuses payments of these references. It ignores unknown ones. */
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
  /** `expires` is only set if the network ends the reference earlier than requested. */
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
  /** The payer's account. Sent only after the provider declined a refund as `account_needed`. */
  readonly to?: RefundAccount | undefined
}

/** A provider has its own entity and numbers. It reports a payment only after the money was taken. */
export interface ProviderReferences {
  readonly numbering: 'theirs'
  readonly limits: ReferenceLimits
  /**
   * Makes a reference. A repeated key gets the first answer. After a lost answer some providers make a second
   * reference; the other functions then mean all of the key. Use `callRail`.
   */
  create(request: ReferenceRequest, signal?: AbortSignal): Promise<ReferenceAnswer>
  /**
   * Stops payments of these references if possible. Earlier payments are still reported. A key that arrives
   * later is declined as `withdrawn`.
   */
  withdraw(keys: readonly string[]): Promise<void>
  /**
   * The payments of these references, because notices can be lost. Unknown keys have no payments. If a key
   * has several references, each payment names the one that was paid. The gateway finds it by the key.
   */
  paymentsOf(keys: readonly string[]): Promise<readonly ReferencePayment[]>
  /** Refunds a payment; absent if impossible. A repeated key gets the first answer. */
  refundPayment?(refund: ReferenceRefund, signal?: AbortSignal): Promise<RefundAnswer>
}

export interface ReferenceNetworks {
  serving(walletId: bigint): ReferenceNetwork | undefined
  readonly own: OwnReferences | undefined
  /** References of all providers. Each is found by its key. */
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
