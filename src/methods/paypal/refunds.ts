// Refunds to the online wallet.
import { cents } from '../../kernel/money.ts'
import { keyOf } from '../../operations/for-methods.ts'
import type { RailHandler } from '../../operations/for-movements.ts'
import { findOperation, type Operation } from '../../operations/index.ts'
import { callRail, type RailAnswer, railAnswerOfRefund } from '../../rails/index.ts'
import type { PaypalDeps } from './attempts.ts'

type Refund = Pick<Operation, 'id' | 'amount' | 'currency'>
type RefundDeps = Pick<PaypalDeps, 'database' | 'rail'>

export function paypalRail({ database, rail }: RefundDeps): RailHandler {
  async function requestRefund(
    { id: key, amount, currency }: Refund,
    payment: Operation,
  ): Promise<RailAnswer> {
    const request = { key, of: keyOf(payment), amount: cents(-amount), currency }
    return railAnswerOfRefund(await callRail((signal) => rail.refund(request, signal)))
  }

  return {
    refund: requestRefund,
    /** Sent again under the same key until the wallet has it. */
    async inquire({ key, walletId }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unknown' }
      const known = await callRail(() => rail.inquireRefund(key))
      if (known.kind !== 'not_found') return railAnswerOfRefund(known)
      const payment = await findOperation(database, walletId, operation.parentId)
      return payment === undefined ? { kind: 'unknown' } : requestRefund(operation, payment)
    },
  }
}
