// A subscription, and the charges made under it.

import type { Day } from '../kernel/lisbon.ts'
import type { CardSummary } from '../kernel/values/card-numbers.ts'
import { recurringMethods } from '../methods/list.ts'
import type { Client, PaymentItem } from '../operations/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'
import type { AutoChargeTerms } from './auto/model.ts'

export const periods = ['DAY', 'WEEK', 'MONTH'] as const
export type Period = (typeof periods)[number]

/** Methods for accepting a subscription, and for its charges. */
export const subscriptionMethods = recurringMethods
export type SubscriptionMethod = (typeof subscriptionMethods)[number]

export type SubscriptionStatus = 'NEW' | 'APPROVED' | 'FAILED' | 'EXPIRED' | 'CANCELED' | 'VOIDED'

/** The allowed changes of status (SPEC.md "Subscription"). @public A test compares them with docs/states. */
export const subscriptionTransitions: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  NEW: ['APPROVED', 'FAILED', 'VOIDED'],
  APPROVED: ['EXPIRED', 'CANCELED', 'VOIDED'],
  FAILED: [],
  EXPIRED: [],
  CANCELED: [],
  VOIDED: [],
}

export type ChargeStatus = 'NEW' | 'PROCESSING' | 'SUCCESS' | 'FAIL'

/** The allowed changes of status (CONTRACT section 14). @public A test compares them with docs/states. */
export const chargeTransitions: Readonly<Record<ChargeStatus, readonly ChargeStatus[]>> = {
  NEW: ['PROCESSING'],
  PROCESSING: ['SUCCESS', 'FAIL'],
  SUCCESS: [],
  FAIL: [],
}

export const subscriptions = table(
  'subscriptions',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    status: column.text<SubscriptionStatus>(),
    /** Zero while the subscription's mandate has no limit yet. */
    amount: column.cents(),
    currency: column.text<'EUR'>(),
    frequency: column.integer(),
    period: column.text<Period>(),
    /** Cycles and charges begin on this Lisbon day. */
    startDate: column.text<Day>(),
    /** The last Lisbon day for charges; absent for no end. */
    endDate: column.text<Day>().optional(),
    extSubscriptionId: column.text().named('ext_subscriptionid').optional(),
    description: column.text().optional(),
    client: column.json<Client>().optional(),
    checkoutId: column.uuid().optional(),
    /** The first payment. The subscription and this payment succeed or fail together. */
    operationId: column.uuid().optional(),
    method: column.text<SubscriptionMethod>().optional(),
    /** The customer's latest attempt to accept it. */
    attemptId: column.uuid().optional(),
    underApproval: column.boolean(),
    /** The stored card that is charged; `cardToken` is its token in the vault. */
    card: column.json<CardSummary>().optional(),
    cardToken: column
      .uuid()
      .transformed(
        (token) => token.toUpperCase(),
        (token) => token.toLowerCase(),
      )
      .optional(),
    mandateId: column.uuid().optional(),
    consumerId: column.bigint().optional(),
    /** The last day as requested. `endDate` may be earlier. */
    askedEndDate: column.text<Day>().optional(),
    /** The latest cycle with a charge, from 0. */
    cycle: column.integer(),
    /** The amount used in that cycle, including pending charges. */
    cycleCharged: column.cents(),
    error: column.text().optional(),
    /** The gateway makes charges: see `auto/model.ts`. */
    autoCharged: column.boolean(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  {
    endsAt: column.instant().optional(),
  },
)

export type Subscription = RowOf<typeof subscriptions>

/** The rest of the terms: at most `amount` in each cycle of `frequency` periods. */
export type Terms = Pick<
  Subscription,
  'amount' | 'currency' | 'frequency' | 'period' | 'startDate' | 'endDate'
>

export type NewSubscription = Terms &
  Pick<
    Subscription,
    | 'id'
    | 'walletId'
    | 'extSubscriptionId'
    | 'description'
    | 'client'
    | 'checkoutId'
    | 'operationId'
    | 'createdAt'
  > & { readonly autoCharge?: AutoChargeTerms | undefined }

export const charges = table(
  'charges',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    subscriptionId: column.uuid(),
    /** The id of its payment, chosen before it opens, so that after a crash there is only one payment. */
    operationId: column.uuid(),
    status: column.text<ChargeStatus>(),
    amount: column.cents(),
    currency: column.text<'EUR'>(),
    /** The cycle whose allowance the charge uses. */
    cycle: column.integer(),
    extInvoiceId: column.text().named('ext_invoiceid').optional(),
    items: column.json<readonly PaymentItem[]>().optional(),
    client: column.json<Client>().optional(),
    error: column.text().optional(),
    /** Counts the cycles that the gateway charged; absent for a charge of the merchant. */
    number: column.integer().optional(),
    /** From 1 in each cycle; absent for a charge of the merchant. */
    attempt: column.integer().optional(),
    /** The next attempt, if this one is refused for a reason that can pass. */
    retryOn: column.text<Day>().optional(),
    /** The next cycle that the gateway charges. */
    nextOn: column.text<Day>().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  {
    /** True once its payment is open: the rail may have been asked. */
    opened: column.boolean(),
    /** When a worker processes it. Undefined once its payment is open, because the engine continues that. */
    dueAt: column.instant().optional(),
  },
)

export type Charge = RowOf<typeof charges>

export type NewCharge = Omit<Charge, 'status' | 'cycle' | 'error' | 'modifiedAt'>
