// Pure decisions about refunds.
import { type Cents, cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Operation } from '../model.ts'
import { isRefundable, leftToRefund } from '../rules.ts'

const amountMin: Cents = cents(1)

/** CONTRACT section 10. Refusals: not_refundable, below_minimum_amount, amount_exceeds_remaining. */
export function decideRefund(operation: Operation, asked: Cents | undefined): Result<Cents> {
  if (asked !== undefined && asked < amountMin) {
    return refuse('below_minimum_amount', 'amount must be at least 0.01')
  }
  if (!isRefundable(operation)) return refuse('not_refundable', whyNot(operation))
  const left = cents(leftToRefund(operation))
  if (asked !== undefined && asked > left) {
    return refuse('amount_exceeds_remaining', `amount must be at most ${decimalText(left)}`)
  }
  return ok(asked ?? left)
}

function whyNot(operation: Operation): string {
  const { type, status, method } = operation
  if (type !== 'PAYMENT' && type !== 'CAPTURE')
    return `only a PAYMENT or CAPTURE is refundable; the operation is of type ${type}`
  if (status !== 'COMPLETED') return `the operation must be COMPLETED; it is ${status}`
  if (leftToRefund(operation) <= 0n) return 'nothing is left to refund'
  return `${method === undefined ? 'a payment without a method' : `payments by ${method}`} cannot be refunded`
}

/**
 * Rounded down to the cent; the owner gets the rest, and the last part completes each share. In cents, `back` and
 * `before` (earlier parts) total at most the refund.
 */
export function sharesOfReturn(
  { amount, refundSplit }: Pick<Operation, 'amount' | 'refundSplit'>,
  back: Cents,
  before = cents(0),
): Operation['refundSplit'] {
  if (refundSplit === undefined) return undefined
  const partOf = (share: Cents, whole: bigint) => (share * whole) / -amount
  const shareRefunds = refundSplit.shareRefunds
    .map((share) => ({
      ...share,
      amount: cents(partOf(share.amount, before + back) - partOf(share.amount, before)),
    }))
    .filter((share) => share.amount > 0n)
  return { ...refundSplit, shareRefunds }
}
