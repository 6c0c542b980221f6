// Ends a subscription as failed, canceled or voided.

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

/** Returns undefined if it is decided, under approval, or has a first payment, which would end it. */
export function failSubscription(
  deps: SubscriptionsDeps,
  subscription: Subscription,
  error: 'cancelled' | 'expired',
): Promise<Ended> {
  return moveWithEvent(deps, subscription, { from: ['NEW'], to: 'FAILED', event: 'FAILED', error })
}

/** Returns undefined if it has already ended. */
export async function cancelSubscription(
  deps: SubscriptionsDeps,
  subscription: Subscription,
): Promise<Ended> {
  const move = { from: ['APPROVED'], to: 'CANCELED', event: 'CANCELED' } as const
  const canceled = await moveWithEvent(deps, subscription, move)
  if (canceled !== undefined) await dropPermission(deps, canceled)
  return canceled
}

/** Ends the permission to charge that the customer gave to the method. */
export async function dropPermission(
  { methods }: SubscriptionsDeps,
  subscription: Subscription,
): Promise<void> {
  crashPoint('subscription ended, its mandate not')
  await methods.of(subscription.method)?.recurring?.drop?.(subscription)
}

/** Voids a subscription, with its checkout, before the customer has chosen a method. */
export function voidUntouched(deps: SubscriptionsDeps, subscription: Subscription): Promise<Ended> {
  return moveForMerchant(deps, subscription, { from: ['NEW'], to: 'VOIDED', onlyUnchosen: true })
}

/** Voids a deleted card's subscriptions. Always sends events: the merchant may not know them. */
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

/** Ends a subscription at the merchant's request, which sends no event by default (CONTRACT section 16). */
async function moveForMerchant(
  deps: SubscriptionsDeps,
  subscription: Subscription,
  move: Move,
): Promise<Ended> {
  const { selfEvents } = await deps.wallets.get(subscription.walletId)
  if (selfEvents) return moveWithEvent(deps, subscription, { ...move, event: 'VOIDED' })
  return moveSubscription(deps.database, subscription, move, deps.clock.now())
}

/** Refusals (CONTRACT section 14): illegal_state if it has ended or its payment is under approval. */
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
  // The payment was approved since the subscription was read.
  if (current?.status === 'APPROVED' && subscription.status === 'NEW') return voidSubscription(deps, current)
  return refuse(
    'illegal_state',
    current?.status === 'NEW'
      ? 'the first payment of the subscription is being decided: try again in a moment'
      : `the subscription is already ${current?.status}`,
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
