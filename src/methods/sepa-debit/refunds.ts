// Refunds of direct debits: transfers to the debtor's account.
import { addBankOrder, findBankOrder, returnedByFile } from '../../bank-files/index.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { cents } from '../../kernel/money.ts'
import { nextTargetDay } from '../../kernel/target-days.ts'
import { findAttempt, keyOf, takeAsPart } from '../../operations/for-methods.ts'
import type { RailHandler } from '../../operations/for-movements.ts'
import { findOperation, type Operation } from '../../operations/index.ts'
import { callRail, type RailAnswer, type RefundAnswer, railAnswerOfRefund } from '../../rails/index.ts'
import type { SepaDebitDeps } from './attempts.ts'
import { sepaDebit } from './facts.ts'
import type { DebitDetails, DirectDebit } from './model.ts'
import { reportOfReturn } from './rules.ts'

type Refund = Pick<Operation, 'id' | 'amount' | 'currency'>

/** The debit was returned before this refund was sent, and the return left its amount out: no transfer. */
const cameBack: RailAnswer = { kind: 'approved' }

/** The debit was returned, and this refund has been paid too: the operator must collect the amount. */
const isOwed: RailAnswer = { kind: 'declined', reason: 'the_debit_was_returned' }

/** The bank collected a debit whose payment had failed. The operator refunds it by hand. */
const givenBackByHand: RailAnswer = { kind: 'declined', reason: 'a_collected_debit_is_given_back_by_hand' }

export function debitRail(deps: Pick<SepaDebitDeps, 'database' | 'clock' | 'rail'>): RailHandler {
  const { database, clock, rail } = deps
  const debitOf = (payment: Operation) =>
    findAttempt<DebitDetails>(database, sepaDebit.code, payment.walletId, keyOf(payment))

  async function requestRefund(refund: Refund, payment: Operation): Promise<RailAnswer> {
    const debit = await debitOf(payment)
    if (debit?.state === 'RETURNED') return partOfReturn(refund, debit)
    if (debit?.state !== 'APPROVED') return { kind: 'declined', reason: 'unknown_payment' }
    const { id: key, amount, currency } = refund
    const request = { key, of: debit.key, amount: cents(-amount), currency }
    const answer = await callRail((signal) => rail.refund(request, signal))
    if (answer.kind === 'declined') return hasReturned(refund, payment, answer)
    return filed(debit, refund, answer)
  }

  /** The debit may have been returned meanwhile. A refund by file that came back is no part of the return. */
  async function hasReturned(refund: Refund, payment: Operation, declined: RailAnswer): Promise<RailAnswer> {
    const debit = await debitOf(payment)
    if (debit?.state !== 'RETURNED') return declined
    const sent = await findBankOrder(database, debit.walletId, refund.id)
    return sent === undefined ? partOfReturn(refund, debit) : declined
  }

  /** Whether the returned amount covers this refund too. If not, the operator must collect it. */
  async function partOfReturn({ id }: Refund, debit: DirectDebit): Promise<RailAnswer> {
    const { walletId, operationId: paymentId, key } = debit
    const isPart = await database.transaction(async (tx) => {
      const amount = (await returnedByFile(tx, { walletId, id: key })) ?? debit.amount
      return takeAsPart(tx, { walletId, id }, { reportId: reportOfReturn(key), paymentId, amount })
    })
    return isPart ? cameBack : isOwed
  }

  async function filed(
    { key: refundOf, walletId, details, merchantName }: DirectDebit,
    { id, amount, currency }: Refund,
    answer: RefundAnswer | { readonly kind: 'not_found' },
  ): Promise<RailAnswer> {
    if (answer.kind !== 'approved' || details.agent !== undefined) return railAnswerOfRefund(answer)
    const now = clock.now()
    await addBankOrder(database, {
      kind: 'transfer',
      id,
      walletId,
      operationId: id,
      amount: cents(-amount),
      currency,
      party: details.debtor,
      remittance: `Refund ${merchantName}`,
      dueOn: nextTargetDay(lisbonDayOf(now)),
      createdAt: now,
      refundOf,
    })
    return answer
  }

  return {
    refund: requestRefund,
    /** The bank may say "paid" after "returned". Then nothing is left to refund. */
    async reverse(_, { key }) {
      const { kind } = await callRail(() => rail.inquire(key))
      if (kind === 'returned') return { kind: 'approved' }
      return kind === 'paid' ? givenBackByHand : { kind: 'unknown' }
    },
    /** The gateway sends the refund again, under the same key, until the bank has it. */
    async inquire({ key, walletId }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unknown' }
      const known = await callRail(() => rail.inquireRefund(key))
      const payment = await findOperation(database, walletId, operation.parentId)
      if (payment === undefined) return { kind: 'unknown' }
      if (known.kind === 'not_found') return requestRefund(operation, payment)
      if (known.kind === 'declined') return hasReturned(operation, payment, known)
      const debit = await debitOf(payment)
      return debit === undefined ? railAnswerOfRefund(known) : filed(debit, operation, known)
    },
  }
}
