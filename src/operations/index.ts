// The only door to operations: the record of every movement of money.
import type { App } from '../http/index.ts'
import { operationRoutes } from './routes.ts'
import { createSettle, type Settle, type SettleDeps } from './settle.ts'

export { type AttemptReference, beginApproval, chooseAttempt, endApproval } from './approvals-store.ts'
export { operationChecks } from './audit.ts'
export * from './model.ts'
export {
  clientSchema,
  itemsSchema,
  operationOnWire,
  operationSchema,
  referenceFields,
  referencesOf,
} from './schemas.ts'
export type { Settle, Settlement } from './settle.ts'
export {
  findOperation,
  type OperationRow,
  openOperationsSql,
  operationColumns,
  operationOf,
  operationRow,
} from './store.ts'
export { topUpConsumer } from './top-up.ts'

export interface Operations {
  readonly settle: Settle
  readonly routes: (app: App) => void
}

export function createOperations(deps: SettleDeps): Operations {
  return { settle: createSettle(deps), routes: operationRoutes(deps) }
}
