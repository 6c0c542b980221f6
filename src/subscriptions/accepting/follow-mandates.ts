// Subscriptions and their mandates: what the customer changes in the mobile wallet's app applies to the subscription.
import { recordEvents } from '../../callbacks/index.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { newId } from '../../kernel/random.ts'
import type { Mandate, MandateEventWord, MovedMandate, SubscriptionMandates } from '../../mandates/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { EventDeps } from '../deps.ts'
import { type SubscriptionEventWord, subscriptionEvent } from '../events.ts'
import type { Subscription } from '../model.ts'
import { endNoLaterThan } from '../rules.ts'
import { findSubscription, insertSubscription } from '../store.ts'
import { approveUnderMandate, changeUnderMandate, keepMandate, type MandateTerms } from './mandate-store.ts'
import { beginAcceptance, chooseAcceptance, endAcceptance, moveSubscription } from './transitions-store.ts'

/**
 * Passed to the module of mandates. A subscription accepted on a page keeps the amount asked for, and the mandate's
 * limit applies in addition; one that a mandate opened allows what the customer set, per month of the calendar.
 */
export function followMandates({
  database,
  clock,
  random,
}: Omit<EventDeps, 'wallets'>): SubscriptionMandates {
  async function recordEvent(
    tx: Executor,
    wallet: Wallet,
    subscription: Subscription | undefined,
    event: SubscriptionEventWord,
    error?: string,
  ): Promise<void> {
    if (subscription === undefined) return
    const at = clock.now()
    const details = { id: newId(at, random), wallet, event, at, error }
    await recordEvents(tx, [subscriptionEvent(subscription, details)])
  }

  async function notApproved(
    tx: Executor,
    subscription: Subscription,
    { mandate, wallet }: MovedMandate,
  ): Promise<void> {
    const now = clock.now()
    const { walletId, id: attemptId } = mandate
    const ours = { walletId, subscriptionId: subscription.id, attemptId }
    // On a page another attempt may follow, until the checkout's time is over.
    if (!(await endAcceptance(tx, ours, now)) || subscription.checkoutId !== undefined) return
    const end = { from: ['NEW'], to: 'FAILED', error: 'not_approved' } as const
    await recordEvent(
      tx,
      wallet,
      await moveSubscription(tx, subscription, end, now),
      'FAILED',
      'not_approved',
    )
  }

  async function ended(
    tx: Executor,
    wallet: Wallet,
    subscription: Subscription,
    to: 'EXPIRED' | 'CANCELED' | 'VOIDED',
  ) {
    const moved = await moveSubscription(tx, subscription, { from: ['APPROVED'], to }, clock.now())
    if (to === 'CANCELED') await recordEvent(tx, wallet, moved, 'CANCELED')
  }

  async function changed(
    tx: Executor,
    subscription: Subscription,
    { mandate, wallet }: MovedMandate,
  ): Promise<void> {
    const moved = await changeUnderMandate(tx, subscription, termsOf(subscription, mandate), clock.now())
    if (moved !== undefined && moved.endDate !== subscription.endDate)
      await recordEvent(tx, wallet, moved, 'APPROVED')
  }

  async function approved(
    tx: Executor,
    subscription: Subscription,
    { mandate, wallet }: MovedMandate,
  ): Promise<void> {
    const terms = termsOf(subscription, mandate)
    // One that waits for a payment is approved by the statement that settles the payment.
    if (subscription.operationId !== undefined) return keepMandate(tx, subscription, terms, clock.now())
    await recordEvent(tx, wallet, await approveUnderMandate(tx, subscription, terms, clock.now()), 'APPROVED')
  }

  const becomes: Record<
    MandateEventWord,
    (tx: Executor, subscription: Subscription, moved: MovedMandate) => Promise<void>
  > = {
    APPROVED: approved,
    UPDATED: changed,
    // Charges fail while it is suspended, and the customer may resume it.
    SUSPENDED: async () => undefined,
    EXPIRED: (tx, subscription, moved) =>
      subscription.mandateId === moved.mandate.id
        ? ended(tx, moved.wallet, subscription, 'EXPIRED')
        : notApproved(tx, subscription, moved),
    VOIDED: async (tx, subscription, { mandate, wallet, byMerchant }) => {
      if (subscription.mandateId === mandate.id)
        await ended(tx, wallet, subscription, byMerchant ? 'VOIDED' : 'CANCELED')
    },
  }

  return {
    async opened(tx, mandate) {
      const { walletId, id: attemptId, subscriptionId = '', createdAt, phone, clientName } = mandate
      await insertSubscription(tx, {
        id: subscriptionId,
        walletId,
        amount: mandate.limit,
        currency: 'EUR',
        frequency: 1,
        period: 'MONTH',
        startDate: `${lisbonDayOf(createdAt).slice(0, 7)}-01`,
        client: clientName === undefined ? { phone } : { name: clientName, phone },
        createdAt,
      })
      const ours = { walletId, subscriptionId, attemptId }
      await chooseAcceptance(tx, ours, 'MBWAY', createdAt)
      await beginAcceptance(tx, ours, createdAt)
    },
    async moved(tx, change) {
      const { walletId, subscriptionId = '' } = change.mandate
      const subscription = await findSubscription(tx, walletId, subscriptionId)
      if (subscription === undefined) return
      await becomes[change.event](tx, subscription, change)
    },
    async needs({ id, walletId, subscriptionId }) {
      if (subscriptionId === undefined) return true
      const subscription = await findSubscription(database, walletId, subscriptionId)
      const { status, mandateId } = subscription ?? {}
      // Until it is approved it has none, or this one; approved by a card it needs none.
      return mandateId === id
        ? status === 'NEW' || status === 'APPROVED'
        : status === 'NEW' && mandateId === undefined
    },
  }
}

function termsOf(subscription: Subscription, mandate: Mandate): MandateTerms {
  const { amount, checkoutId, askedEndDate } = subscription
  return {
    mandateId: mandate.id,
    amount: checkoutId === undefined ? mandate.limit : amount,
    endDate: endNoLaterThan({ endDate: askedEndDate }, mandate.expiryDate),
  }
}
