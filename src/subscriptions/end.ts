// Ending a subscription: not activated, canceled by the customer, or voided by the merchant.

import { recordEvents } from '../callbacks/index.ts'
import { crashPoint } from '../kernel/crash-points.ts'
import { newId } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { findOperation } from '../operations/index.ts'
import type { Executor } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { type SubscriptionEventWord, subscriptionEvent } from './events.ts'
import type { Subscription } from './model.ts'
import { findSubscription } from './store.ts'
import { type Move, moveSubscription, voidChargedWith } from './transitions-store.ts'

type Ended = Subscription | undefined

/** Moves a subscription and records its event in the same transaction. */
async function moveWithEvent(
  { database, clock, random, wallets, callbacks }: SubscriptionsDeps,
  subscription: Subscription,
  move: Move & { readonly event: SubscriptionEventWord },
): Promise<Ended> {
  const { event, error } = move
  const wallet = await wallets.get(subscription.walletId)
  const moved = await database.transaction(async (tx) => {
    const at = clock.now()
    const ended = await moveSubscription(tx, subscription, move, at)
    if (ended === undefined) return undefined
    await recordEvents(tx, [subscriptionEvent(ended, { id: newId(at, random), wallet, event, at, error })])
    return ended
  })
  if (moved !== undefined) callbacks.wake()
  return moved
}

/**
 * Fails a subscription that the customer did not accept; undefined when it is decided, being decided, or waits
 * for its payment, with which it fails.
 */
export function failSubscription(
  deps: SubscriptionsDeps,
  subscription: Subscription,
  error: 'cancelled' | 'expired',
): Promise<Ended> {
  return moveWithEvent(deps, subscription, { from: ['NEW'], to: 'FAILED', event: 'FAILED', error })
}

/** Cancels a subscription for its customer; undefined when it takes no charges any more. */
export async function cancelSubscription(
  deps: SubscriptionsDeps,
  subscription: Subscription,
): Promise<Ended> {
  const move = { from: ['APPROVED'], to: 'CANCELED', event: 'CANCELED' } as const
  const canceled = await moveWithEvent(deps, subscription, move)
  if (canceled !== undefined) await dropPermission(deps, canceled)
  return canceled
}

/** Ends what its method was allowed, of a subscription that takes no charges any more. */
export async function dropPermission(
  { methods }: SubscriptionsDeps,
  subscription: Subscription,
): Promise<void> {
  crashPoint('subscription ended, its mandate not')
  await methods.of(subscription.method)?.recurring?.drop?.(subscription)
}

/** Voids a subscription whose customer has chosen no method, with its checkout; synchronously for the merchant. */
export function voidUntouched(deps: SubscriptionsDeps, subscription: Subscription): Promise<Ended> {
  return moveForMerchant(deps, subscription, { from: ['NEW'], to: 'VOIDED', onlyUnchosen: true })
}

/**
 * Voids the subscriptions that are charged with the card of that token, in the transaction `tx` that deletes the card.
 * An event is recorded in any case: the merchant deleted a card, and may not know what ends with it.
 */
export async function voidWithCard(
  { clock, random }: SubscriptionsDeps,
  tx: Executor,
  wallet: Wallet,
  cardToken: string,
): Promise<void> {
  const at = clock.now()
  const voided = await voidChargedWith(tx, wallet.id, cardToken, at)
  if (voided.length === 0) return
  const details = { wallet, event: 'VOIDED', error: 'card_deleted', at } as const
  await recordEvents(
    tx,
    voided.map((subscription) => subscriptionEvent(subscription, { ...details, id: newId(at, random) })),
  )
}

/** What the merchant did itself causes an event only where the wallet wants one (CONTRACT section 16). */
async function moveForMerchant(
  deps: SubscriptionsDeps,
  subscription: Subscription,
  move: Move,
): Promise<Ended> {
  const { selfEvents } = await deps.wallets.get(subscription.walletId)
  if (selfEvents) return moveWithEvent(deps, subscription, { ...move, event: 'VOIDED' })
  return moveSubscription(deps.database, subscription, move, deps.clock.now())
}

/**
 * Voids a subscription for its merchant (CONTRACT section 14), together with the payment that waits with it. What
 * the customer was asked is withdrawn; accepting it at the same moment has no effect.
 *
 * Refusals: illegal_state when it has ended, or an acquirer is deciding about the payment at this moment.
 */
export async function voidSubscription(
  deps: SubscriptionsDeps,
  subscription: Subscription,
): Promise<Result<Subscription>> {
  const { walletId, id, operationId } = subscription
  const voided =
    subscription.status === 'NEW' && operationId !== undefined
      ? await voidWithPayment(deps, subscription, operationId)
      : await moveForMerchant(deps, subscription, {
          from: ['NEW', 'APPROVED'],
          to: 'VOIDED',
          alsoUnderApproval: true,
        })
  if (voided !== undefined) {
    await dropPermission(deps, voided)
    return ok(voided)
  }
  const current = await findSubscription(deps.database, walletId, id)
  // Its payment was approved in between.
  if (current?.status === 'APPROVED' && subscription.status === 'NEW') return voidSubscription(deps, current)
  return refuse(
    'illegal_state',
    current?.status === 'NEW'
      ? 'the payment made with the subscription is being decided: try again in a moment'
      : `the subscription is ${current?.status} already`,
  )
}

async function voidWithPayment(
  { database, settle, methods }: SubscriptionsDeps,
  { walletId, id }: Subscription,
  operationId: string,
): Promise<Ended> {
  const operation = await findOperation(database, walletId, operationId)
  if (operation === undefined) return undefined
  if (operation.underApproval) await methods.of(operation.method)?.withdraw?.(operation)
  const end = { status: 'VOIDED', guard: { kind: 'no_rail_deciding' }, silent: true } as const
  return (await settle(operation, end)) && findSubscription(database, walletId, id)
}
