// What can go wrong with a call, a class for each family; `code` says exactly what, as docs/errors.md lists it.
import type { errorCodes } from '../generated/tables.ts'

type Table = typeof errorCodes
/** The codes that the gateway answers with an HTTP status. */
type CodeOf<Status extends number> = {
  [Code in keyof Table]: Table[Code]['status'] extends Status ? Code : never
}[keyof Table]

/** Every code of the gateway; a newer gateway may have more. */
export type ErrorCode = keyof Table

/** What is known of a call that did not succeed. */
export interface Failure {
  /** Undefined where no answer of the gateway came, or one that is not the gateway's own. */
  readonly code: number | undefined
  readonly status: number | undefined
  readonly reason: string
  readonly link: string | undefined
  readonly tid: string | undefined
  readonly operationId: string | undefined
  readonly retryAfter: number | undefined
}

/** Anything that a call throws, unless its own AbortSignal ended it. */
export class ComportaError extends Error {
  /** Act on this number. Undefined where no answer of the gateway came. */
  readonly code: ErrorCode | undefined
  /** HTTP status of the answer. */
  readonly status: number | undefined
  /** The field or the rule, and what would be accepted: for people. */
  readonly reason: string
  /** Where the code is explained. */
  readonly link: string | undefined
  /** Names the request in the logs of the gateway: quote it when you ask for help. */
  readonly tid: string | undefined
  /** The operation that was made, where one was: it has the status FAIL. */
  readonly operationId: string | undefined
  /** Seconds after which the gateway wants to be asked again. */
  readonly retryAfter: number | undefined
  /** Under which the gateway does the call once: `requests.get(requestId)` says what became of it. */
  readonly requestId: string | undefined
  /** How often the call was sent. */
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

/** 400, 413, 415 and 422: the request is not as the gateway wants it. `reason` names the field. */
export class InvalidRequestError extends ComportaError {
  declare readonly code: CodeOf<400 | 413 | 415 | 422> | undefined
}

/** 401: the API key or the ESB token is absent, wrong or revoked. */
export class AuthenticationError extends ComportaError {
  declare readonly code: CodeOf<401> | undefined
}

/** 402: the issuer of the card said no. `operationId` is the payment that failed. */
export class DeclinedError extends ComportaError {
  declare readonly code: CodeOf<402> | undefined
}

/** 403: the key or the merchant may not do it. */
export class AccessError extends ComportaError {
  declare readonly code: CodeOf<403> | undefined
}

/** 404 and 405: there is no such record, or it belongs to somebody else. */
export class NotFoundError extends ComportaError {
  declare readonly code: CodeOf<404 | 405> | undefined
}

/** 409: the state of the record does not allow it. */
export class ConflictError extends ComportaError {
  declare readonly code: CodeOf<409> | undefined
}

/** 429: too many requests. `retryAfter` says how long to wait. */
export class RateLimitError extends ComportaError {
  declare readonly code: CodeOf<429> | undefined
}

/** 5xx: the gateway could not do it now. Any other status: something between has answered in its place. */
export class GatewayError extends ComportaError {
  declare readonly code: CodeOf<500 | 503> | undefined
}

/** No answer came: what became of the call is unknown, unless the gateway was never reached. */
export class ConnectionError extends ComportaError {
  declare readonly code: undefined
}

/** No answer came in time: what became of the call is unknown. */
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

/** The class of an answer with this HTTP status. */
export function familyOf(status: number): typeof ComportaError {
  return families[status] ?? (status >= 400 && status < 500 ? InvalidRequestError : GatewayError)
}
