// The entry point of statements: what moved on a merchant's account, day by day.
import type { App } from '../http/index.ts'
import type { Worker } from '../storage/index.ts'
import type { StatementsDeps } from './deps.ts'
import { createDayRollUps } from './roll-up.ts'
import { statementRoutes } from './routes.ts'

export { statementChecks } from './audit.ts'

export interface Statements {
  /** Keeps statements quick to add up. */
  readonly days: Worker
  readonly routes: (app: App) => void
}

export function createStatements(deps: StatementsDeps): Statements {
  return { days: createDayRollUps(deps), routes: statementRoutes(deps) }
}
