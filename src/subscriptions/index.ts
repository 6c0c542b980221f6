// The only door to subscriptions: what customers allow merchants to charge, and the charges.
import type { CardAttempt } from '../cards/index.ts'
import type { App } from '../http/index.ts'
import type { Worker } from '../storage/index.ts'
import { keepCard } from './accept.ts'
import { acceptByPhone } from './accept-by-phone.ts'
import { chargeRoutes } from './charge-routes.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { cancelSubscription, failSubscription, voidUntouched } from './end.ts'
import { createChargeWorker, createEndWorker } from './jobs.ts'
import { createManageLinks, type ManageLinks } from './manage-link.ts'
import type { Subscription } from './model.ts'
import { subscriptionRoutes } from './routes.ts'
import { findSubscription } from './store.ts'

export { type AcceptDeps, subscriptionOwner } from './accept.ts'
export { subscriptionChecks } from './audit.ts'
export { settleBeside } from './beside.ts'
export { createCardRail } from './card-rail.ts'
export { findChargeById, listCharges } from './charges-store.ts'
export { type Cycle, cycleOf } from './cycles-rules.ts'
export { addSubscriberData } from './deciding-store.ts'
export { followMandates } from './follow-mandates.ts'
export type { ManageLinks } from './manage-link.ts'
export * from './model.ts'
export { createPhoneRail } from './phone-rail.ts'
export { lastDayOfCard, leftOf } from './rules.ts'
export {
  readSubscription,
  type SubscriptionDraft,
  subscriptionBody,
  subscriptionOnWire,
  subscriptionSchema,
} from './schemas.ts'
export {
  findSubscription,
  findSubscriptionForCustomer,
  insertSubscription,
  openedSubscription,
} from './store.ts'

export interface Subscriptions {
  readonly routes: (app: App) => void
  /** Processes charges. */
  readonly charges: Worker
  /** Expires what is over. */
  readonly ends: Worker
  readonly links: ManageLinks
  /** Stores the card of an approved attempt for the subscription that the payment's settlement approves. */
  keepCard(subscriptionId: string, attempt: CardAttempt): Promise<void>
  /** Asks the customer's phone for the mandate of a subscription; false when something else is decided. */
  acceptByPhone(subscription: Subscription, phone: string): Promise<boolean>
  fail(subscription: Subscription, error: 'cancelled' | 'expired'): Promise<Subscription | undefined>
  cancel(subscription: Subscription): Promise<Subscription | undefined>
  voidUntouched(subscription: Subscription): Promise<Subscription | undefined>
}

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const registers = [subscriptionRoutes(deps), chargeRoutes(deps)]
  return {
    routes(app) {
      for (const register of registers) register(app)
    },
    acceptByPhone: (subscription, phone) => acceptByPhone(deps, subscription, phone),
    charges: createChargeWorker(deps),
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
  }
}
