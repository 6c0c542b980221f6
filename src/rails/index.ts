// The only door to the rails: the ports behind which the outside world stands.
export { callRail } from './call-rail.ts'
export type {
  AcquirerAnswer,
  CardAcquirer,
  CardAuthorisation,
  DeclineReason,
  FollowUp,
  FollowUpDecline,
  Release,
  UnclearAnswer,
} from './card-acquirer.ts'
export type {
  MobileWallet,
  NeverHeard,
  WalletDecline,
  WalletMandateChange,
  WalletMandateRequest,
  WalletMovement,
  WalletMovementAnswer,
  WalletNews,
  WalletPaymentAnswer,
  WalletPaymentRequest,
} from './mobile-wallet.ts'
export type {
  PaymentAnswer,
  PaymentRefusal,
  PublishedReference,
  ReferenceName,
  ReferenceNetwork,
  ReferencePayee,
  ReferencePayment,
} from './reference-network.ts'
export type {
  AReq,
  ARes,
  RReq,
  RRes,
  ThreeDSecure,
  TransStatus,
} from './three-d-secure.ts'
export { ThreeDSecureError } from './three-d-secure.ts'
export {
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
  readMessage,
} from './three-d-secure-messages.ts'
