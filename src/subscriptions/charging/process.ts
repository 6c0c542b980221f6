// Processing a charge: opens its payment and asks the rail.
import { newId } from '../../kernel/random.ts'
import { after, day } from '../../kernel/time.ts'
import { storedCardMethods } from '../../methods/list.ts'
import {
  admitPayment,
  type ChargeAsked,
  type OpenedOperation,
  underApproval,
} from '../../operations/for-movements.ts'
import {
  type ChargeHandler,
  type NewOperation,
  type Operation,
  openedOperation,
} from '../../operations/index.ts'
import { batched } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { type ChargeEventWord, chargeEvent } from '../events.ts'
import type { Charge, Subscription } from '../model.ts'
import { whyStopped } from '../rules.ts'
import { findSubscription } from '../store.ts'
import { type ClaimedCharge, failUnopenedCharge, openChargePayments } from './processing-store.ts'
import { type ChargeOrder, chargingRailOf } from './rails.ts'

/** An operator who changes providers has no rail for a while; after a day the merchant should know. */
const waitsForRailMs = day

/** An acquirer's own form cannot charge stored cards. */
function isWithoutRail({ unserved, cardsAtAcquirer }: Wallet, { method }: Subscription): boolean {
  if (method === undefined) return true
  return (
    unserved?.includes(method) === true || (cardsAtAcquirer === true && storedCardMethods.includes(method))
  )
}

export type ProcessCharge = (claimed: ClaimedCharge) => Promise<void>

/**
 * After a crash the next process claims it again; an open payment is the engine's work ({@link
 * createChargeHandler}).
 */
export function createProcessCharge(deps: SubscriptionsDeps): ProcessCharge {
  const { database, clock, random, wallets, engine, methods } = deps
  const open = batched<OpenedOperation, boolean>({
    database,
    write: (operations) => openChargePayments(database, operations),
  })

  async function eventOf(
    { charge, subscription }: ClaimedCharge,
    event: ChargeEventWord,
    error: string | undefined,
  ) {
    const at = clock.now()
    const wallet = await wallets.get(charge.walletId)
    return chargeEvent(charge, subscription, { id: newId(at, random), wallet, event, at, error })
  }

  async function fail(claimed: ClaimedCharge, error: string): Promise<void> {
    const event = await eventOf(claimed, 'FAIL', error)
    if (await failUnopenedCharge(database, claimed.charge, { error, event, at: clock.now() })) {
      deps.callbacks.wake()
    }
  }

  return async (claimed) => {
    const { charge, subscription, claimedAt: since } = claimed
    const rail = chargingRailOf(methods, subscription)
    const blockedReason = whyStopped(subscription.status) ?? (await rail.blockedReason(subscription))
    if (blockedReason !== undefined) return fail(claimed, blockedReason)
    const wallet = await wallets.get(charge.walletId)
    if (isWithoutRail(wallet, subscription)) {
      // The lease expires and the charge is tried again.
      if (clock.now() < after(charge.createdAt, waitsForRailMs)) return
      return fail(claimed, 'method_not_served')
    }
    const { amount, operationId } = charge
    const admitted = await admitPayment(deps, wallet, { amount, operationId, field: 'payment.amount' })
    if (!admitted.ok) return fail(claimed, admitted.refusal.kind)
    const phone = await rail.phoneOf?.(subscription)
    const payment = underApproval({ ...paymentOf(charge, subscription), phone }, since)
    if (!(await open(payment))) return
    const order = await orderOf(deps, subscription, openedOperation(payment))
    const asked: ChargeAsked = {
      since,
      extraEvents: async (status, error) => [
        await eventOf(claimed, status === 'COMPLETED' ? 'SUCCESS' : 'FAIL', error),
      ],
    }
    const decided = await engine.decide(
      payment,
      async (beforeSend) => {
        const answer = await rail.charge(order, beforeSend)
        if (answer.kind === 'obstacle') return { kind: 'declined', reason: answer.reason }
        return answer.kind === 'settled' ? { kind: 'unknown' } : answer
      },
      asked,
    )
    // Another process ended the charge during the call: releases the new reservation.
    if (decided.operation.status === 'FAIL') await rail.givenUp?.(order)
  }
}

/** The engine calls these for unanswered charges. */
export function createChargeHandler(
  deps: Pick<SubscriptionsDeps, 'database' | 'wallets' | 'methods'>,
): ChargeHandler {
  async function chargeOf(payment: Operation) {
    const { walletId, subscriptionId } = payment
    const subscription =
      subscriptionId === undefined
        ? undefined
        : await findSubscription(deps.database, walletId, subscriptionId)
    if (subscription === undefined) throw new Error(`charge ${payment.id} has no subscription`)
    const rail = chargingRailOf(deps.methods, subscription)
    return { subscription, rail, order: await orderOf(deps, subscription, payment) }
  }

  return {
    async inquire(payment) {
      const { rail, order } = await chargeOf(payment)
      return rail.inquire(order)
    },
    async send(payment, beforeSend) {
      const { subscription, rail, order } = await chargeOf(payment)
      const reason = whyStopped(subscription.status)
      if (reason !== undefined) return { kind: 'stopped', reason }
      const answer = await rail.charge(order, beforeSend)
      if (answer.kind === 'obstacle') return { kind: 'stopped', reason: answer.reason }
      return answer.kind === 'settled' ? { kind: 'unknown' } : answer
    },
    async givenUp(payment) {
      const { rail, order } = await chargeOf(payment)
      await rail.givenUp?.(order)
    },
  }
}

async function orderOf(
  { wallets }: Pick<SubscriptionsDeps, 'wallets'>,
  subscription: Subscription,
  operation: Operation,
): Promise<ChargeOrder> {
  const { name: merchantName } = await wallets.get(subscription.walletId)
  return { subscription, operation, merchantName }
}

/** With the references of the charge, on the card of the subscription. */
function paymentOf(charge: Charge, subscription: Subscription): NewOperation {
  const { card, cardToken: token } = subscription
  return {
    id: charge.operationId,
    walletId: charge.walletId,
    type: 'PAYMENT',
    status: 'PENDING',
    method: subscription.method,
    amount: charge.amount,
    currency: charge.currency,
    channel: 'API',
    subscriptionId: subscription.id,
    extInvoiceId: charge.extInvoiceId,
    items: charge.items,
    client: charge.client ?? subscription.client,
    card: card === undefined || token === undefined ? card : { ...card, token },
    createdAt: charge.createdAt,
  }
}
