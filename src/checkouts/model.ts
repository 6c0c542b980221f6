// Types and table of checkouts.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { ContactWanted } from '../methods/contact.ts'
import { methods } from '../methods/list.ts'
import type { Client, MerchantReferences, Operation, PaymentItem } from '../operations/index.ts'
import type { CheckoutKind } from '../pages/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'
import type { Subscription, SubscriptionDraft } from '../subscriptions/index.ts'

/** Codes for `exclude` and `default_method`: all methods, and two only accepted (CONTRACT section 7). */
export const checkoutMethodCodes = [...methods, 'GPAY', 'APAY'] as const
export type CheckoutMethodCode = (typeof checkoutMethodCodes)[number]

export interface RequiredFields extends ContactWanted {
  readonly shipping?: boolean
}

export interface CheckoutDraft {
  readonly kind: CheckoutKind
  /** The amount to pay or reserve now. For a subscription alone, the amount of each cycle. */
  readonly amount: Cents
  readonly currency: 'EUR'
  readonly merchantReferences: MerchantReferences
  readonly items?: readonly PaymentItem[] | undefined
  readonly client?: Client | undefined
  readonly store?: bigint | undefined
  readonly split?: unknown
  readonly urlConfirm: string
  readonly urlCancel: string
  readonly exclude: readonly CheckoutMethodCode[]
  readonly defaultMethod?: CheckoutMethodCode | undefined
  readonly requiredFields: RequiredFields
  /** The bank reference is instant. An authorization must be accepted within a day. */
  readonly instant: boolean
  readonly starts?: Instant | undefined
  readonly expiresAt: Instant
  readonly expiryWasAsked: boolean
  readonly subscription?: SubscriptionDraft | undefined
  readonly paymentLinkId?: string | undefined
  readonly customerId?: string | undefined
}

export const checkouts = table(
  'checkouts',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    kind: column.text<CheckoutKind>(),
    operationId: column.uuid().optional(),
    subscriptionId: column.uuid().optional(),
    urlConfirm: column.text(),
    urlCancel: column.text(),
    exclude: column.json<readonly CheckoutMethodCode[]>().optional().default([]),
    defaultMethod: column.text<CheckoutMethodCode>().optional(),
    requiredFields: column.json<RequiredFields>().optional().default({}),
    /** In E.164 form. Only this phone's mandate can replace the PIN. Absent without the merchant's right. */
    mandatePhone: column.text().optional(),
    /** Named by the merchant's server. Its saved cards are offered. */
    customerId: column.uuid().optional(),
    expiresAt: column.instant(),
    createdAt: column.instant(),
  },
  {
    dueAt: column.instant().optional(),
  },
)

type AnyCheckout = Omit<RowOf<typeof checkouts>, 'kind' | 'operationId' | 'subscriptionId'>

export type PaidCheckout = AnyCheckout & {
  readonly kind: Exclude<CheckoutKind, 'subscription'>
  readonly operation: Operation
  readonly subscription?: Subscription | undefined
}

export type SubscribingCheckout = AnyCheckout & {
  readonly kind: 'subscription'
  readonly operation?: undefined
  readonly subscription: Subscription
}

export type Checkout = PaidCheckout | SubscribingCheckout
