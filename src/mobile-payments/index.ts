// The entry point of payments by phone: of a checkout, or asked for directly.
import type { App } from '../http/index.ts'
import { registered } from '../mandates/index.ts'
import {
  type CustomerEngine,
  createCustomerEngine,
  findAttempt,
  findAttemptByKey,
  markWithdrawn,
  type Operation,
} from '../operations/index.ts'
import { phoneAttemptHandler } from './attempt-handler.ts'
import type { MobilePaymentsDeps } from './deps.ts'
import type { MobilePayment, MobilePaymentOrder, PhoneDetails } from './model.ts'
import { type MandateChoice, startMobilePayment } from './paying/start.ts'
import { mobilePaymentRoutes } from './routes.ts'

export { mobilePaymentChecks } from './audit.ts'
export { phoneHandler } from './follow-up-handler.ts'
export type { MobilePayment } from './model.ts'
export type { MandateChoice } from './paying/start.ts'

export interface MobilePayments {
  readonly routes: (app: App) => void
  readonly engine: CustomerEngine<PhoneDetails>
  /** The network said that something happened to the payment it calls `key`. False where no customer was asked under it. */
  onNotice(key: string): Promise<boolean>
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
  withdrawForCustomer(walletId: bigint, key: string): Promise<void>
  find(walletId: bigint, key: string): Promise<MobilePayment | undefined>
}

export function createMobilePayments(deps: MobilePaymentsDeps): MobilePayments {
  const { database, clock } = deps
  const engine = createCustomerEngine(deps, phoneAttemptHandler(deps))
  const find = (walletId: bigint, key: string) => findAttempt<PhoneDetails>(database, 'MBWAY', walletId, key)
  return {
    routes: mobilePaymentRoutes(deps, engine),
    engine,
    async onNotice(key) {
      const payment = await findAttemptByKey<PhoneDetails>(database, 'MBWAY', key)
      if (payment !== undefined) await engine.advance(payment)
      return payment !== undefined
    },
    async isRegistered(phone) {
      const known = await registered(deps.mobileWallet, phone, 'phone')
      if (known.ok) return true
      return known.refusal.kind === 'invalid_parameter' ? false : undefined
    },
    payCheckout: (order, mandate) =>
      startMobilePayment(deps, engine, { ...order, owner: 'checkout', mandate }),
    async withdraw({ walletId, attemptId }) {
      const payment = attemptId === undefined ? undefined : await find(walletId, attemptId)
      if (payment !== undefined) await engine.withdraw(payment)
    },
    async withdrawForCustomer(walletId, key) {
      const payment = await markWithdrawn<PhoneDetails>(database, 'MBWAY', walletId, key, clock.now())
      if (payment !== undefined) await engine.withdraw(payment)
    },
    find,
  }
}
