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
  wordField,
} from '../http/index.ts'
import type { Instant } from '../kernel/time.ts'
import { phoneMethods } from '../methods/list.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Charge, Subscription } from './model.ts'

/** VOIDED is what the merchant did itself, an event only where the wallet wants that, or where it deleted the card. */
export type SubscriptionEventWord = 'APPROVED' | 'FAILED' | 'CANCELED' | 'VOIDED'
export type ChargeEventWord = 'SUCCESS' | 'FAIL'

/** What an event says, of whom, and when. */
export interface EventDetails<Word extends string> {
  readonly id: string
  readonly wallet: Wallet
  readonly event: Word
  readonly at: Instant
  /** Why it failed, in a word. */
  readonly error?: string | undefined
}

/** The callback of a subscription; its end is the effective one, which may be earlier than the one asked for. */
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

/** Its mandate has callbacks of its own, from which the type tells this one. */
function isUnderMandate({ method }: Subscription): boolean {
  return method !== undefined && phoneMethods.includes(method)
}

/** The callback of a charge that was processed. */
export function chargeEvent(
  charge: Charge,
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
  ext_subscriptionid: textOrNull("The merchant's reference of the subscription."),
  error: Type.Optional(Type.String({ description: 'Why it failed, in a word.' })),
}

const subscriptionSchema = Type.Object(
  {
    event: wordField<SubscriptionEventWord>(
      ['APPROVED', 'FAILED', 'CANCELED', 'VOIDED'],
      'APPROVED: it can be charged. FAILED: the customer did not accept it. CANCELED: the customer ended it. VOIDED: you did, told only where the operator has switched that on.',
    ),
    ...common,
    subscription_end_date: textOrNull(
      'Its last Lisbon day, which the card or the phone of the customer may have brought forward; null for none.',
      { format: 'date' },
    ),
    type: Type.Optional(
      Type.Literal('SUBSCRIPTION', {
        description: `Always SUBSCRIPTION; only where it is charged by ${phoneMethods.join(' or ')}.`,
      }),
    ),
  },
  { title: 'SubscriptionCallback', description: 'A subscription has reached a status.' },
)

const chargeSchema = Type.Object(
  {
    event: wordField<ChargeEventWord>(['SUCCESS', 'FAIL'], 'How it went.'),
    charge_order_id: idField('The charge.'),
    amount: amountField('What was to be charged.'),
    currency: currencyField,
    ...common,
    ext_invoiceid: textOrNull("The merchant's reference of the charge."),
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

/** The callbacks for the API reference. */
export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  subscription: {
    summary: 'A subscription has reached a status',
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
      SUCCESS: { summary: 'It was charged', value: charged },
      FAIL: { summary: 'It was not', value: { ...charged, event: 'FAIL', error: 'insufficient_funds' } },
    },
  },
}
