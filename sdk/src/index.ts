// Exports of the package.
export {
  type Callback,
  CallbackError,
  type CallbackHeaders,
  verifyCallback,
} from './callbacks.ts'
export { Comporta } from './comporta.ts'
export { type Amount, type AmountInput, fromCents, toCents } from './core/amounts.ts'
export type { AnswerOf, BodyOf, CallOptions, OperationName, QueryOf } from './core/api.ts'
export {
  AccessError,
  AuthenticationError,
  ComportaError,
  ConflictError,
  ConnectionError,
  DeclinedError,
  type ErrorCode,
  GatewayError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
} from './core/errors.ts'
export { EngineTooOldError } from './core/json.ts'
export type { List } from './core/list.ts'
export type { ComportaOptions } from './core/settings.ts'
export type * from './generated/schema.d.ts'
export type { Event } from './resources/events.ts'
