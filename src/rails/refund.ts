// Refunds over the rail of the payment.
import type { Cents } from '../kernel/money.ts'
import type { RailAnswer } from './call-rail.ts'
import type { UnknownAnswer } from './card-acquirer.ts'

/** The payer's account. Some providers need it for payments by reference. */
export interface RefundAccount {
  readonly iban: string
  readonly bic?: string | undefined
  readonly holder: string
}

export interface RefundRequest {
  readonly key: string
  readonly of: string
  readonly amount: Cents
  readonly currency: string
}

export type RefundAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | {
      readonly kind: 'declined'
      readonly reason:
        | 'unknown_payment'
        | 'amount_exceeds_remaining'
        | 'account_closed'
        /** The provider refunds only to an account. Repeat with {@link RefundAccount}, under another key. */
        | 'account_needed'
        | 'not_possible'
    }
  | { readonly kind: 'waiting' }
  | UnknownAnswer

export interface RefundsPayments {
  /** If the key is repeated, it returns the first answer. Use `callRail`. */
  refund(request: RefundRequest, signal?: AbortSignal): Promise<RefundAnswer>
  inquireRefund(key: string): Promise<RefundAnswer | { readonly kind: 'not_found' }>
}

export function railAnswerOfRefund(answer: RefundAnswer | { readonly kind: 'not_found' }): RailAnswer {
  return answer.kind === 'waiting' ? { kind: 'unknown' } : answer
}
