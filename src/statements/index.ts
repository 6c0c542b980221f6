// The entry point of statements: a merchant's account day by day.
import type { Module } from '../module.ts'
import { statementChecks } from './audit.ts'
import type { StatementsDeps } from './deps.ts'
import { createDayRollUps } from './roll-up.ts'
import { statementRoutes } from './routes.ts'

export function createStatements(deps: StatementsDeps) {
  return {
    workers: { account_days: createDayRollUps(deps) },
    checks: statementChecks,
    routes: statementRoutes(deps),
  } satisfies Module
}
