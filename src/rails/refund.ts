// Refunds over the rail that was paid by: what every such rail is asked, and may answer.
import type { Cents } from '../kernel/money.ts'
import type { RailAnswer } from './call-rail.ts'
import type { UnknownAnswer } from './card-acquirer.ts'

export interface RefundRequest {
  /** Our idempotency key (a UUID): under one key money is refunded once, however often it is asked. */
  readonly key: string
  /** The key of the payment. */
  readonly of: string
  /** At most what was paid and has not been refunded. */
  readonly amount: Cents
  readonly currency: string
}

/** Only `approved` and `declined` are final. */
export type RefundAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | {
      readonly kind: 'declined'
      readonly reason: 'unknown_payment' | 'amount_exceeds_remaining' | 'account_closed' | 'not_possible'
    }
  /** The bank has the order, or will have it with the next file: nothing has moved so far. */
  | { readonly kind: 'waiting' }
  | UnknownAnswer

export interface RefundsPayments {
  /** Repeated under one key it answers as the first time. May throw or never answer: call it through `callRail`, whose signal cancels it. */
  refund(request: RefundRequest, signal?: AbortSignal): Promise<RefundAnswer>
  /** What became of the request with this key; `not_found` when it has not been received so far. */
  inquireRefund(key: string): Promise<RefundAnswer | { readonly kind: 'not_found' }>
}

/** What an operation makes of it: to wait is no answer yet. */
export function railAnswerOfRefund(answer: RefundAnswer | { readonly kind: 'not_found' }): RailAnswer {
  return answer.kind === 'waiting' ? { kind: 'unknown' } : answer
}
