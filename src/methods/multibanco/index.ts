// MB: references to pay at ATMs and in home banking.
import { approvedAtOnce } from '../../operations/for-methods.ts'
import type { PaymentMethod } from '../method.ts'
import { referenceChecks } from './audit.ts'
import type { MultibancoDeps } from './deps.ts'
import { multibanco } from './facts.ts'
import { createNaming, createWithdrawing } from './naming.ts'
import { createReferenceMetrics, createReferenceNumbers } from './numbers.ts'
import { createOffers } from './offer.ts'
import { referencePage } from './page.ts'
import { createPayee } from './payments/receive.ts'
import { referenceRoutes } from './routes.ts'
import { createReferenceTimers } from './timers.ts'

export { type ListedReference, listReferences } from './list-store.ts'
export type { BankReference } from './model.ts'
export { findReference } from './store.ts'

export function createMultibanco(deps: MultibancoDeps) {
  const nameReference = createNaming(deps, createReferenceNumbers(deps))
  const payee = createPayee(deps)
  createReferenceMetrics(deps)
  return {
    code: multibanco.code,
    page: referencePage(createOffers(deps, nameReference), deps.clock),
    rail: { inquire: approvedAtOnce },
    notices: { references: payee },
    workers: { references: [createReferenceTimers(deps, payee), createWithdrawing(deps)] },
    checks: referenceChecks,
    routes: referenceRoutes(deps, nameReference),
  } satisfies PaymentMethod
}
