// The entry point of subscriptions: permissions of customers, and charges.
import type { Module } from '../module.ts'
import type { ChargeHandler } from '../operations/index.ts'
import type { Executor } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { subscriptionChecks } from './audit.ts'
import { calendarRoutes } from './auto/calendar-routes.ts'
import { type OpenState, openStateOf, tryAgain } from './auto/change.ts'
import type { AutoCharge } from './auto/model.ts'
import { autoChargeRoutes } from './auto/routes.ts'
import { createAutoChargeWorker } from './auto/schedule.ts'
import { chargeRoutes } from './charging/charge-routes.ts'
import { createChargeHandler } from './charging/process.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { cancelSubscription, failSubscription, voidUntouched, voidWithCard } from './end.ts'
import { createChargeWorker, createEndWorker } from './jobs.ts'
import { createManageLinks, type ManageLinks } from './manage-link.ts'
import type { Subscription } from './model.ts'
import { subscriptionRoutes } from './routes.ts'

export { acceptancePurpose, subscriptionOfAttempt } from './acceptance.ts'
export type { AutoCharge } from './auto/model.ts'
export { isSoft } from './auto/rules.ts'
export { findAutoCharge, openedAutoCharge } from './auto/store.ts'
export { failedCharges, findChargeById, listCharges, waitingCharges } from './charging/charge.ts'
export type { ChargeAnswer, ChargeOrder, ChargingRail, Recurring } from './charging/rails.ts'
export { type Cycle, cycleOf, leftOf } from './charging/rules.ts'
export type { SubscriptionsDeps } from './deps.ts'
export { type SubscriptionEventWord, subscriptionEvent } from './events.ts'
export { createManageLinks, type ManageLinks } from './manage-link.ts'
export {
  type Charge,
  type ChargeStatus,
  type NewSubscription,
  type Period,
  type Subscription,
  type SubscriptionStatus,
  subscriptionMethods,
  subscriptions,
  type Terms,
} from './model.ts'
export { endNoLaterThan, endsAt, lastDayOfCard, mostInAMonth } from './rules.ts'
export {
  readSubscription,
  type SubscriptionDraft,
  subscriptionBody,
  subscriptionOnWire,
  subscriptionSchema,
} from './schemas.ts'
export { subscriptionSettlement } from './settlement.ts'
export {
  endsAtText,
  findSubscription,
  findSubscriptionForCustomer,
  insertSubscription,
  openedSubscription,
  type SubscriptionRow,
} from './store.ts'
export {
  addSubscriberData,
  beginAcceptance,
  chooseAcceptance,
  endAcceptance,
  keepCredential,
  lockUndecided,
  moveSubscription,
} from './transitions-store.ts'

export interface Subscriptions extends Module {
  readonly routes: NonNullable<Module['routes']>
  readonly chargeHandler: ChargeHandler
  readonly links: ManageLinks
  fail(subscription: Subscription, error: 'cancelled' | 'expired'): Promise<Subscription | undefined>
  cancel(subscription: Subscription): Promise<Subscription | undefined>
  voidUntouched(subscription: Subscription): Promise<Subscription | undefined>
  /** Of the failed automatic charge of the current cycle. */
  openState(subscription: Subscription, auto: AutoCharge | undefined): Promise<OpenState>
  /** For the customer: charges the open charge now. False if no charge is open. */
  tryAgain(subscription: Subscription): Promise<boolean>
  /** Call it in the transaction that deletes the card, and wake the deliveries afterwards. */
  voidWithCard(tx: Executor, wallet: Wallet, cardToken: string): Promise<void>
}

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const registers = [
    subscriptionRoutes(deps),
    chargeRoutes(deps),
    autoChargeRoutes(deps),
    calendarRoutes(deps),
  ]
  return {
    routes(app) {
      for (const register of registers) register(app)
    },
    workers: {
      auto_charges: createAutoChargeWorker(deps),
      charges: createChargeWorker(deps),
      subscriptions: createEndWorker(deps),
    },
    checks: subscriptionChecks,
    chargeHandler: createChargeHandler(deps),
    links: createManageLinks(deps.keyring),
    fail: (subscription, error) => failSubscription(deps, subscription, error),
    cancel: (subscription) => cancelSubscription(deps, subscription),
    voidUntouched: (subscription) => voidUntouched(deps, subscription),
    openState: (subscription, auto) => openStateOf(deps.database, auto, subscription, deps.clock.now()),
    tryAgain: (subscription) => tryAgain(deps, subscription),
    voidWithCard: (tx, wallet, cardToken) => voidWithCard(deps, tx, wallet, cardToken),
  }
}
