// The entry point of operations: the record of every movement of money.
import type { Registry } from 'prom-client'
import type { App } from '../http/index.ts'
import type { Module } from '../module.ts'
import type { AuditCheck } from '../storage/index.ts'
import { attemptChecks } from './attempts/audit.ts'
import { createEngine, type Engine, type EngineDeps } from './attempts/engine.ts'
import { createGiveUp, createWatch, type GiveUp, type Watch } from './attempts/give-up.ts'
import { registerAttemptMetrics } from './attempts/metrics.ts'
import { bookChecks } from './audit.ts'
import { limitChecks } from './limits/audit.ts'
import { createCountMerger } from './read/counts.ts'
import { onDispute, onRefundFailed } from './refunds/reported.ts'
import { refundRoutes } from './refunds/routes.ts'
import { operationRoutes } from './routes.ts'
import type { FindWallet } from './rules.ts'
import { searchChecks } from './search/audit.ts'
import { createTakeOver } from './search/take-over.ts'
import { createSettleFunded, type SettleFunded } from './settle/funded.ts'
import {
  createPreview,
  createShowPostings,
  type PreviewSettlement,
  type ShowPostings,
} from './settle/preview.ts'
import { createSettle, type Settle } from './settle/settle.ts'
import { createShowOperations, createShowShares, type ShowOperations } from './shares/on-wire.ts'

export {
  cardPaymentExample,
  cardSummaryFields,
  followUpExample,
  operationExample,
  operationFields,
  operationSchema,
  shownClientSchema,
  shownItemSchema,
} from './answer.ts'
export {
  type AttemptReference,
  chooseAttempt,
  holdApproval,
} from './attempts/approvals.ts'
export {
  type CustomerEngine,
  createCustomerEngine,
  type FollowedAttempts,
} from './attempts/customers/engine.ts'
export type {
  AttemptAnswer,
  AttemptSubject,
  CustomerHandler,
  NextStep,
} from './attempts/customers/handler.ts'
export {
  addDetails,
  attemptColumns,
  attemptRow,
  countAttempts,
  findAttempt,
  findAttemptByKey,
  findAttemptByPageToken,
  findAttemptByThreeDsId,
  findAttemptOfCardApi,
  markWithdrawn,
  openAttemptsSql,
  postponeLook,
  recordStep,
  removeDetail,
  takeReturned,
} from './attempts/customers/store.ts'
export { closedOperation, openOperation, operationOf } from './attempts/customers/subjects.ts'
export {
  answeredClaim,
  type ChargeAsked,
  type Engine,
  madeByEngine,
  type Outcome,
  pathOf,
  rereadOperation,
} from './attempts/engine.ts'
export type { Watch } from './attempts/give-up.ts'
export {
  approvedAtOnce,
  type ChargeHandler,
  keyOf,
  type RailHandler,
  type RailOf,
} from './attempts/handler.ts'
export {
  type AttemptOwner,
  type CustomerAttempt,
  firstInquiry,
  firstLook,
  type OpenedOperation,
  type RailRequest,
  underApproval,
} from './attempts/model.ts'
export { userErrorCallbackSchema } from './callback.ts'
export { admitPayment, countDaySoFar, countPaid, takenToday, withinLimits } from './limits/limits.ts'
export { withinPaymentLimit } from './limits/rules.ts'
export * from './model.ts'
export { insertChildren } from './open/children.ts'
export {
  insertOperations,
  type OpenedRow,
  openedOperation,
  openOperationsSql,
  operationColumns,
  operationRow,
} from './open/open.ts'
export { attemptsFor, familyOf, type ShownAttempt } from './read/family.ts'
export { readSharedFilter, sharedQuery } from './read/filter.ts'
export { listOperations } from './read/list.ts'
export {
  childrenOf,
  movementsListedMax,
  movementsReadMax,
  showAuthorizations,
} from './read/movements.ts'
export { findOperation, findOperationByKey } from './read/store.ts'
export { giveBack } from './refunds/give-back.ts'
export { decideRefund } from './refunds/rules.ts'
export { dryRun, dryRunQuery, isDryRun } from './refunds/schemas.ts'
export { settleReported } from './refunds/settle-reported.ts'
export { noteShortfall } from './refunds/shortfalls.ts'
export { openWithdrawal, takeAsPart } from './refunds/withdrawal.ts'
export {
  amountWithinRange,
  askedSplit,
  capturesPerAuthorizationMax,
  type FindWallet,
  holdEnded,
  monthEndOf,
  priceOf,
  whyHoldEnded,
} from './rules.ts'
export {
  addressSchema,
  clientOf,
  clientOnWire,
  clientSchema,
  itemsOf,
  itemsSchema,
  merchantReferenceFields,
  merchantReferencesOf,
  operationOnWire,
  splitSchema,
  storeOf,
  storeSchema,
} from './schemas.ts'
export { type DayFigure, figuresByDay, openReferencePayments } from './search/figures.ts'
export { paidUnderSql } from './search/paid.ts'
export {
  type Found,
  type FoundOperation,
  type OperationSearch,
  type SearchPage,
  searchOperations,
} from './search/search.ts'
export { catchUp } from './search/take-over.ts'
export type { FundedOutcome, SettleFunded } from './settle/funded.ts'
export type { PreviewSettlement, ShowPostings } from './settle/preview.ts'
export { operationEvent, type Settle, type Settlement, type SettlementExtension } from './settle/settle.ts'
export { topUpConsumer } from './settle/top-up.ts'
export type { ShowOperations } from './shares/on-wire.ts'
export { splittable } from './shares/rules.ts'

const checks: readonly AuditCheck[] = [...bookChecks, ...attemptChecks, ...limitChecks, ...searchChecks]

export interface Operations extends Module {
  readonly settle: Settle
  /** Pays from a consumer's balance. */
  readonly settleFunded: SettleFunded
  readonly engine: Engine
  /** Gives up what a rail has not received, before its operation fails for that. */
  readonly giveUp: GiveUp
  /** The part of it that does not ask the rail, for who has asked it. */
  readonly watch: Watch
  readonly show: ShowOperations
  /** What an operation would book. */
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
  const registers = [
    operationRoutes({ ...deps, show }),
    refundRoutes({
      ...deps,
      engine,
      show,
      preview,
      showPostings,
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
    engine,
    giveUp,
    watch: createWatch(deps),
    workers: { operation_counts: createCountMerger(deps), operation_search: createTakeOver(deps) },
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
