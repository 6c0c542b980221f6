// The error table: refusal kind to code, HTTP status and message (CONTRACT section 3).
import type { RefusalKind } from '../../kernel/result.ts'

export interface ErrorRow {
  readonly code: number
  readonly status: number
  readonly message: string
  readonly when: string
  readonly advice: string
  readonly repeat: Repeat
}

/** When to repeat a refused request: never, after a correction, or unchanged after a while. */
export type Repeat = 'no' | 'corrected' | 'later'

export const errorTable: Readonly<Record<RefusalKind, ErrorRow>> = {
  missing_parameter: row(
    10001,
    400,
    'Missing parameter',
    'A required field is absent.',
    'Send the field that `reason` names.',
    'corrected',
  ),
  invalid_parameter: row(
    10002,
    400,
    'Invalid parameter',
    'A field has the wrong type, range or format, or the HTTP request itself is malformed. Also a valid phone number that is not registered with the mobile wallet.',
    'Correct the field that `reason` names, as `reason` explains. If the phone number is not registered, ask the customer for another number or method.',
    'corrected',
  ),
  not_found: row(
    10004,
    404,
    'Resource not found',
    'The id is unknown, or belongs to another wallet.',
    'Check the id. Check that your key belongs to the wallet that created it.',
    'corrected',
  ),
  endpoint_not_found: row(
    10005,
    404,
    'Endpoint not found',
    'The path does not exist.',
    'Check the path in the API reference.',
    'corrected',
  ),
  action_not_found: row(
    10007,
    405,
    'Action not found',
    'The path exists, but not with this method. The Allow header lists the methods.',
    'Use a method that the `Allow` header lists.',
    'corrected',
  ),
  invalid_json: row(
    10009,
    400,
    'Invalid JSON format',
    'The body is not JSON in UTF-8, has a duplicate key, or is nested too deep.',
    'Send valid JSON in UTF-8. Let a library write it.',
    'corrected',
  ),
  invalid_content_type: row(
    10010,
    415,
    'Invalid Content-Type',
    'The content type is not JSON, a form or text, or its charset is not UTF-8.',
    'Send `Content-Type: application/json`.',
    'corrected',
  ),
  illegal_state: row(
    10013,
    409,
    'Resource state does not allow the operation',
    'The state forbids this action: already in use, expired or final.',
    'Read the record again: `reason` names its state. Use an action that this state allows.',
    'no',
  ),
  request_in_flight: row(
    10014,
    409,
    'Request is being processed',
    'A request with the same `request_id` is still in progress.',
    'Wait a second, then send the same request with the same `request_id`.',
    'later',
  ),
  request_id_reused: row(
    10015,
    422,
    'request_id was used with another body',
    'The `request_id` was already used with another body.',
    'Correct your program: use a new UUID for each new request.',
    'no',
  ),
  body_too_large: row(
    10016,
    413,
    'Body too large',
    'The body is larger than 64 KiB.',
    'Send less: fewer items or shorter texts.',
    'corrected',
  ),
  too_many_requests: row(
    10029,
    429,
    'Too many requests',
    'The key or the address sent too many requests. The RateLimit headers show the remaining requests.',
    'Wait for the seconds in `Retry-After`. Use callbacks instead of polling.',
    'later',
  ),
  maintenance: row(
    19998,
    503,
    'Down for maintenance',
    'The gateway is down for maintenance.',
    'Wait a minute.',
    'later',
  ),
  internal_error: row(
    19999,
    500,
    'Internal server error',
    'A bug in the gateway, logged under the tid.',
    'Send the `tid` to the operator. Read the result of the request by its `request_id`.',
    'later',
  ),
  authentication_required: row(
    20001,
    401,
    'Valid authentication required',
    'The credentials are absent or malformed.',
    'Send `Authorization: Comporta <API key>`. In the backoffice: sign in.',
    'corrected',
  ),
  access_denied: row(
    20002,
    403,
    'Access denied',
    'The key lacks a permission, the wallet lacks a right (partner, PCI DSS, marketplace), the method is not available, or the merchant is suspended.',
    'Ask the operator for the permission, right or method that `reason` names, or to end the suspension.',
    'no',
  ),
  invalid_esb_token: row(
    20004,
    401,
    'Invalid credentials',
    'The ESB token of the card API is wrong or absent.',
    'Send the ESB token of the same wallet in `Proxy-Authorization: ESBToken=<token>`, or the token alone in `X-ESB-Token`.',
    'corrected',
  ),
  invalid_api_key: row(
    20005,
    401,
    'Invalid API key',
    'The API key is unknown or was revoked.',
    'Check the key that your program uses. Ask the operator or an owner for a new key.',
    'corrected',
  ),
  service_unavailable: row(
    20008,
    503,
    'Service unavailable, try again later',
    'The database or a payment network is down, the request took too long, too many requests wait, or an upgrade is still preparing statements.',
    'Wait for the seconds in `Retry-After`, or for a few seconds. Then repeat the request.',
    'later',
  ),
  pin_retries_exhausted: row(
    20009,
    403,
    'No more PIN retries left',
    'The consumer wallet is locked after three wrong PINs.',
    'Ask the customer for another method. The wallet is unlocked after 24 hours.',
    'no',
  ),
  confirmation_required: row(
    20010,
    403,
    'Confirmation required',
    'The backoffice asks for your password or code again before payouts and new secrets.',
    'Enter your password or code in the backoffice.',
    'later',
  ),
  limit_reached: row(
    20011,
    403,
    'Limit of the merchant reached',
    'The request exceeds a limit set by the operator: per payment, payments per day, or payouts per day. `reason` names the limit.',
    'Send a smaller amount, wait for the next day in Lisbon, or ask the operator for a higher limit.',
    'no',
  ),
  card_declined: row(
    30007,
    402,
    'Credit card declined',
    'The issuer declined the card. `reason` gives the cause: insufficient funds, expired, lost, do not honour…',
    'Look up `reason` under decline reasons. Ask the customer for another card or method. `operation_id` is the failed payment.',
    'no',
  ),
  authentication_failed: row(
    30008,
    402,
    'Authentication failed',
    '3-D Secure failed or was rejected.',
    'Ask the customer to try again or to use another card or method.',
    'no',
  ),
  below_minimum_amount: row(
    40009,
    400,
    'Invalid minimum amount',
    'The amount is below a documented minimum.',
    'Send at least the amount that `reason` names.',
    'corrected',
  ),
  not_refundable: row(
    40010,
    409,
    'Operation is not refundable',
    'The field `refundable` of the operation is false.',
    'Read the operation: it is not completed, fully refunded, or its method has no refunds. Pay the customer back another way.',
    'no',
  ),
  above_maximum_amount: row(
    40012,
    400,
    'Amount exceeds the maximum permitted',
    'The amount is above a documented maximum.',
    'Send at most the amount that `reason` names.',
    'corrected',
  ),
  period_total_reached: row(
    40013,
    409,
    'Total amount per period was reached',
    'The allowance of the subscription or mandate is used up.',
    'Charge at most the rest that `reason` names, or wait for the next period.',
    'corrected',
  ),
  amount_exceeds_remaining: row(
    40015,
    409,
    'Amount exceeds what remains',
    'A capture, release or refund is larger than the remaining amount.',
    'Send at most the rest that `reason` names. Send no amount to use all of it.',
    'corrected',
  ),
  pending_operations: row(
    40016,
    409,
    'Operation has pending operations',
    'The operation has an unfinished capture, release or refund.',
    'Wait for its callback.',
    'later',
  ),
  not_splittable: row(
    40017,
    409,
    'Operation cannot be split',
    'Only a completed payment or capture without a split can be split.',
    'Split before the payment: send `split` with it.',
    'no',
  ),
  invalid_split: row(
    40018,
    400,
    'Invalid split',
    'The descriptor breaks a rule. `reason` names it.',
    'Correct the descriptor that `reason` names.',
    'corrected',
  ),
  too_many_captures: row(
    40019,
    409,
    'Too many captures',
    'An authorization takes at most 10 captures.',
    'Create a new authorization.',
    'no',
  ),
  rail_unavailable: row(
    40021,
    503,
    'Payment error, try again later',
    'The payment network failed temporarily or was unreachable. No issuer has decided.',
    'Wait a few seconds, then repeat the request. If the answer has an `operation_id`, use a new `request_id`.',
    'later',
  ),
}

function row(
  code: number,
  status: number,
  message: string,
  when: string,
  advice: string,
  repeat: Repeat,
): ErrorRow {
  return { code, status, message, when, advice, repeat }
}

export interface ErrorBody {
  readonly code: number
  readonly message: string
  readonly reason: string
  readonly link: string
  readonly tid: string
  readonly operation_id?: string
}

/** A reason may quote the request, and clients store it in columns (CONTRACT section 2). */
const reasonLengthMax = 200

function shortened(reason: string): string {
  return reason.length <= reasonLengthMax ? reason : `${reason.slice(0, reasonLengthMax - 1)}…`
}

export function errorBody(
  refusal: { readonly kind: RefusalKind; readonly reason: string; readonly operationId?: string },
  baseUrl: string,
  tid: string,
): ErrorBody {
  const { code, message } = errorTable[refusal.kind]
  const reason = shortened(refusal.reason)
  const body = { code, message, reason, link: `${baseUrl}/docs/errors#${code}`, tid }
  return refusal.operationId === undefined ? body : { ...body, operation_id: refusal.operationId }
}
