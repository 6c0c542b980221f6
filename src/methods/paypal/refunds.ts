// Giving a payment back to the online wallet it came from.
import { cents } from '../../kernel/money.ts'
import { keyOf } from '../../operations/for-methods.ts'
import type { RailHandler } from '../../operations/for-movements.ts'
import { findOperation, type Operation } from '../../operations/index.ts'
import { callRail, type RailAnswer, railAnswerOfRefund } from '../../rails/index.ts'
import { type PaypalDeps, railTimeoutMs } from './deps.ts'

type Refund = Pick<Operation, 'id' | 'amount' | 'currency'>
type RefundDeps = Pick<PaypalDeps, 'database' | 'rail'>

/** Refunds of the online wallet's payments; a refund's own amount is negative. */
export function paypalRail({ database, rail }: RefundDeps): RailHandler {
  /** Once under the refund's id; what is unknown may be asked again. */
  async function requestRefund(
    { id: key, amount, currency }: Refund,
    payment: Operation,
  ): Promise<RailAnswer> {
    const request = { key, of: keyOf(payment), amount: cents(-amount), currency }
    return railAnswerOfRefund(await callRail((signal) => rail.refund(request, signal), railTimeoutMs))
  }

  return {
    refund: requestRefund,
    /** What the wallet has not received is sent again, under the same key, until it has. */
    async inquire({ key, walletId }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unknown' }
      const known = await callRail(() => rail.inquireRefund(key), railTimeoutMs)
      if (known.kind !== 'not_found') return railAnswerOfRefund(known)
      const payment = await findOperation(database, walletId, operation.parentId)
      return payment === undefined ? { kind: 'unknown' } : requestRefund(operation, payment)
    },
  }
}
