// The entry point of payments by phone: of a checkout, or asked for directly.
import type { App } from '../http/index.ts'
import { registered } from '../mandates/index.ts'
import type { Operation } from '../operations/index.ts'
import type { Worker } from '../storage/index.ts'
import type { MobilePaymentsDeps } from './deps.ts'
import { createPaymentResolver } from './jobs.ts'
import type { MobilePayment, MobilePaymentOrder } from './model.ts'
import { inquire, withdraw } from './paying/conclude.ts'
import { payCheckout } from './paying/pay-checkout.ts'
import type { MandateChoice } from './paying/start.ts'
import { mobilePaymentRoutes } from './routes.ts'
import { findMobilePayment, findPaymentOfKey, withdrawQuestion } from './store.ts'

export { mobilePaymentChecks } from './audit.ts'
export { phoneHandler } from './handler.ts'
export type { MobilePayment } from './model.ts'
export type { MandateChoice } from './paying/start.ts'

export interface MobilePayments {
  readonly routes: (app: App) => void
  /** Asks about payments that nothing was heard of. */
  readonly resolver: Worker
  /** The network said that something happened to the payment it calls `key`. */
  onNotice(key: string): Promise<void>
  /** Whether the network knows the number; undefined while it does not say. */
  isRegistered(phone: string): Promise<boolean | undefined>
  /**
   * Starts the attempt of a checkout's form under the mandate that is chosen for it.
   * Undefined when the form was posted before, or something else is decided.
   */
  payCheckout(
    order: Omit<MobilePaymentOrder, 'owner'>,
    mandate: MandateChoice,
  ): Promise<MobilePayment | undefined>
  /** Takes back what the customer of an operation is asked on the phone, where they have not answered yet. */
  withdraw(operation: Operation): Promise<void>
  /**
   * Takes back an attempt of a checkout for its customer. Whoever approves at the same moment has paid; where the
   * network does not say at once, it is told again until it has.
   */
  withdrawForCustomer(walletId: bigint, id: string): Promise<void>
  find(walletId: bigint, id: string): Promise<MobilePayment | undefined>
}

export function createMobilePayments(deps: MobilePaymentsDeps): MobilePayments {
  const { database } = deps
  return {
    routes: mobilePaymentRoutes(deps),
    resolver: createPaymentResolver(deps),
    async onNotice(key) {
      const payment = await findPaymentOfKey(database, key)
      if (payment !== undefined) await inquire(deps, payment)
    },
    async isRegistered(phone) {
      const known = await registered(deps.mobileWallet, phone, 'phone')
      if (known.ok) return true
      return known.refusal.kind === 'invalid_parameter' ? false : undefined
    },
    payCheckout: (order, mandate) => payCheckout(deps, order, mandate),
    async withdraw({ walletId, attemptId }) {
      const payment =
        attemptId === undefined ? undefined : await findMobilePayment(database, walletId, attemptId)
      if (payment !== undefined) await withdraw(deps, payment)
    },
    async withdrawForCustomer(walletId, id) {
      const payment = await withdrawQuestion(database, walletId, id, deps.clock.now())
      if (payment !== undefined) await withdraw(deps, payment)
    },
    find: (walletId, id) => findMobilePayment(database, walletId, id),
  }
}
