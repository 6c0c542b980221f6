// The entry point of operations: the record of every money movement.
import type { Registry } from 'prom-client'
import type { App } from '../http/index.ts'
import type { Module } from '../module.ts'
import type { AuditCheck } from '../storage/index.ts'
import { createEngine, type Engine, type EngineDeps } from './attempts/engine.ts'
import { registerAttemptMetrics } from './attempts/metrics.ts'
import { createGiveUp, createWatch, type GiveUp, type Watch } from './attempts/resolver.ts'
import { attemptChecks, bookChecks, limitChecks } from './audit.ts'
import { createCountRollup } from './read/counts.ts'
import { onDispute, onRefundFailed } from './refunds/reported.ts'
import { refundRoutes } from './refunds/routes.ts'
import { operationRoutes } from './routes.ts'
import type { FindWallet } from './rules.ts'
import { searchChecks } from './search/audit.ts'
import { createSearchIndexer } from './search/indexer.ts'
import { createSettleFunded, type SettleFunded } from './settle/funded.ts'
import type { Settle } from './settle/model.ts'
import {
  createPreview,
  createShowPostings,
  type PreviewSettlement,
  type ShowPostings,
} from './settle/preview.ts'
import { createSettle } from './settle/settle.ts'
import { createShowOperations, createShowShares, type ShowOperations } from './shares/on-wire.ts'
import { splitRoutes } from './shares/routes.ts'

export { operationExample, operationSchema, shownItemSchema } from './answer.ts'
export type { ChargeHandler, RailOf } from './attempts/model.ts'
export { countDaySoFar, takenToday, withinLimits } from './limits.ts'
export {
  type Address,
  type Client,
  type MerchantReferences,
  type NewOperation,
  type Operation,
  type OperationStatus,
  operationStatuses,
  operations,
  operationTypes,
  type PaymentItem,
  reportedChannels,
} from './model.ts'
export { openedOperation, openOperationsSql, operationColumns, operationRow } from './open/open.ts'
export { attemptsFor, familyOf, type ShownAttempt } from './read/family.ts'
export { findOperation, findOperationByKey } from './read/store.ts'
export {
  amountWithinRange,
  askedSplit,
  decideRefund,
  type FindWallet,
  priceOf,
  withinPaymentLimit,
} from './rules.ts'
export {
  clientOf,
  clientSchema,
  itemsOf,
  itemsSchema,
  merchantReferenceFields,
  merchantReferencesOf,
  operationOnWire,
  storeOf,
  storeSchema,
} from './schemas.ts'
export { type DayFigure, figuresByDay, openReferencePayments, paidByLinkSql } from './search/figures.ts'
export { catchUp } from './search/indexer.ts'
export { type FoundOperation, type OperationSearch, searchOperations } from './search/search.ts'
export type { Settle } from './settle/model.ts'
export { topUpConsumer } from './settle/top-up.ts'
export { type ShowOperations, splitSchema } from './shares/on-wire.ts'
export { splittable } from './shares/rules.ts'

const checks: readonly AuditCheck[] = [...bookChecks, ...attemptChecks, ...limitChecks, ...searchChecks]

export interface Operations extends Module {
  readonly settle: Settle
  readonly settleFunded: SettleFunded
  readonly engine: Engine
  readonly giveUp: GiveUp
  /** Notes that the rail must be asked again later. {@link giveUp} includes this. */
  readonly watch: Watch
  readonly show: ShowOperations
  readonly preview: PreviewSettlement
  readonly showPostings: ShowPostings
  readonly routes: (app: App) => void
}

export interface OperationsDeps extends Omit<EngineDeps, 'settle' | 'wallets' | 'giveUp'> {
  readonly wallets: EngineDeps['wallets'] & { readonly findByPublicId: FindWallet }
  readonly metrics: Registry
}

export function createOperations(deps: OperationsDeps): Operations {
  const settleAndAnswer = createSettle(deps)
  const settle: Settle = async (operation, settlement) =>
    (await settleAndAnswer(operation, settlement))?.operation
  const giveUp = createGiveUp(deps)
  registerAttemptMetrics(deps)
  const engine = createEngine({ ...deps, settle: settleAndAnswer, giveUp })
  const show = createShowOperations(deps)
  const preview = createPreview(deps)
  const showPostings = createShowPostings(deps)
  const reported = { ...deps, settle, engine }
  const shown = { ...deps, show, showPostings, findWallet: deps.wallets.findByPublicId }
  const registers = [
    operationRoutes({ ...deps, show }),
    refundRoutes({ ...shown, engine, preview }),
    splitRoutes({ ...shown, showShares: createShowShares(deps) }),
  ]
  const routes = (app: App) => {
    for (const register of registers) register(app)
  }
  return {
    settle,
    settleFunded: createSettleFunded(deps),
    engine,
    giveUp,
    watch: createWatch(deps),
    workers: { operation_counts: createCountRollup(deps), operation_search: createSearchIndexer(deps) },
    checks,
    show,
    preview,
    showPostings,
    notices: {
      refundFailed: (refund) => onRefundFailed(reported, refund),
      dispute: (dispute) => onDispute(reported, dispute),
    },
    routes,
  }
}
