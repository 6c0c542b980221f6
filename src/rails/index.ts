// The only door to the rails: the ports behind which the outside world stands.
export { callRail } from './call-rail.ts'
export type {
  AcquirerAnswer,
  AuthenticationProof,
  CardAcquirer,
  CardAuthorisation,
  DeclineReason,
  PresentedCard,
  UnclearAnswer,
} from './card-acquirer.ts'
export type {
  AReq,
  ARes,
  CReq,
  CRes,
  Erro,
  RReq,
  RRes,
  ThreeDSecure,
  ThreeDSMethodData,
  TransStatus,
} from './three-d-secure.ts'
export { ThreeDSecureError } from './three-d-secure.ts'
export {
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
  type ReadMessage,
  readMessage,
} from './three-d-secure-messages.ts'
