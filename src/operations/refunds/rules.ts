// Pure decisions about refunds: whether and how much of an operation can be given back.
import { type Cents, cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Operation } from '../model.ts'
import { isRefundable, leftToRefund } from '../rules.ts'

const amountMin: Cents = cents(1)

/**
 * How much a refund gives back: what was asked for, or all that is left (CONTRACT section 10).
 *
 * Refusals: not_refundable; below_minimum_amount; amount_exceeds_remaining.
 */
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
  return `what was paid by ${method ?? 'no method'} is not refundable`
}

/**
 * What the shares get of a divided refund that came back, as they gave it; of a part of it their part, rounded down to
 * the cent, so that the owner has the rest. Undefined where nothing was divided.
 *
 * @param back in cents, with `before` at most what the refund gave
 * @param before what came back of it in earlier parts, in cents: the last part brings each share to what it gave
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
