// MB: references to pay at ATMs and in home banking.
import type { App } from '../../http/index.ts'
import type { PaymentMethod } from '../method.ts'
import { referenceChecks } from './audit.ts'
import type { MultibancoDeps } from './deps.ts'
import { multibanco } from './facts.ts'
import { createNaming, createWithdrawing } from './naming.ts'
import { createReferenceMetrics, createReferenceNumbers } from './numbers.ts'
import { createOffers } from './offer.ts'
import { referencePage } from './page.ts'
import { createPayee } from './payments/receive.ts'
import { accountRefundChecks } from './refunds/audit.ts'
import { refundPageRoutes } from './refunds/page-routes.ts'
import { createReferenceRefunds } from './refunds/refund.ts'
import { refundAccountRoutes } from './refunds/routes.ts'
import { referenceRoutes } from './routes.ts'
import { createReferenceTimers } from './timers.ts'

export { type ListedReference, listReferences } from './list-store.ts'
export type { BankReference } from './model.ts'
export { findReference } from './store.ts'

export function createMultibanco(deps: MultibancoDeps) {
  const nameReference = createNaming(deps, createReferenceNumbers(deps))
  const payee = createPayee(deps)
  createReferenceMetrics(deps)
  const refunds = createReferenceRefunds(deps)
  const registers = [
    referenceRoutes(deps, nameReference),
    refundAccountRoutes(deps, refunds),
    refundPageRoutes(deps, refunds),
  ]
  return {
    code: multibanco.code,
    page: referencePage(createOffers(deps, nameReference), deps.clock),
    rail: refunds.rail,
    notices: { references: payee },
    workers: { references: [createReferenceTimers(deps, payee), createWithdrawing(deps)] },
    checks: [...referenceChecks, ...accountRefundChecks],
    routes(app: App) {
      for (const register of registers) register(app)
    },
  } satisfies PaymentMethod
}
