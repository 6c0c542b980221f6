// The entry point of the rails: the contracts that drivers implement.

export type * from './bank.ts'
export {
  callRail,
  type MayStart,
  type RailAnswer,
  railAnswerOf,
  railTimeoutMs,
  startInTime,
} from './call-rail.ts'
export * from './card-acquirer.ts'
export type * from './mail-carrier.ts'
export type * from './mobile-wallet.ts'
export type * from './notices.ts'
export type * from './online-wallet.ts'
export type * from './rail-name.ts'
export type * from './rails.ts'
export * from './reference-network.ts'
export * from './refund.ts'
export * from './three-d-secure.ts'
export * from './three-d-secure-messages.ts'
