// What the bank is asked about a debit, and what follows from it being returned.
import { derivedId } from '../kernel/random.ts'
import {
  type AttemptAnswer,
  bankChannel,
  type CustomerHandler,
  closedOperation,
  finishAttempt,
  openWithdrawal,
  settleReported,
} from '../operations/index.ts'
import { type CollectionAnswer, callRail, type NotReceived } from '../rails/index.ts'
import { type DirectDebitsDeps, railTimeoutMs } from './deps.ts'
import type { DebitDetails } from './model.ts'
import { collectionOf, nextInquiry } from './rules.ts'

/** The bank takes an order as often as it is sent, and collects once. */
export function debitAttemptHandler(deps: DirectDebitsDeps): CustomerHandler<DebitDetails> {
  const { database, clock, settle, rail } = deps
  return {
    method: 'SEPA',
    // The customer has left when the bank answers: nobody is there to try again.
    subjects: { checkout: closedOperation(deps) },
    whenNotReceived: 'send again',
    notReceived: 'bank_unavailable',
    ask: async (debit, mayStart) =>
      answerOf(
        await callRail((signal) => rail.collect(collectionOf(debit), signal), railTimeoutMs, mayStart),
      ),
    inquire: async ({ key }) => answerOf(await callRail(() => rail.inquire(key), railTimeoutMs)),
    nextInquiry,
    /** The wallet gives back what is left of the payment (decision 0022). */
    async returned(debit, reason) {
      const { walletId, operationId } = debit
      const given = await database.transaction(async (tx) => {
        const end = { state: 'RETURNED', failure: reason } as const
        if (!(await finishAttempt(tx, debit, end, clock.now()))) return undefined
        const payment = { walletId, id: operationId }
        const reportId = derivedId(debit.key, 'returned debit')
        return openWithdrawal(deps, tx, payment, { reportId, channel: bankChannel, reason })
      })
      await settleReported({ settle }, given)
    },
  }
}

function answerOf(answer: CollectionAnswer | NotReceived): AttemptAnswer {
  return answer.kind === 'paid' ? { kind: 'approved' } : answer
}
