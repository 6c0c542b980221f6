// A hosted checkout: what the customer decides about, with which methods, and where they go afterwards.

import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { ContactWanted } from '../methods/contact.ts'
import { methods } from '../methods/list.ts'
import type { Client, MerchantReferences, Operation, PaymentItem } from '../operations/index.ts'
import type { CheckoutKind } from '../pages/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'
import type { Subscription, SubscriptionDraft } from '../subscriptions/index.ts'

/**
 * Codes allowed in `exclude` and `default_method`: every method, also those that no page offers, and phone
 * platforms (CONTRACT section 7).
 */
export const checkoutMethodCodes = [...methods, 'GPAY', 'APAY'] as const
export type CheckoutMethodCode = (typeof checkoutMethodCodes)[number]

/** What the customer must enter before paying. */
export interface RequiredFields extends ContactWanted {
  readonly shipping?: boolean
}

/** A checkout as asked for, every field checked. */
export interface CheckoutDraft {
  readonly kind: CheckoutKind
  /** What is paid or reserved now; of a subscription alone, what it allows per cycle. */
  readonly amount: Cents
  readonly currency: 'EUR'
  readonly merchantReferences: MerchantReferences
  readonly items?: readonly PaymentItem[] | undefined
  readonly client?: Client | undefined
  readonly store?: bigint | undefined
  /** As it was sent: the wallets that it names are looked up later. */
  readonly split?: unknown
  readonly urlConfirm: string
  readonly urlCancel: string
  readonly exclude: readonly CheckoutMethodCode[]
  readonly defaultMethod?: CheckoutMethodCode | undefined
  readonly requiredFields: RequiredFields
  /** Whether its bank reference is to be an instant one; of an authorization, that it is accepted within a day. */
  readonly instant: boolean
  /** From when that can be paid; absent for at once. */
  readonly starts?: Instant | undefined
  /** Until when it can be paid. */
  readonly expiresAt: Instant
  /** Whether the merchant named that moment itself; only then is it shown on the operation. */
  readonly expiryWasAsked: boolean
  /** Accepted alone, or together with the payment: then both succeed, or neither. */
  readonly subscription?: SubscriptionDraft | undefined
  /** The payment link through which its customer came. */
  readonly paymentLinkId?: string | undefined
}

/** Hosted checkouts. What a customer decides about on one is an operation, a subscription, or both. */
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
    /**
     * E.164: the phone that the merchant named when it made the checkout. Only for this one a mandate replaces the
     * PIN; a customer who types another is asked on it. Absent where the caller may not use mandates.
     */
    mandatePhone: column.text().optional(),
    expiresAt: column.instant(),
    createdAt: column.instant(),
  },
  {
    dueAt: column.instant().optional(),
  },
)

type AnyCheckout = Omit<RowOf<typeof checkouts>, 'kind' | 'operationId' | 'subscriptionId'>

/** A checkout that pays or reserves, with its operation, and perhaps a subscription accepted with it. */
export type PaidCheckout = AnyCheckout & {
  readonly kind: Exclude<CheckoutKind, 'subscription'>
  readonly operation: Operation
  readonly subscription?: Subscription | undefined
}

/** A checkout on which a subscription is accepted and nothing is paid. */
export type SubscribingCheckout = AnyCheckout & {
  readonly kind: 'subscription'
  readonly operation?: undefined
  readonly subscription: Subscription
}

/** A checkout in its present state. */
export type Checkout = PaidCheckout | SubscribingCheckout
