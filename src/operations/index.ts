// The only door to operations: the record of every movement of money.
import type { App } from '../http/index.ts'
import { createMovements, type MovementDeps, type Movements } from './move.ts'
import { operationRoutes } from './routes.ts'
import { createSettle, type Settle } from './settle.ts'

export { type AttemptReference, beginApproval, chooseAttempt, endApproval } from './approvals-store.ts'
export { operationChecks } from './audit.ts'
export { operationEvent } from './events.ts'
export { readFilter, sharedQuery } from './filter.ts'
export * from './model.ts'
export type { Moved, Movements } from './move.ts'
export { insertOperations } from './open-store.ts'
export { type RailAnswer, railAnswerOf } from './rail-answer.ts'
export { amountWithinRange, capturesPerAuthorizationMax } from './rules.ts'
export {
  clientOf,
  clientSchema,
  itemsOf,
  itemsSchema,
  operationOnWire,
  operationSchema,
  referenceFields,
  referencesOf,
  storeOf,
} from './schemas.ts'
export type { Settle, SettleBeside, Settlement } from './settle.ts'
export {
  findOperation,
  listOperations,
  type OperationRow,
  openOperationsSql,
  operationColumns,
  operationOf,
  operationRow,
} from './store.ts'
export { topUpConsumer } from './top-up.ts'

export interface Operations {
  readonly settle: Settle
  readonly movements: Movements
  readonly routes: (app: App) => void
}

export function createOperations(deps: Omit<MovementDeps, 'settle'>): Operations {
  const settle = createSettle(deps)
  return { settle, movements: createMovements({ ...deps, settle }), routes: operationRoutes(deps) }
}
