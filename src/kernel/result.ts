// The outcome of a decision: a value, or an expected refusal.

/** Every kind of refusal. `src/http/errors/errors.ts` has their codes, HTTP statuses and messages. */
export type RefusalKind =
  | 'missing_parameter'
  | 'invalid_parameter'
  | 'not_found'
  | 'endpoint_not_found'
  | 'action_not_found'
  | 'invalid_json'
  | 'invalid_content_type'
  | 'illegal_state'
  | 'request_in_flight'
  | 'request_id_reused'
  | 'body_too_large'
  | 'too_many_requests'
  | 'maintenance'
  | 'internal_error'
  | 'authentication_required'
  | 'access_denied'
  | 'invalid_esb_token'
  | 'invalid_api_key'
  | 'service_unavailable'
  | 'pin_retries_exhausted'
  | 'confirmation_required'
  | 'limit_reached'
  | 'card_declined'
  | 'authentication_failed'
  | 'below_minimum_amount'
  | 'not_refundable'
  | 'above_maximum_amount'
  | 'period_total_reached'
  | 'amount_exceeds_remaining'
  | 'pending_operations'
  | 'not_splittable'
  | 'invalid_split'
  | 'too_many_captures'
  | 'rail_unavailable'

/** `reason` names the field or the rule, and the values that are accepted. */
export interface Refusal {
  readonly kind: RefusalKind
  readonly reason: string
  readonly operationId?: string
  /** The seconds after which the same request can succeed, if they are known. */
  readonly retrySeconds?: number
}

export type Result<T, E = Refusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: E }

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function refuse(
  kind: RefusalKind,
  reason: string,
  operationId?: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: operationId === undefined ? { kind, reason } : { kind, reason, operationId } }
}

/** Carries a refusal through code that cannot return one. The HTTP error handler answers with it. */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.reason)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** Returns the value, or throws the refusal as {@link RefusalError}. Use it only in routes and verbs. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new RefusalError(result.refusal)
}

/** Throws a refusal, also in expressions such as `found ?? deny('not_found', …)`. */
export function deny(kind: RefusalKind, reason: string, operationId?: string): never
export function deny(refusal: Refusal): never
export function deny(what: RefusalKind | Refusal, reason = '', operationId?: string): never {
  throw new RefusalError(typeof what === 'string' ? refuse(what, reason, operationId).refusal : what)
}

/** The name or code of an error. It is safe to log: the message may quote the request. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is not an error'
  const { code } = ((error.cause ?? error) as { code?: unknown }) ?? {}
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : error.name
}
