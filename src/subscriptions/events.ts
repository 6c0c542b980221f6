// The events of subscriptions and charges (SPEC.md Events).

import { Type } from 'typebox'
import type { NewEvent } from '../callbacks/index.ts'
import {
  amountField,
  amountOnWire,
  currencyField,
  type DescribedWebhook,
  exampleId,
  idField,
  used,
  wordField,
} from '../http/index.ts'
import type { Instant } from '../kernel/time.ts'
import { phoneMethods } from '../methods/list.ts'
import type { Wallet } from '../wallets/index.ts'
import { numberedOnWire, numberedSchema } from './auto/schemas.ts'
import type { NewCharge, Subscription } from './model.ts'

/** VOIDED comes from the merchant: sent only if the wallet wants it, or after a card was deleted. */
export type SubscriptionEventWord = 'APPROVED' | 'FAILED' | 'CANCELED' | 'VOIDED'
export type ChargeEventWord = 'SUCCESS' | 'FAIL'

export interface EventDetails<Word extends string> {
  readonly id: string
  readonly wallet: Wallet
  readonly event: Word
  readonly at: Instant
  /** Reason of a failure, as one word. */
  readonly error?: string | undefined
}

/** The event has the real end, which may be earlier than requested. */
export function subscriptionEvent(
  subscription: Subscription,
  { id, wallet, event, at, error }: EventDetails<SubscriptionEventWord>,
): NewEvent {
  return {
    id,
    walletId: subscription.walletId,
    kind: 'subscription',
    subject: subscription.id,
    event,
    payload: {
      event,
      subscription_id: subscription.id,
      ext_subscriptionid: subscription.extSubscriptionId ?? null,
      subscription_end_date: subscription.endDate ?? null,
      ...(isUnderMandate(subscription) ? { type: 'SUBSCRIPTION' } : {}),
      ...(error === undefined ? {} : { error }),
    },
    endpoint: 'wallet',
    hasEndpoint: wallet.callbackUrl !== null,
    createdAt: at,
  }
}

/** A mandate has callbacks too, so these events carry the type SUBSCRIPTION. */
function isUnderMandate({ method }: Subscription): boolean {
  return method !== undefined && phoneMethods.includes(method)
}

export function chargeEvent(
  charge: NewCharge,
  subscription: Subscription,
  { id, wallet, event, at, error }: EventDetails<ChargeEventWord>,
): NewEvent {
  return {
    id,
    walletId: charge.walletId,
    kind: 'charge',
    subject: charge.id,
    event,
    payload: {
      event,
      charge_order_id: charge.id,
      amount: amountOnWire(charge.amount),
      currency: charge.currency,
      subscription_id: charge.subscriptionId,
      ext_subscriptionid: subscription.extSubscriptionId ?? null,
      ext_invoiceid: charge.extInvoiceId ?? null,
      ...(charge.attempt === undefined ? {} : { auto_charge: numberedOnWire(charge, error) }),
      ...(error === undefined ? {} : { error }),
    },
    endpoint: 'wallet',
    hasEndpoint: wallet.callbackUrl !== null,
    createdAt: at,
  }
}

const textOrNull = (description: string, keywords: object = {}) =>
  Type.Unsafe<string | null>({ anyOf: [{ type: 'string', ...keywords }, { type: 'null' }], description })

const common = {
  subscription_id: idField('The subscription.'),
  ext_subscriptionid: textOrNull('Your reference of the subscription.'),
  error: Type.Optional(Type.String({ description: 'Reason of the failure, in a word.' })),
}

const subscriptionSchema = Type.Object(
  {
    event: wordField<SubscriptionEventWord>(
      ['APPROVED', 'FAILED', 'CANCELED', 'VOIDED'],
      'APPROVED: it can be charged. FAILED: the customer did not accept it. CANCELED: the customer ended it. VOIDED: you ended it; sent only if the operator enables it.',
    ),
    ...common,
    subscription_end_date: textOrNull(
      "Last Lisbon day; the customer's card or phone may have set an earlier one. Null for no end.",
      { format: 'date' },
    ),
    type: Type.Optional(
      Type.Literal('SUBSCRIPTION', {
        description: `Always SUBSCRIPTION; present only for ${phoneMethods.join(' or ')}.`,
      }),
    ),
  },
  { title: 'SubscriptionCallback', description: 'A subscription has a new status.' },
)

const chargeSchema = Type.Object(
  {
    event: wordField<ChargeEventWord>(['SUCCESS', 'FAIL'], 'Result of the charge.'),
    charge_order_id: idField('The charge.'),
    amount: amountField('Amount in euros.'),
    currency: currencyField,
    ...common,
    ext_invoiceid: textOrNull('Your reference of the charge.'),
    auto_charge: Type.Optional(used(numberedSchema, 'Present for charges that the gateway makes.')),
  },
  { title: 'ChargeCallback', description: 'A charge was processed.' },
)

const approved = {
  event: 'APPROVED',
  subscription_id: exampleId,
  ext_subscriptionid: 'S-42',
  subscription_end_date: '2027-02-28',
}
const charged = {
  event: 'SUCCESS',
  charge_order_id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
  amount: 9.99,
  currency: 'EUR',
  subscription_id: exampleId,
  ext_subscriptionid: 'S-42',
  ext_invoiceid: '2026-0042',
}

export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  subscription: {
    summary: 'A subscription has a new status',
    description: 'Sent to the address of the wallet.',
    body: subscriptionSchema,
    examples: {
      APPROVED: { summary: 'The customer accepted it', value: approved },
      FAILED: {
        summary: 'The customer did not accept it',
        value: { ...approved, event: 'FAILED', error: 'cancelled' },
      },
      CANCELED: { summary: 'The customer ended it', value: { ...approved, event: 'CANCELED' } },
    },
  },
  charge: {
    summary: 'A charge was processed',
    description: 'Sent to the address of the wallet. The payment of a charge sends a callback of its own.',
    body: chargeSchema,
    examples: {
      SUCCESS: { summary: 'The charge succeeded', value: charged },
      FAIL: {
        summary: 'The charge failed',
        value: { ...charged, event: 'FAIL', error: 'insufficient_funds' },
      },
      AUTO_FAIL: {
        summary: 'A charge that the gateway made failed, and is tried again',
        value: {
          ...charged,
          event: 'FAIL',
          ext_invoiceid: 'CLUB-3',
          auto_charge: { number: 3, attempt: 1, retry_on: '2026-05-02', next_on: '2026-06-01' },
          error: 'insufficient_funds',
        },
      },
    },
  },
}
