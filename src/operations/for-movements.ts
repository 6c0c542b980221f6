// Exports for modules that open movements of their own.
export {
  cardPaymentExample,
  cardSummaryFields,
  followUpExample,
  operationFields,
  shownClientSchema,
} from './answer.ts'
export type { AttemptPurpose } from './attempts/customers/handler.ts'
export {
  answeredClaim,
  type ChargeAsked,
  createdByEngine,
  type Engine,
  pathOf,
  rereadOperation,
} from './attempts/engine.ts'
export type {
  CustomerAttempt,
  RailHandler,
} from './attempts/model.ts'
export { admitPayment } from './limits.ts'
export { bankChannel, type ChildOperation, railChannel } from './model.ts'
export {
  childOperation,
  insertChildren,
  insertOperations,
  type OpenedOperation,
  underApproval,
} from './open/open.ts'
export { readSharedFilter, sharedQuery } from './read/filter.ts'
export { listOperations } from './read/list.ts'
export { childrenOf, movementsListedMax, movementsReadMax, showAuthorizations } from './read/movements.ts'
export { settleReported } from './refunds/clawback.ts'
export { giveBack } from './refunds/give-back.ts'
export { capturesPerAuthorizationMax, holdEnded, monthEndOf, whyHoldEnded } from './rules.ts'
export { clientOnWire, dryRun, dryRunQuery, isDryRun } from './schemas.ts'
export type { SettlementExtension } from './settle/model.ts'
export type { PreviewSettlement, ShowPostings } from './settle/preview.ts'
