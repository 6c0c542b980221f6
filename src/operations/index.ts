// The entry point of operations: the record of every movement of money.
import type { Registry } from 'prom-client'
import type { App } from '../http/index.ts'
import type { AuditCheck, Worker } from '../storage/index.ts'
import { lateChecks } from './attempts/late/audit.ts'
import { registerLateMetrics } from './attempts/late/metrics.ts'
import type { LateRails } from './attempts/late/rails.ts'
import { createGiveUp, createWatch, type GiveUp, type Watch } from './attempts/late/watch.ts'
import { createLateWorker } from './attempts/late/worker.ts'
import { createMovements, type MovementDeps, type Movements } from './attempts/movements.ts'
import type { RailAnswer } from './attempts/rail-answer.ts'
import { bookChecks } from './audit.ts'
import type { Operation } from './model.ts'
import { createCountMerger } from './read/counts.ts'
import type { RefundRails } from './refunds/rails.ts'
import { refundRoutes } from './refunds/routes.ts'
import { operationRoutes } from './routes.ts'
import { createSettleFunded, type SettleFunded } from './settle/funded.ts'
import { createSettle, type Settle } from './settle/settle.ts'
import type { FindWallet } from './shares/asked-split.ts'
import { createShowOperations, createShowShares, type ShowOperations } from './shares/on-wire.ts'

export {
  type AttemptReference,
  beginApproval,
  chooseAttempt,
  endApproval,
  holdApproval,
} from './attempts/approvals.ts'
export { completeBy, hasPaid } from './attempts/complete.ts'
export type { AskedOfRail, LateRail, LateRails } from './attempts/late/rails.ts'
export type { GiveUp, Watch } from './attempts/late/watch.ts'
export type { Moved, Movements } from './attempts/movements.ts'
export { type RailAnswer, railAnswerOf } from './attempts/rail-answer.ts'
export { operationEvent } from './events.ts'
export * from './model.ts'
export {
  insertOperations,
  type OpenedRow,
  openOperationsSql,
  operationColumns,
  operationRow,
} from './open/open-sql.ts'
export { readSharedFilter, sharedQuery } from './read/filter.ts'
export { listOperations } from './read/list.ts'
export { findOperation, type OperationRow, operationOf } from './read/store.ts'
export type { RefundRail, RefundRails } from './refunds/rails.ts'
export { bankChannel, openReturn } from './refunds/return.ts'
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
export type { FundedOutcome, SettleFunded } from './settle/funded.ts'
export { madeByMoving, movementClaim, pathOf, rereadMovement } from './settle/moved-answer.ts'
export type { Settle, SettleBeside, Settlement } from './settle/settle.ts'
export { topUpConsumer } from './settle/top-up.ts'
export { askedSplit, type FindWallet } from './shares/asked-split.ts'
export type { ShowOperations } from './shares/on-wire.ts'

export const operationChecks: readonly AuditCheck[] = [...bookChecks, ...lateChecks]

export interface Operations {
  readonly settle: Settle
  /** Pays from a consumer's balance. */
  readonly settleFunded: SettleFunded
  readonly movements: Movements
  /** Gives up what a rail has not received, before its operation fails for that. */
  readonly giveUp: GiveUp
  /** The part of it that does not ask the rail, for who has asked it. */
  readonly watch: Watch
  /** Asks rails about what was given up, and reverses what they approved of it. */
  readonly lateRequests: Worker
  /** Keeps the totals of lists quick to add up. */
  readonly counts: Worker
  readonly show: ShowOperations
  readonly routes: (app: App) => void
}

export interface OperationsDeps extends Omit<MovementDeps, 'settle' | 'wallets' | 'giveUp'> {
  readonly wallets: MovementDeps['wallets'] & { readonly findByPublicId: FindWallet }
  readonly refundRails: RefundRails
  readonly lateRails: LateRails
  readonly metrics: Registry
}

export function createOperations(deps: OperationsDeps): Operations {
  const settleAndAnswer = createSettle(deps)
  const settle: Settle = async (operation, settlement) =>
    (await settleAndAnswer(operation, settlement))?.operation
  const late = { ...deps, rails: deps.lateRails }
  const giveUp = createGiveUp(late)
  registerLateMetrics(deps)
  const inquire = (operation: Operation) => inquireOf(deps, operation)
  const movements = createMovements({ ...deps, settle: settleAndAnswer, giveUp, inquire })
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
  return {
    settle,
    settleFunded: createSettleFunded(deps),
    movements,
    giveUp,
    watch: createWatch(deps),
    lateRequests: createLateWorker(late),
    counts: createCountMerger(deps),
    show,
    routes,
  }
}

/** Refunds are asked about where they were sent. */
function inquireOf(deps: OperationsDeps, operation: Operation): Promise<RailAnswer> {
  const rail = operation.method === undefined ? undefined : deps.refundRails[operation.method]
  return operation.type === 'REFUND' && rail !== undefined ? rail.inquire(operation) : deps.inquire(operation)
}
