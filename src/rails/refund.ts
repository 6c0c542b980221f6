// Giving money back over the rail it came by: what every such rail is asked, and may answer.
import type { Cents } from '../kernel/money.ts'
import type { UnclearAnswer } from './card-acquirer.ts'

export interface RefundRequest {
  /** Our idempotency key (a UUID): under one key money goes back once, however often it is asked. */
  readonly key: string
  /** The key under which the money was taken. */
  readonly of: string
  /** At most what was taken and has not gone back. */
  readonly amount: Cents
  readonly currency: string
}

/** Only the first two are final. */
export type RefundAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | {
      readonly kind: 'declined'
      readonly reason: 'unknown_payment' | 'amount_exceeds_remaining' | 'account_closed' | 'not_possible'
    }
  | UnclearAnswer

export interface RefundsPayments {
  /** Repeated under one key it answers as the first time. May throw or never answer: call it through `callRail`, whose signal cancels it. */
  refund(request: RefundRequest, signal?: AbortSignal): Promise<RefundAnswer>
  /** What became of the request with this key; `not_found` when it has not been received so far. */
  inquireRefund(key: string): Promise<RefundAnswer | { readonly kind: 'not_found' }>
}
