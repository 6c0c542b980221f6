// The entry point of reconciliation: providers' statements and the ledger.
import type { Registry } from 'prom-client'
import { addDays, type Day, daysBetween, lisbonDayOf, startOfLisbonDay } from '../kernel/lisbon.ts'
import type { Module } from '../module.ts'
import { reconciliationChecks } from './audit.ts'
import {
  type AccountOfDay,
  type ConnectionState,
  explainDifference,
  listDifferences,
  statesOfConnections,
  sumsOfDay,
} from './differences-store.ts'
import { registerReconciliationMetrics } from './metrics.ts'
import type { Difference } from './model.ts'
import { createStatementWorker, type ReconciliationDeps } from './worker.ts'

export type AgedDifference = Difference & { readonly ageDays: number }

export interface Reconciliation extends Module {
  states(): Promise<readonly ConnectionState[]>
  /** Lists open differences, oldest first: all of a day, or the unexplained ones of all days. */
  differences(day: Day | undefined, limit: number): Promise<readonly AgedDifference[]>
  sumsOf(day: Day): Promise<readonly AccountOfDay[]>
  /** Returns false if no such difference is open. */
  explain(id: bigint, note: string): Promise<boolean>
}

export function createReconciliation(
  deps: ReconciliationDeps & { readonly metrics: Registry },
): Reconciliation {
  const { database, clock } = deps
  registerReconciliationMetrics(deps)
  return {
    states: () => statesOfConnections(database),
    async differences(day, limit) {
      const found = await listDifferences(database, { day, explained: day !== undefined }, limit)
      const today = lisbonDayOf(clock.now())
      return found.map((one) => ({ ...one, ageDays: daysBetween(one.day, today) }))
    },
    sumsOf: (day) => sumsOfDay(database, day, startOfLisbonDay(day), startOfLisbonDay(addDays(day, 1))),
    explain: (id, note) => explainDifference(database, id, note, clock.now()),
    workers: { statements: createStatementWorker(deps) },
    checks: reconciliationChecks,
  }
}
