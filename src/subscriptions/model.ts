// A subscription: what a customer allows a merchant to charge per cycle; and the charges made under it.

import type { Day } from '../kernel/lisbon.ts'
import type { CardSummary } from '../kernel/values/card-numbers.ts'
import { recurringMethods } from '../methods/list.ts'
import type { Client, PaymentItem } from '../operations/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const periods = ['DAY', 'WEEK', 'MONTH'] as const
export type Period = (typeof periods)[number]

/** Methods by which a customer can accept a subscription, and is charged afterwards. */
export const subscriptionMethods = recurringMethods
export type SubscriptionMethod = (typeof subscriptionMethods)[number]

export type SubscriptionStatus = 'NEW' | 'APPROVED' | 'FAILED' | 'EXPIRED' | 'CANCELED' | 'VOIDED'

/**
 * Every transition there is (SPEC.md "Subscription"; CONTRACT section 14); a status without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const subscriptionTransitions: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  NEW: ['APPROVED', 'FAILED', 'VOIDED'],
  APPROVED: ['EXPIRED', 'CANCELED', 'VOIDED'],
  FAILED: [],
  EXPIRED: [],
  CANCELED: [],
  VOIDED: [],
}

export type ChargeStatus = 'NEW' | 'PROCESSING' | 'SUCCESS' | 'FAIL'

/**
 * Every transition there is (CONTRACT section 14); a status without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const chargeTransitions: Readonly<Record<ChargeStatus, readonly ChargeStatus[]>> = {
  NEW: ['PROCESSING'],
  PROCESSING: ['SUCCESS', 'FAIL'],
  SUCCESS: [],
  FAIL: [],
}

/** What customers allow merchants to charge. */
export const subscriptions = table(
  'subscriptions',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    status: column.text<SubscriptionStatus>(),
    /** In cents; zero while a mandate that opened it has no limit yet. */
    amount: column.cents(),
    currency: column.text<'EUR'>(),
    /** 1 to 365 */
    frequency: column.integer(),
    period: column.text<Period>(),
    /** The Lisbon day on which cycles begin, and from which charges are taken. */
    startDate: column.text<Day>(),
    /** The last Lisbon day on which charges are taken; absent for no end. */
    endDate: column.text<Day>().optional(),
    extSubscriptionId: column.text().named('ext_subscriptionid').optional(),
    description: column.text().optional(),
    client: column.json<Client>().optional(),
    checkoutId: column.uuid().optional(),
    /** The payment made in the same acceptance: both succeed, or neither. */
    operationId: column.uuid().optional(),
    /** How it is accepted, or was. */
    method: column.text<SubscriptionMethod>().optional(),
    /** The customer's latest attempt to accept it. */
    attemptId: column.uuid().optional(),
    /** Whether a rail is deciding about it. */
    underApproval: column.boolean(),
    /** The stored card it is charged on, and its token in the vault. */
    card: column.json<CardSummary>().optional(),
    cardToken: column
      .uuid()
      .transformed(
        (token) => token.toUpperCase(),
        (token) => token.toLowerCase(),
      )
      .optional(),
    /** The mandate of the mobile wallet it is charged under. */
    mandateId: column.uuid().optional(),
    /** Whose balance it is charged to. */
    consumerId: column.bigint().optional(),
    /** The end that was asked for; the effective one may be earlier. */
    askedEndDate: column.text<Day>().optional(),
    /** The latest cycle in which something was charged, counted from 0. */
    cycle: column.integer(),
    /** What of that cycle's allowance is charged or being charged, in cents. */
    cycleCharged: column.cents(),
    /** Why it failed, in a word. */
    error: column.text().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  {
    /** The moment after its last day. */
    endsAt: column.instant().optional(),
  },
)

/** A subscription, in its present state. */
export type Subscription = RowOf<typeof subscriptions>

/** What the customer allows: at most `amount` per cycle of `frequency` periods, from one day to another. */
export type Terms = Pick<
  Subscription,
  'amount' | 'currency' | 'frequency' | 'period' | 'startDate' | 'endDate'
>

/** A subscription as it is asked for. */
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
  >

/** Charges made under a subscription. */
export const charges = table(
  'charges',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    subscriptionId: column.uuid(),
    /** The id of the payment it becomes: fixed with the charge, so that a crash cannot make two payments. */
    operationId: column.uuid(),
    status: column.text<ChargeStatus>(),
    /** In cents. */
    amount: column.cents(),
    currency: column.text<'EUR'>(),
    /** The cycle whose allowance it uses. */
    cycle: column.integer(),
    extInvoiceId: column.text().named('ext_invoiceid').optional(),
    items: column.json<readonly PaymentItem[]>().optional(),
    client: column.json<Client>().optional(),
    /** Why it failed, in a word. */
    error: column.text().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  {
    /** Whether its payment is open, so that a rail may have been asked. */
    opened: column.boolean(),
    /** When it is taken up; its payment, once that is open, is looked after by the engine. */
    dueAt: column.instant().optional(),
  },
)

/** A charge order, in its present state. */
export type Charge = RowOf<typeof charges>

/** A charge as it is asked for. */
export type NewCharge = Omit<Charge, 'status' | 'cycle' | 'error' | 'modifiedAt'>
