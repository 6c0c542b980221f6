// MBWAY: payments approved on a phone, and mandates.
import type { App } from '../../http/index.ts'
import { createCustomerEngine, findAttempt, findAttemptByKey } from '../../operations/for-methods.ts'
import type { Operation } from '../../operations/index.ts'
import type { MobileWalletNotice } from '../../rails/index.ts'
import type { PaymentMethod } from '../method.ts'
import { mbwayChecks } from './audit.ts'
import type { MbwayDeps } from './deps.ts'
import { mbway } from './facts.ts'
import { createMandateWorker, followMandateOfKey } from './mandates/changes/follow.ts'
import { mandateRoutes } from './mandates/routes.ts'
import { mbwayPage } from './page.ts'
import { type PhoneDetails, phoneAttemptHandler } from './payments/attempts.ts'
import { directByPhone } from './payments/pay-directly.ts'
import { phoneHandler } from './payments/rail.ts'
import { mbwayRecurring } from './subscriptions/charging.ts'
import { mbwaySubscribing } from './subscriptions/page.ts'

export { findMandate } from './mandates/changes/move.ts'
export type { Mandate } from './mandates/model.ts'

export interface Mbway extends PaymentMethod {
  readonly mandates: { readonly routes: (app: App) => void }
}

export function createMbway(deps: MbwayDeps): Mbway {
  const { database } = deps
  const engine = createCustomerEngine(deps, phoneAttemptHandler(deps))
  const mandates = { routes: mandateRoutes(deps) }
  return {
    code: mbway.code,
    page: mbwayPage(deps, engine),
    rail: phoneHandler(deps.mobileWallet),
    recurring: { page: mbwaySubscribing(deps), ...mbwayRecurring(deps) },
    attempts: engine,
    async withdraw({ walletId, attemptId }: Operation) {
      const payment =
        attemptId === undefined
          ? undefined
          : await findAttempt<PhoneDetails>(database, mbway.code, walletId, attemptId)
      if (payment !== undefined) await engine.withdraw(payment)
    },
    direct: directByPhone(deps, engine),
    routes: mandates.routes,
    mandates,
    workers: { mandates: createMandateWorker(deps) },
    checks: mbwayChecks,
    notices: {
      async mobileWallet({ kind, key }: MobileWalletNotice) {
        if (kind === 'mandate') {
          await followMandateOfKey(deps, key)
          return true
        }
        const payment = await findAttemptByKey<PhoneDetails>(database, mbway.code, key)
        if (payment !== undefined) await engine.advance(payment)
        return payment !== undefined
      },
    },
  }
}
