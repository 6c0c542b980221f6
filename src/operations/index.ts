// The only door to operations: the record of every movement of money.
import type { App } from '../http/index.ts'
import type { Operation } from './model.ts'
import { createMovements, type MovementDeps, type Movements } from './move.ts'
import type { RailAnswer } from './rail-answer.ts'
import type { RefundRails } from './refunds/rails.ts'
import { refundRoutes } from './refunds/routes.ts'
import { operationRoutes } from './routes.ts'
import { createSettle, type Settle } from './settle.ts'
import { createSettleFunded, type SettleFunded } from './settle-funded.ts'
import type { FindWallet } from './shares/asked-split.ts'
import { createShowOperations, createShowShares, type ShowOperations } from './shares/on-wire.ts'

export { type AttemptReference, beginApproval, chooseAttempt, endApproval } from './approvals-store.ts'
export { operationChecks } from './audit.ts'
export { operationEvent } from './events.ts'
export { readFilter, sharedQuery } from './filter.ts'
export * from './model.ts'
export type { Moved, Movements } from './move.ts'
export { insertOperations } from './open-store.ts'
export { type RailAnswer, railAnswerOf } from './rail-answer.ts'
export type { RefundRail, RefundRails } from './refunds/rails.ts'
export { bankChannel, openReturn } from './return.ts'
export { amountWithinRange, capturesPerAuthorizationMax } from './rules.ts'
export {
  clientOf,
  clientOnWire,
  clientSchema,
  itemsOf,
  itemsSchema,
  operationOnWire,
  operationSchema,
  referenceFields,
  referencesOf,
  splitSchema,
  storeOf,
  storeSchema,
} from './schemas.ts'
export type { Settle, SettleBeside, Settlement } from './settle.ts'
export type { FundedOutcome, SettleFunded } from './settle-funded.ts'
export { askedSplit, type FindWallet } from './shares/asked-split.ts'
export type { ShowOperations } from './shares/on-wire.ts'
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
  /** Pays from a consumer's balance. */
  readonly settleFunded: SettleFunded
  readonly movements: Movements
  readonly show: ShowOperations
  readonly routes: (app: App) => void
}

export interface OperationsDeps extends Omit<MovementDeps, 'settle' | 'wallets'> {
  readonly wallets: MovementDeps['wallets'] & { readonly findByPublicId: FindWallet }
  readonly refundRails: RefundRails
}

export function createOperations(deps: OperationsDeps): Operations {
  const settle = createSettle(deps)
  const movements = createMovements({ ...deps, settle, inquire: (operation) => inquireOf(deps, operation) })
  const show = createShowOperations(deps)
  const registers = [
    operationRoutes({ ...deps, show }),
    refundRoutes({
      ...deps,
      movements,
      show,
      showShares: createShowShares(deps),
      findWallet: deps.wallets.findByPublicId,
    }),
  ]
  const routes = (app: App) => {
    for (const register of registers) register(app)
  }
  return { settle, settleFunded: createSettleFunded(deps), movements, show, routes }
}

/** Refunds are asked about where they were sent. */
function inquireOf(deps: OperationsDeps, operation: Operation): Promise<RailAnswer> {
  const rail = operation.method === undefined ? undefined : deps.refundRails[operation.method]
  return operation.type === 'REFUND' && rail !== undefined ? rail.inquire(operation) : deps.inquire(operation)
}
