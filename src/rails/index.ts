// The entry point of the rails: the contracts that drivers implement.

export { callRail, type MayStart, type RailAnswer, railAnswerOf, startInTime } from './call-rail.ts'
export {
  type AcquirerAnswer,
  type Cancelled,
  type CardAcquirer,
  type CardAuthorization,
  type CardFormPage,
  type CustomerAuthorization,
  type CustomerAuthorizations,
  type CustomerBrowser,
  type CustomerNeeded,
  type CustomerPage,
  cancelAtAcquirer,
  type DeclineReason,
  type FollowUp,
  type FollowUpDecline,
  type HoldAnswer,
  isCancelled,
  type LinkedPage,
  type NotReceived,
  type Release,
  type Reversal,
  type UnknownAnswer,
} from './card-acquirer.ts'
export type {
  CreditTransfer,
  IncomingTransfer,
  TransferAnswer,
  TransferOrder,
  TransferTaken,
} from './credit-transfer.ts'
export type {
  AcceptedMandate,
  Collection,
  CollectionAnswer,
  Creditor,
  CreditorAccount,
  DebtorAddress,
  DirectDebit,
  MadeMandate,
  OrderFormats,
  ReturnReason,
} from './direct-debit.ts'
export type {
  MobileWallet,
  MobileWalletLack,
  MobileWalletNotice,
  WalletDecline,
  WalletFollowUp,
  WalletFollowUpAnswer,
  WalletMandateAnswer,
  WalletMandateChange,
  WalletMandateHistory,
  WalletMandateRequest,
  WalletPaymentAnswer,
  WalletPaymentRequest,
  WantedMandate,
} from './mobile-wallet.ts'
export type { Dispute, FailedRefund, Notices } from './notices.ts'
export type {
  OnlineWallet,
  OnlineWalletDecline,
  WalletAnswer,
  WalletHolds,
  WalletOrder,
} from './online-wallet.ts'
export type { RailName } from './rail-name.ts'
export type { GatewayRails, Rails } from './rails.ts'
export {
  type OwnReferences,
  onlyNetwork,
  type PaymentAnswer,
  type PaymentRefusal,
  type ProviderReferences,
  type PublishedReference,
  type ReferenceAnswer,
  type ReferenceDecline,
  type ReferenceLimits,
  type ReferenceName,
  type ReferenceNetwork,
  type ReferenceNetworks,
  type ReferencePayee,
  type ReferencePayment,
  type ReferenceRefund,
  type ReferenceRequest,
} from './reference-network.ts'
export {
  type RefundAccount,
  type RefundAnswer,
  type RefundRequest,
  type RefundsPayments,
  railAnswerOfRefund,
} from './refund.ts'
export type { SimulatedMoney } from './simulated-money.ts'
export {
  type AReq,
  type ARes,
  type RReq,
  type RRes,
  type ThreeDSecure,
  ThreeDSecureError,
  type TransStatus,
} from './three-d-secure/three-d-secure.ts'
export {
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
  readMessage,
} from './three-d-secure/three-d-secure-messages.ts'
