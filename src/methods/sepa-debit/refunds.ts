// Giving a debit back: the bank transfers the money to the account it came from.
import { addBankOrder, findBankOrder, returnedByFile } from '../../bank-files/index.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { cents } from '../../kernel/money.ts'
import { nextTargetDay } from '../../kernel/target-days.ts'
import { findAttempt, keyOf, takeAsPart } from '../../operations/for-methods.ts'
import type { RailHandler } from '../../operations/for-movements.ts'
import { findOperation, type Operation } from '../../operations/index.ts'
import { callRail, type RailAnswer, type RefundAnswer, railAnswerOfRefund } from '../../rails/index.ts'
import { railTimeoutMs, type SepaDebitDeps } from './deps.ts'
import { sepaDebit } from './facts.ts'
import type { DebitDetails, DirectDebit } from './model.ts'
import { reportOfReturn } from './rules.ts'

type Refund = Pick<Operation, 'id' | 'amount' | 'currency'>

/**
 * The debit was returned before the bank gave this refund back. The return took only what no refund had reserved: so
 * this one is done, by no transfer (decision 0012).
 */
const cameBack: RailAnswer = { kind: 'approved' }

/** The debit was returned, and what this refund would give is the operator's to collect (decision 0011). */
const isOwed: RailAnswer = { kind: 'declined', reason: 'the_debit_was_returned' }

/** A debit that was paid for what ended otherwise, and has not been returned: whoever runs the gateway gives it back. */
const givenBackByHand: RailAnswer = { kind: 'declined', reason: 'a_collected_debit_is_given_back_by_hand' }

/** Refunds of direct debits; a refund's own amount is negative. */
export function debitRail(deps: Pick<SepaDebitDeps, 'database' | 'clock' | 'rail'>): RailHandler {
  const { database, clock, rail } = deps
  const debitOf = (payment: Operation) =>
    findAttempt<DebitDetails>(database, sepaDebit.code, payment.walletId, keyOf(payment))

  /** Once per key; an unknown answer may be asked about. */
  async function requestRefund(refund: Refund, payment: Operation): Promise<RailAnswer> {
    const debit = await debitOf(payment)
    if (debit?.state === 'RETURNED') return partOfReturn(refund, debit)
    if (debit?.state !== 'APPROVED') return { kind: 'declined', reason: 'unknown_payment' }
    const { id: key, amount, currency } = refund
    const request = { key, of: debit.key, amount: cents(-amount), currency }
    const answer = await callRail((signal) => rail.refund(request, signal), railTimeoutMs)
    if (answer.kind === 'declined') return hasReturned(refund, payment, answer)
    return filed(debit, refund, answer)
  }

  /**
   * A refund that was declined, perhaps because the debit has come back meanwhile. One that a file sent came back itself:
   * its money is the merchant's again, and no part of the debit.
   */
  async function hasReturned(refund: Refund, payment: Operation, declined: RailAnswer): Promise<RailAnswer> {
    const debit = await debitOf(payment)
    if (debit?.state !== 'RETURNED') return declined
    const sent = await findBankOrder(database, debit.walletId, refund.id)
    return sent === undefined ? partOfReturn(refund, debit) : declined
  }

  /**
   * Whether refunds and withdrawals are together what the bank took back; else it was told to the operator. Withdrawals
   * from there on count it (decision 0012).
   */
  async function partOfReturn({ id }: Refund, debit: DirectDebit): Promise<RailAnswer> {
    const { walletId, operationId: paymentId, key } = debit
    const isPart = await database.transaction(async (tx) => {
      const amount = (await returnedByFile(tx, { walletId, id: key })) ?? debit.amount
      return takeAsPart(tx, { walletId, id }, { reportId: reportOfReturn(key), paymentId, amount })
    })
    return isPart ? cameBack : isOwed
  }

  /** What the gateway's bank agreed to goes into its next file, once. */
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
    /**
     * The answer that a debit was paid may be late, and arrive after the one that it was returned: then nothing is left
     * to give back (decision 0004).
     */
    async reverse(_, { key }) {
      const { kind } = await callRail(() => rail.inquire(key), railTimeoutMs)
      if (kind === 'returned') return { kind: 'approved' }
      return kind === 'paid' ? givenBackByHand : { kind: 'unknown' }
    },
    /** What the bank has not received is sent again, under the same key, until it has. */
    async inquire({ key, walletId }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unknown' }
      const known = await callRail(() => rail.inquireRefund(key), railTimeoutMs)
      const payment = await findOperation(database, walletId, operation.parentId)
      if (payment === undefined) return { kind: 'unknown' }
      if (known.kind === 'not_found') return requestRefund(operation, payment)
      if (known.kind === 'declined') return hasReturned(operation, payment, known)
      const debit = await debitOf(payment)
      return debit === undefined ? railAnswerOfRefund(known) : filed(debit, operation, known)
    },
  }
}
