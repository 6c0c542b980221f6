// The entry point of the rails: the contracts that drivers implement.
export { callRail } from './call-rail.ts'
export type {
  AcquirerAnswer,
  Cancelled,
  CardAcquirer,
  CardAuthorization,
  DeclineReason,
  FollowUp,
  FollowUpDecline,
  NotReceived,
  Release,
  Reversal,
  UnclearAnswer,
} from './card-acquirer.ts'
export { cancelAtAcquirer, isCancelled } from './card-acquirer.ts'
export type {
  CreditTransfer,
  IncomingTransfer,
  TransferAnswer,
  TransferOrder,
  TransferTaken,
} from './credit-transfer.ts'
export type {
  Collection,
  CollectionAnswer,
  CreditorAccount,
  DirectDebit,
  ReturnReason,
} from './direct-debit.ts'
export type {
  MobileWallet,
  MobileWalletNotice,
  WalletDecline,
  WalletMandateChange,
  WalletMandateRequest,
  WalletMovement,
  WalletMovementAnswer,
  WalletPaymentAnswer,
  WalletPaymentRequest,
  WantedMandate,
} from './mobile-wallet.ts'
export type { Notices } from './notices.ts'
export type { OnlineWallet, OnlineWalletDecline, WalletAnswer, WalletOrder } from './online-wallet.ts'
export type { Rails } from './rails.ts'
export type {
  PaymentAnswer,
  PaymentRefusal,
  PublishedReference,
  ReferenceName,
  ReferenceNetwork,
  ReferencePayee,
  ReferencePayment,
} from './reference-network.ts'
export type { RefundAnswer, RefundRequest, RefundsPayments } from './refund.ts'
export { type MayStart, startInTime } from './start-in-time.ts'
export type {
  AReq,
  ARes,
  RReq,
  RRes,
  ThreeDSecure,
  TransStatus,
} from './three-d-secure/three-d-secure.ts'
export { ThreeDSecureError } from './three-d-secure/three-d-secure.ts'
export {
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
  readMessage,
} from './three-d-secure/three-d-secure-messages.ts'
