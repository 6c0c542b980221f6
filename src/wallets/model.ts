// What a wallet is: a merchant's or a consumer's account with the gateway, and what its operator allows it.
import type { Cents } from '../kernel/money.ts'
import type { Permission, Right } from '../kernel/permissions.ts'
import type { Instant } from '../kernel/time.ts'
import type { FeeSchedule } from './fee-rules.ts'

/** Payment methods a wallet can have, in the order in which they are offered (SPEC, method codes). */
export const methods = ['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'BANK'] as const

export type Method = (typeof methods)[number]

/** What can be charged again without the customer, in the order in which it is offered. */
export const recurringMethods = ['CC', 'MBWAY', 'WALLET'] as const satisfies readonly Method[]

/** Sandbox keys and production keys look different, so that neither is ever tried at the other. */
export type Mode = 'sandbox' | 'production'

/** What an operator may change about a merchant. */
export interface WalletSettings {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly iban: string | null
  readonly rights: readonly Right[]
  readonly methods: readonly Method[]
  /** Which of them subscriptions may be accepted with. */
  readonly subscriptionMethods: readonly Method[]
  readonly feeSchedule: FeeSchedule
  /** Kept from each share of a split when the descriptor does not say. */
  readonly splitFeeFixed: Cents
  /** The variable part of the same, in basis points: 10 000 is the whole share. */
  readonly splitFeeVariableBp: number
  /** Where callbacks go; null while the merchant has named no address. */
  readonly callbackUrl: string | null
  /** Where card callbacks go; null means {@link callbackUrl}. */
  readonly cardCallbackUrl: string | null
  /** Whether calls the merchant made itself send callbacks too (CONTRACT section 16). */
  readonly selfEvents: boolean
  /** Origins of the merchant's pages that may embed secure form fields. */
  readonly secureFieldOrigins: readonly string[]
}

export interface Wallet extends WalletSettings {
  readonly id: bigint
  readonly publicId: string
  readonly kind: 'merchant' | 'consumer'
  /** Stores of the merchant, the only ones an operation may name. */
  readonly stores: readonly number[]
  /** User name of the callbacks' Authorization header; null for consumers. */
  readonly callbackUser: string | null
  /** Whether callbacks are signed with their own Basic password, as a version before did, until one is rotated. */
  readonly signsWithPassword: boolean
  readonly createdAt: Instant
}

/** What callbacks are signed and authorised with. Never logged, never stored unsealed. */
export interface CallbackCredentials {
  readonly user: string
  /** The Basic password. */
  readonly secret: string
  /** The password before, while receivers may still expect it (24 h after a rotation). */
  readonly previousSecret?: string
  /** What callbacks are signed with, never sent: the newest first, after it one that receivers may still expect. */
  readonly signingSecrets: readonly string[]
}

/** An API key as shown after its creation: the secret part is stored nowhere. */
export interface ApiKey {
  readonly id: string
  readonly walletId: bigint
  readonly permissions: readonly Permission[]
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
}
