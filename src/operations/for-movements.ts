// Exports for modules that open movements of their own.
export {
  cardPaymentExample,
  cardSummaryFields,
  followUpExample,
  operationFields,
  shownClientSchema,
} from './answer.ts'
export {
  answeredClaim,
  type ChargeAsked,
  type Engine,
  madeByEngine,
  pathOf,
  rereadOperation,
} from './attempts/engine.ts'
export type { RailHandler } from './attempts/model.ts'
export { type OpenedOperation, underApproval } from './attempts/model.ts'
export { admitPayment } from './limits/limits.ts'
export { bankChannel, type ChildOperation, childOperation, railChannel } from './model.ts'
export { insertChildren, insertOperations } from './open/open.ts'
export { readSharedFilter, sharedQuery } from './read/filter.ts'
export { listOperations } from './read/list.ts'
export { childrenOf, movementsListedMax, movementsReadMax, showAuthorizations } from './read/movements.ts'
export { giveBack } from './refunds/give-back.ts'
export { dryRun, dryRunQuery, isDryRun } from './refunds/schemas.ts'
export { settleReported } from './refunds/settle-reported.ts'
export { capturesPerAuthorizationMax, holdEnded, monthEndOf, whyHoldEnded } from './rules.ts'
export { clientOnWire } from './schemas.ts'
export type { PreviewSettlement, ShowPostings } from './settle/preview.ts'
export type { SettlementExtension } from './settle/settle.ts'
