// Error classes by family. docs/errors.md lists the codes.
import type { errorCodes } from '../generated/tables.ts'

type Table = typeof errorCodes
type CodeOf<Status extends number> = {
  [Code in keyof Table]: Table[Code]['status'] extends Status ? Code : never
}[keyof Table]

/** Known codes. A newer gateway may have more. */
export type ErrorCode = keyof Table

export interface Failure {
  /** Undefined without an answer of the gateway. */
  readonly code: number | undefined
  readonly status: number | undefined
  readonly reason: string
  readonly link: string | undefined
  readonly tid: string | undefined
  readonly operationId: string | undefined
  readonly retryAfter: number | undefined
}

/** Every error of a call, except an abort by its own AbortSignal. */
export class ComportaError extends Error {
  /** Code for your program. Undefined without an answer of the gateway. */
  readonly code: ErrorCode | undefined
  /** HTTP status. */
  readonly status: number | undefined
  /** Field or rule, and the accepted values, for people. */
  readonly reason: string
  /** Address of the code's explanation. */
  readonly link: string | undefined
  /** Id of the request in the gateway's log. Quote it when you ask for help. */
  readonly tid: string | undefined
  /** Operation with the status FAIL, if the call created one. */
  readonly operationId: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined
  /** Idempotency key. `requests.get(requestId)` returns the result of the call. */
  readonly requestId: string | undefined
  /** Number of attempts. */
  readonly attempts: number

  constructor(failure: Failure, requestId: string | undefined, attempts: number, cause?: unknown) {
    super(failure.code === undefined ? failure.reason : `${failure.code} ${failure.reason}`, { cause })
    this.name = new.target.name
    this.code = failure.code as ErrorCode | undefined
    this.status = failure.status
    this.reason = failure.reason
    this.link = failure.link
    this.tid = failure.tid
    this.operationId = failure.operationId
    this.retryAfter = failure.retryAfter
    this.requestId = requestId
    this.attempts = attempts
  }
}

/** 400, 413, 415, 422: invalid request. `reason` names the field. */
export class InvalidRequestError extends ComportaError {
  declare readonly code: CodeOf<400 | 413 | 415 | 422> | undefined
}

/** 401: API key or ESB token is missing, wrong or revoked. */
export class AuthenticationError extends ComportaError {
  declare readonly code: CodeOf<401> | undefined
}

/** 402: the issuer declined the card. `operationId` is the failed payment. */
export class DeclinedError extends ComportaError {
  declare readonly code: CodeOf<402> | undefined
}

/** 403: missing permission. */
export class AccessError extends ComportaError {
  declare readonly code: CodeOf<403> | undefined
}

/** 404, 405: unknown record, or a record of another merchant. */
export class NotFoundError extends ComportaError {
  declare readonly code: CodeOf<404 | 405> | undefined
}

/** 409: the state of the record does not allow the call. */
export class ConflictError extends ComportaError {
  declare readonly code: CodeOf<409> | undefined
}

/** 429: too many requests. Wait for `retryAfter` seconds. */
export class RateLimitError extends ComportaError {
  declare readonly code: CodeOf<429> | undefined
}

/** 5xx: the gateway is temporarily unable. Other statuses: a proxy answered. */
export class GatewayError extends ComportaError {
  declare readonly code: CodeOf<500 | 503> | undefined
}

/** No answer. The result is unknown, unless the gateway was never reached. */
export class ConnectionError extends ComportaError {
  declare readonly code: undefined
}

/** No answer in time. The result is unknown. */
export class TimeoutError extends ComportaError {
  declare readonly code: undefined
}

const families: Readonly<Record<number, typeof ComportaError>> = {
  401: AuthenticationError,
  402: DeclinedError,
  403: AccessError,
  404: NotFoundError,
  405: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
}

export function familyOf(status: number): typeof ComportaError {
  return families[status] ?? (status >= 400 && status < 500 ? InvalidRequestError : GatewayError)
}
