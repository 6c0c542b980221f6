// The events of subscriptions and charges (SPEC.md Events).
import type { NewEvent } from '../callbacks/index.ts'
import { amountOnWire } from '../http/index.ts'
import type { Instant } from '../kernel/time.ts'
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
      ...(subscription.method === 'MBWAY' ? { type: 'SUBSCRIPTION' } : {}),
      ...(error === undefined ? {} : { error }),
    },
    endpoint: 'wallet',
    hasEndpoint: wallet.callbackUrl !== null,
    createdAt: at,
  }
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
