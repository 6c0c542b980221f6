// A hosted checkout: one operation, how the customer may pay it, and where they go afterwards.

import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { Client, MerchantReferences, Method, Operation, PaymentItem } from '../operations/index.ts'

export type CheckoutKind = 'payment' | 'authorization'

/** Codes that may stand in `exclude` and `default_method`: the methods, and phone platforms (CONTRACT section 7). */
export const checkoutMethodCodes = ['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'GPAY', 'APAY'] as const
export type CheckoutMethodCode = (typeof checkoutMethodCodes)[number]

/** What the customer must tell before paying. */
export interface RequiredFields {
  readonly name?: boolean
  readonly email?: boolean
  readonly phone?: boolean
  readonly shipping?: boolean
}

/** A checkout as asked for, every field checked. */
export interface CheckoutDraft {
  readonly kind: CheckoutKind
  readonly amount: Cents
  readonly currency: 'EUR'
  readonly references: MerchantReferences
  readonly items?: readonly PaymentItem[] | undefined
  readonly client?: Client | undefined
  readonly store?: bigint | undefined
  /** As it was sent: what it names must be looked up. */
  readonly split?: unknown
  readonly urlConfirm: string
  readonly urlCancel: string
  readonly exclude: readonly CheckoutMethodCode[]
  readonly defaultMethod?: CheckoutMethodCode | undefined
  readonly requiredFields: RequiredFields
  /** Whether its bank reference is to be an instant one. */
  readonly instant: boolean
  /** From when that can be paid; absent for at once. */
  readonly starts?: Instant | undefined
  /** Until when it can be paid. */
  readonly expiresAt: Instant
  /** Whether the merchant named that moment itself; only then is it shown on the operation. */
  readonly expiryWasAsked: boolean
}

/** A checkout as it stands, with its operation. */
export interface Checkout {
  readonly id: string
  readonly walletId: bigint
  readonly kind: CheckoutKind
  readonly urlConfirm: string
  readonly urlCancel: string
  readonly exclude: readonly CheckoutMethodCode[]
  readonly defaultMethod?: CheckoutMethodCode | undefined
  readonly requiredFields: RequiredFields
  readonly expiresAt: Instant
  readonly createdAt: Instant
  readonly operation: Operation
}

/** Methods a customer may choose on a page: those a rail exists for, in the order they are offered. */
export const pageMethods = [
  'CC',
  'MBWAY',
  'MB',
  'PAYPAL',
  'WALLET',
  'SEPA',
] as const satisfies readonly Method[]
export type PageMethod = (typeof pageMethods)[number]
