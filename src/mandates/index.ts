// The only door to mandates: what customers of the mobile wallet allow a merchant, and what is taken under it.
import type { App } from '../http/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import type { Worker } from '../storage/index.ts'
import { monthOf } from './allowances-store.ts'
import type { MandatesDeps } from './deps.ts'
import { followMandate } from './follow.ts'
import { createMandateWorker } from './jobs.ts'
import { mandateRoutes } from './routes.ts'
import { findMandateOfKey } from './store.ts'

export { giveBackAllowance, reserveAllowance, usableMandates } from './allowances-store.ts'
export { mandateChecks } from './audit.ts'
export { registered } from './create.ts'
export { networkTimeoutMs } from './deps.ts'
export type { Mandate } from './model.ts'
export { findMandate } from './move.ts'
export { approvalWindowMinutes } from './rules.ts'

export interface Mandates {
  readonly routes: (app: App) => void
  /** Looks after mandates whose time has come. */
  readonly worker: Worker
  /** The network said that something happened to the mandate it calls `key`. */
  heard(key: string): Promise<void>
}

export function createMandates(deps: MandatesDeps): Mandates {
  const { database, clock } = deps
  return {
    routes: mandateRoutes(deps),
    worker: createMandateWorker(deps),
    async heard(key) {
      const mandate = await findMandateOfKey(database, key, monthOf(lisbonDayOf(clock.now())))
      if (mandate !== undefined) await followMandate(deps, mandate)
    },
  }
}
