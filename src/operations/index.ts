// The only door to operations: the record of every movement of money.
import type { App } from '../http/index.ts'
import { operationRoutes } from './routes.ts'
import { createSettle, type Settle, type SettleDeps } from './settle.ts'

export { type AttemptReference, beginApproval, chooseAttempt, endApproval } from './approvals.ts'
export { operationChecks } from './audit.ts'
export * from './model.ts'
export {
  addressSchema,
  clientSchema,
  itemsSchema,
  operationOnWire,
  operationSchema,
  referenceFields,
  referencesOf,
} from './schemas.ts'
export { topUpConsumer } from './top-up.ts'
export type { Settle, SettleGuard, Settlement } from './settle.ts'
export { findOperation, openOperationsSql, operationColumns, operationOf, type OperationRow, operationRow } from './store.ts'

export interface Operations {
  readonly settle: Settle
  readonly routes: (app: App) => void
}

export function createOperations(deps: SettleDeps): Operations {
  return { settle: createSettle(deps), routes: operationRoutes(deps) }
}
