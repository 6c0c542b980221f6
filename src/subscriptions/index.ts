// The entry point of subscriptions: what customers allow merchants to charge, and the charges.

import type { App } from '../http/index.ts'
import type { CardAttempt } from '../methods/cards/model.ts'
import type { ChargeHandler } from '../operations/index.ts'
import type { Executor, Worker } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { keepCard } from './accepting/accept.ts'
import { acceptByPhone } from './accepting/accept-by-phone.ts'
import { acceptFromBalance } from './accepting/accept-from-balance.ts'
import { keepConsumer } from './accepting/balance-store.ts'
import { createManageLinks, type ManageLinks } from './accepting/manage-link.ts'
import { chargeRoutes } from './charging/charge-routes.ts'
import { createChargeHandler } from './charging/process.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { cancelSubscription, failSubscription, voidUntouched, voidWithCard } from './end.ts'
import { createChargeWorker, createEndWorker } from './jobs.ts'
import type { Subscription } from './model.ts'
import { subscriptionRoutes } from './routes.ts'
import { findSubscription } from './store.ts'

export { type AcceptDeps, subscriptionSubject } from './accepting/accept.ts'
export { wantedMandateOf } from './accepting/accept-by-phone.ts'
export { followMandates } from './accepting/follow-mandates.ts'
export type { ManageLinks } from './accepting/manage-link.ts'
export { addSubscriberData } from './accepting/transitions-store.ts'
export { subscriptionChecks } from './audit.ts'
export { leftOf } from './charging/allowance-rules.ts'
export { failedCharges, findChargeById, listCharges } from './charging/charges-store.ts'
export { type Cycle, cycleOf } from './charging/cycles.ts'
export type { ChargeAnswer, ChargeOrder, ChargingRail } from './charging/rails.ts'
export type { SubscriptionsDeps } from './deps.ts'
export * from './model.ts'
export { endsAt, lastDayOfCard } from './rules.ts'
export {
  readSubscription,
  type SubscriptionDraft,
  subscriptionBody,
  subscriptionOnWire,
  subscriptionSchema,
} from './schemas.ts'
export { subscriptionSettlement } from './settlement-extension.ts'
export {
  findSubscription,
  findSubscriptionForCustomer,
  insertSubscription,
  openedSubscription,
} from './store.ts'

export interface Subscriptions {
  readonly routes: (app: App) => void
  /** Begins charges. */
  readonly charges: Worker
  /** What the engine asks about charges. */
  readonly chargeHandler: ChargeHandler
  /** Expires what is over. */
  readonly ends: Worker
  readonly links: ManageLinks
  /** Stores the card of an approved attempt for the subscription that the payment's settlement approves. */
  keepCard(subscriptionId: string, attempt: CardAttempt): Promise<void>
  /** Asks the customer's phone for the mandate of a subscription; false when something else is decided. */
  acceptByPhone(subscription: Subscription, phone: string): Promise<boolean>
  /** Lets the consumer's balance be charged; false when something else is decided, or being decided. */
  acceptFromBalance(subscription: Subscription, consumerId: bigint): Promise<boolean>
  /** Writes whose balance is charged, in the transaction whose payment approves the subscription. */
  keepConsumer(tx: Executor, subscription: Subscription, consumerId: bigint): Promise<void>
  fail(subscription: Subscription, error: 'cancelled' | 'expired'): Promise<Subscription | undefined>
  cancel(subscription: Subscription): Promise<Subscription | undefined>
  voidUntouched(subscription: Subscription): Promise<Subscription | undefined>
  /** Voids what is charged with a card, in the transaction that deletes the card; the caller wakes the deliveries. */
  voidWithCard(tx: Executor, wallet: Wallet, cardToken: string): Promise<void>
}

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const registers = [subscriptionRoutes(deps), chargeRoutes(deps)]
  return {
    routes(app) {
      for (const register of registers) register(app)
    },
    acceptByPhone: (subscription, phone) => acceptByPhone(deps, subscription, phone),
    acceptFromBalance: (subscription, consumerId) => acceptFromBalance(deps, subscription, consumerId),
    async keepConsumer(tx, subscription, consumerId) {
      const kept = await keepConsumer(tx, subscription, consumerId, deps.clock.now())
      if (!kept) throw new Error(`subscription ${subscription.id} was decided before its payment`)
    },
    charges: createChargeWorker(deps),
    chargeHandler: createChargeHandler(deps),
    ends: createEndWorker(deps),
    links: createManageLinks(deps.keyring),
    async keepCard(subscriptionId, attempt) {
      const subscription = await findSubscription(deps.database, attempt.walletId, subscriptionId)
      if (subscription?.status !== 'NEW') return
      await deps.database.transaction((tx) => keepCard(deps, tx, subscription, attempt))
    },
    fail: (subscription, error) => failSubscription(deps, subscription, error),
    cancel: (subscription) => cancelSubscription(deps, subscription),
    voidUntouched: (subscription) => voidUntouched(deps, subscription),
    voidWithCard: (tx, wallet, cardToken) => voidWithCard(deps, tx, wallet, cardToken),
  }
}
