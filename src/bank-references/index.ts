// The entry point of bank references: paid once or many times, at ATMs and in home banking.
import type { App } from '../http/index.ts'
import type { ReferencePayee } from '../rails/index.ts'
import type { Worker } from '../storage/index.ts'
import type { BankReferencesDeps } from './deps.ts'
import { createReferenceMetrics } from './metrics.ts'
import { createReferenceNumbers } from './numbers/numbers.ts'
import { createOffers, type ReferenceOffers } from './offers/offer.ts'
import { createPayee } from './payments/receive.ts'
import { createNaming } from './providers/naming.ts'
import { createWithdrawing } from './providers/withdrawing.ts'
import { referenceRoutes } from './routes.ts'
import { createReferenceTimers } from './timers/jobs.ts'

export { referenceChecks } from './audit.ts'
export { type ListedReference, listReferences } from './lists/list-store.ts'
export type { BankReference } from './model.ts'
export type { ReferenceOffers } from './offers/offer.ts'
export { findReference } from './store.ts'

export interface BankReferences {
  /** The gateway as the network sees it. */
  readonly payee: ReferencePayee
  /** Publishes references to the network, and ends them. */
  readonly timers: Worker
  /** Withdraws what providers made and no reference came of. */
  readonly withdrawing: Worker
  readonly offers: ReferenceOffers
  readonly routes: (app: App) => void
}

export function createBankReferences(deps: BankReferencesDeps): BankReferences {
  const nameReference = createNaming(deps, createReferenceNumbers(deps))
  const payee = createPayee(deps)
  createReferenceMetrics(deps)
  return {
    payee,
    timers: createReferenceTimers(deps, payee),
    withdrawing: createWithdrawing(deps),
    offers: createOffers(deps, nameReference),
    routes: referenceRoutes(deps, nameReference),
  }
}
