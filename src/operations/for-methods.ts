// Exports for payment methods: customers' attempts and settling.
export { chooseAttempt, holdApproval } from './attempts/approvals.ts'
export {
  type CustomerEngine,
  createCustomerEngine,
  type FollowedAttempts,
} from './attempts/customers/engine.ts'
export type {
  AttemptAnswer,
  AttemptPurpose,
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
  postponeInquiry,
  recordStep,
  removeDetail,
  takeReturned,
} from './attempts/customers/store.ts'
export {
  closedOperation,
  openOperation,
  operationOf,
  type SettlingAttempt,
} from './attempts/customers/subjects.ts'
export {
  type AttemptOwner,
  approvedAtOnce,
  type CustomerAttempt,
  firstLook,
  type RailRequest,
} from './attempts/model.ts'
export { userErrorCallbackSchema } from './callback.ts'
export { countPaid } from './limits.ts'
export { firstInquiry, keyOf, type OpenedRow } from './open/open.ts'
export { openClawback, takeAsPart } from './refunds/clawback.ts'
export { noteReport } from './refunds/unrecovered.ts'
export { addressSchema } from './schemas.ts'
export type { SettleFunded } from './settle/funded.ts'
export { operationEvent } from './settle/settle.ts'
