// Effects of mandate changes on subscriptions.
import { recordEvents } from '../../../callbacks/index.ts'
import { lisbonDayOf } from '../../../kernel/lisbon.ts'
import { newId } from '../../../kernel/random.ts'
import type { Executor } from '../../../storage/index.ts'
import {
  beginAcceptance,
  chooseAcceptance,
  endAcceptance,
  endNoLaterThan,
  findSubscription,
  insertSubscription,
  moveSubscription,
  type Subscription,
  type SubscriptionEventWord,
  subscriptionEvent,
} from '../../../subscriptions/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { MbwayDeps } from '../deps.ts'
import { mbway } from '../facts.ts'
import type { Mandate, MandateEventWord } from '../mandates/model.ts'
import { approveUnderMandate, changeUnderMandate, keepMandate, type MandateTerms } from './store.ts'

export interface MovedMandate {
  readonly mandate: Mandate
  readonly event: MandateEventWord
  readonly byMerchant: boolean
  readonly wallet: Wallet
}

export async function openSubscription(tx: Executor, mandate: Mandate): Promise<void> {
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
  await chooseAcceptance(tx, ours, mbway.code, createdAt)
  await beginAcceptance(tx, ours, createdAt)
}

export async function isNeeded(
  { database }: Pick<MbwayDeps, 'database'>,
  { id, walletId, subscriptionId }: Mandate,
): Promise<boolean> {
  if (subscriptionId === undefined) return true
  const subscription = await findSubscription(database, walletId, subscriptionId)
  const { status, mandateId } = subscription ?? {}
  // If a card has approved the subscription, a mandate does not matter.
  return mandateId === id
    ? status === 'NEW' || status === 'APPROVED'
    : status === 'NEW' && mandateId === undefined
}

type EventDeps = Pick<MbwayDeps, 'clock' | 'random'>

/**
 * Applies a mandate's change to its subscription, in the transaction of the change. A subscription from a
 * page keeps its amount, and the mandate's limit applies too. A subscription that a mandate request opened
 * allows the customer's limit per calendar month.
 */
export async function moveSubscriptionWith(
  deps: EventDeps,
  tx: Executor,
  moved: MovedMandate,
): Promise<void> {
  const { walletId, subscriptionId = '' } = moved.mandate
  const subscription = await findSubscription(tx, walletId, subscriptionId)
  if (subscription !== undefined) await becomes[moved.event](deps, tx, subscription, moved)
}

type Follow = (
  deps: EventDeps,
  tx: Executor,
  subscription: Subscription,
  moved: MovedMandate,
) => Promise<void>

const becomes: Record<MandateEventWord, Follow> = {
  APPROVED: approved,
  UPDATED: changed,
  SUSPENDED: async () => undefined,
  EXPIRED: (deps, tx, subscription, moved) =>
    subscription.mandateId === moved.mandate.id
      ? ended(deps, tx, subscription, moved, 'EXPIRED')
      : notApproved(deps, tx, subscription, moved),
  VOIDED: async (deps, tx, subscription, moved) => {
    if (subscription.mandateId === moved.mandate.id)
      await ended(deps, tx, subscription, moved, moved.byMerchant ? 'VOIDED' : 'CANCELED')
  },
}

async function approved(
  deps: EventDeps,
  tx: Executor,
  subscription: Subscription,
  { mandate, wallet }: MovedMandate,
): Promise<void> {
  const terms = termsOf(subscription, mandate)
  const now = deps.clock.now()
  // If the subscription has a payment, the SQL statement that settles the payment also approves the subscription.
  if (subscription.operationId !== undefined) return keepMandate(tx, subscription, terms, now)
  const accepted = await approveUnderMandate(tx, subscription, terms, now)
  await recordEvent(deps, tx, wallet, accepted, 'APPROVED')
}

async function changed(
  deps: EventDeps,
  tx: Executor,
  subscription: Subscription,
  { mandate, wallet }: MovedMandate,
): Promise<void> {
  const terms = termsOf(subscription, mandate)
  const moved = await changeUnderMandate(tx, subscription, terms, deps.clock.now())
  if (moved?.endDate !== subscription.endDate) await recordEvent(deps, tx, wallet, moved, 'APPROVED')
}

async function notApproved(
  deps: EventDeps,
  tx: Executor,
  subscription: Subscription,
  { mandate, wallet }: MovedMandate,
): Promise<void> {
  const now = deps.clock.now()
  const { walletId, id: attemptId } = mandate
  const ours = { walletId, subscriptionId: subscription.id, attemptId }
  // If the subscription has a page, the customer can try again until the checkout ends.
  if (!(await endAcceptance(tx, ours, now)) || subscription.checkoutId !== undefined) return
  const error = 'not_approved'
  const failed = await moveSubscription(tx, subscription, { from: ['NEW'], to: 'FAILED', error }, now)
  await recordEvent(deps, tx, wallet, failed, 'FAILED', error)
}

async function ended(
  deps: EventDeps,
  tx: Executor,
  subscription: Subscription,
  { wallet }: MovedMandate,
  to: 'EXPIRED' | 'CANCELED' | 'VOIDED',
): Promise<void> {
  const moved = await moveSubscription(tx, subscription, { from: ['APPROVED'], to }, deps.clock.now())
  if (to === 'CANCELED') await recordEvent(deps, tx, wallet, moved, 'CANCELED')
}

async function recordEvent(
  { clock, random }: EventDeps,
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

function termsOf(subscription: Subscription, mandate: Mandate): MandateTerms {
  const { amount, checkoutId, askedEndDate } = subscription
  return {
    mandateId: mandate.id,
    amount: checkoutId === undefined ? mandate.limit : amount,
    endDate: endNoLaterThan({ endDate: askedEndDate }, mandate.expiryDate),
  }
}
