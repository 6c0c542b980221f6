// MB: references that people pay at ATMs and in home banking, once or many times.
import type { App } from '../../http/index.ts'
import { approvedAtOnce } from '../../operations/index.ts'
import type { ReferencePayee } from '../../rails/index.ts'
import type { Worker } from '../../storage/index.ts'
import type { PaymentMethod } from '../method.ts'
import type { MultibancoDeps } from './deps.ts'
import { multibanco } from './facts.ts'
import { createReferenceMetrics } from './metrics.ts'
import { createReferenceNumbers } from './numbers/numbers.ts'
import { createOffers } from './offer.ts'
import { referencePage } from './page/page.ts'
import { createPayee } from './payments/receive.ts'
import { createNaming } from './providers/naming.ts'
import { createWithdrawing } from './providers/withdrawing.ts'
import { referenceRoutes } from './routes.ts'
import { createReferenceTimers } from './timers.ts'

export { referenceChecks } from './audit.ts'
export { type ListedReference, listReferences } from './list-store.ts'
export type { BankReference } from './model.ts'
export { findReference } from './store.ts'

export interface Multibanco extends PaymentMethod {
  /** The gateway as the network sees it. */
  readonly payee: ReferencePayee
  /** Publishes references to the network, and ends them. */
  readonly timers: Worker
  /** Withdraws what providers made and no reference came of. */
  readonly withdrawing: Worker
  readonly routes: (app: App) => void
}

export function createMultibanco(deps: MultibancoDeps): Multibanco {
  const nameReference = createNaming(deps, createReferenceNumbers(deps))
  const payee = createPayee(deps)
  createReferenceMetrics(deps)
  return {
    code: multibanco.code,
    page: referencePage(createOffers(deps, nameReference), deps.clock),
    // The network tells of a payment once the money is there.
    rail: { inquire: approvedAtOnce },
    payee,
    timers: createReferenceTimers(deps, payee),
    withdrawing: createWithdrawing(deps),
    routes: referenceRoutes(deps, nameReference),
  }
}
