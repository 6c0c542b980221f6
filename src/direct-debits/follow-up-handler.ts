// Giving a debit back: the bank transfers the money to the account it came from.
import { addBankOrder } from '../bank-files/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { cents } from '../kernel/money.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import { findAttempt, findOperation, keyOf, type Operation, type RailHandler } from '../operations/index.ts'
import { callRail, type RefundAnswer } from '../rails/index.ts'
import { type DirectDebitsDeps, railTimeoutMs } from './deps.ts'
import type { DebitDetails, DirectDebit } from './model.ts'

type Refund = Pick<Operation, 'id' | 'amount' | 'currency'>

/** Refunds of direct debits; a refund's own amount is negative. */
export function debitHandler(deps: Pick<DirectDebitsDeps, 'database' | 'clock' | 'rail'>): RailHandler {
  const { database, clock, rail } = deps
  const debitOf = (payment: Operation) =>
    findAttempt<DebitDetails>(database, 'SEPA', payment.walletId, keyOf(payment))

  /** Once per key; an unclear answer may be asked about. */
  async function requestRefund(refund: Refund, payment: Operation): Promise<RefundAnswer> {
    const debit = await debitOf(payment)
    if (debit?.state !== 'APPROVED') return { kind: 'declined', reason: 'unknown_payment' }
    const { id: key, amount, currency } = refund
    const request = { key, of: debit.key, amount: cents(-amount), currency }
    return filed(debit, refund, await callRail((signal) => rail.refund(request, signal), railTimeoutMs))
  }

  /** What the bank agreed to goes into its next file, once. */
  async function filed(
    { walletId, details: { debtor }, merchantName }: DirectDebit,
    { id, amount, currency }: Refund,
    answer: RefundAnswer,
  ): Promise<RefundAnswer> {
    if (answer.kind !== 'approved') return answer
    const now = clock.now()
    await addBankOrder(database, {
      kind: 'transfer',
      id,
      walletId,
      operationId: id,
      amount: cents(-amount),
      currency,
      party: debtor,
      remittance: `Refund ${merchantName}`,
      dueOn: nextTargetDay(lisbonDayOf(now)),
      createdAt: now,
    })
    return answer
  }

  return {
    refund: requestRefund,
    /** What the bank has not received is sent again, under the same key, until it has. */
    async inquire({ key, walletId }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unclear' }
      const known = await callRail(() => rail.inquireRefund(key), railTimeoutMs)
      const payment = await findOperation(database, walletId, operation.parentId)
      if (payment === undefined) return { kind: 'unclear' }
      if (known.kind === 'not_found') return requestRefund(operation, payment)
      const debit = await debitOf(payment)
      return debit === undefined ? known : filed(debit, operation, known)
    },
  }
}
