// The entry point of mandates: what customers of the mobile wallet allow a merchant, and what is charged under it.
import type { App } from '../http/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import type { Worker } from '../storage/index.ts'
import { askForSubscription, type SubscriptionAsked } from './changes/create.ts'
import { dropMandate, withdrawRequest } from './changes/end.ts'
import { followMandate } from './changes/follow.ts'
import { findMandate } from './changes/move.ts'
import { createMandatesWithPayments, type MandatesWithPayments } from './changes/with-payments.ts'
import type { MandatesDeps } from './deps.ts'
import { createMandateWorker } from './jobs.ts'
import { monthOf } from './limits/allowances-store.ts'
import type { Mandate } from './model.ts'
import { mandateRoutes } from './routes.ts'
import { findMandateOfKey } from './store.ts'

export { mandateChecks } from './audit.ts'
export { registered, type SubscriptionAsked } from './changes/create.ts'
export { findMandate } from './changes/move.ts'
export type { MandatesWithPayments } from './changes/with-payments.ts'
export { type MovedMandate, networkTimeoutMs, type SubscriptionMandates } from './deps.ts'
export {
  countAgain,
  releaseAllowance,
  reserveAgain,
  reserveAllowance,
  usableMandates,
} from './limits/allowances-store.ts'
export { admitQuestion } from './limits/questions.ts'
export type { Mandate, MandateEventWord } from './model.ts'
export { answerUntil } from './rules.ts'

export interface Mandates {
  readonly routes: (app: App) => void
  /** Inquires, expires and cancels mandates that are due. */
  readonly worker: Worker
  /** Handles the network's notice about the mandate with this key. */
  onNotice(key: string): Promise<void>
  /** Asks the customer of a page for the mandate of a subscription; undefined when the subscription was decided or being decided. */
  askForSubscription(asked: SubscriptionAsked): Promise<Mandate | undefined>
  /** Mandates approved together with a payment, by one answer of the customer. */
  readonly withPayments: MandatesWithPayments
  /** Withdraws a request for the customer of a page, where they have not answered it. */
  withdraw(walletId: bigint, mandateId: string): Promise<void>
  /** Ends the mandate of a subscription that has ended, where it has not ended before, or withdraws its request. */
  drop(walletId: bigint, mandateId: string): Promise<void>
}

export function createMandates(deps: MandatesDeps): Mandates {
  const { database, clock } = deps
  return {
    routes: mandateRoutes(deps),
    worker: createMandateWorker(deps),
    async onNotice(key) {
      const mandate = await findMandateOfKey(database, key, monthOf(lisbonDayOf(clock.now())))
      if (mandate !== undefined) await followMandate(deps, mandate)
    },
    withPayments: createMandatesWithPayments(deps),
    askForSubscription: (asked) => askForSubscription(deps, asked),
    async withdraw(walletId, mandateId) {
      const mandate = await findMandate(deps, walletId, mandateId)
      if (mandate !== undefined) await withdrawRequest(deps, mandate)
    },
    async drop(walletId, mandateId) {
      const mandate = await findMandate(deps, walletId, mandateId)
      if (mandate !== undefined) await dropMandate(deps, mandate)
    },
  }
}
