// Requests to the bank about a debit, and returns.
import { returnedByFile } from '../../bank-files/index.ts'
import { cents } from '../../kernel/money.ts'
import type { Core } from '../../module.ts'
import {
  type AttemptAnswer,
  type CustomerHandler,
  closedOperation,
  noteReport,
  openClawback,
  postponeInquiry,
  takeReturned,
} from '../../operations/for-methods.ts'
import { bankChannel, settleReported } from '../../operations/for-movements.ts'
import type { Settle } from '../../operations/index.ts'
import {
  type CollectionAnswer,
  callRail,
  type DirectDebit as DirectDebitRail,
  type NotReceived,
  railTimeoutMs,
} from '../../rails/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { sepaDebit } from './facts.ts'
import type { DebitDetails } from './model.ts'
import { collectionOf, nextInquiry, nextReturnLook, reportOfReturn } from './rules.ts'

/** The bank collects once, however often the order is sent. */
export function debitAttemptHandler(deps: SepaDebitDeps): CustomerHandler<DebitDetails> {
  const { database, clock, settle, rail } = deps
  return {
    method: sepaDebit.code,
    // The customer has left when the bank answers, so nobody could try again.
    purposes: { checkout: closedOperation(deps) },
    whenNotReceived: 'send again',
    notReceived: 'bank_unavailable',
    ask: async (debit, beforeSend) =>
      answerOf(
        await callRail((signal) => rail.collect(collectionOf(debit), signal), railTimeoutMs, beforeSend),
      ),
    inquire: async ({ key }) => answerOf(await callRail(() => rail.inquire(key))),
    nextInquiry,
    /** Takes the rest of the payment from the merchant, but not amounts that a refund has reserved. */
    async returned(debit, reason) {
      const { walletId, operationId, key } = debit
      const withdrawals = await database.transaction(async (tx) => {
        const now = clock.now()
        if (!(await takeReturned(tx, debit, reason, now, nextReturnLook(debit, now)))) return []
        const payment = { walletId, id: operationId }
        const reportId = reportOfReturn(key)
        const amount = await returnedByFile(tx, { walletId, id: key })
        const taken = await openClawback(deps, tx, payment, {
          reportId,
          channel: bankChannel,
          reason,
          amount,
        })
        const withdrawn = amount ?? debit.amount
        await noteReport(
          tx,
          {
            ...{ walletId, operationId, reportId, channel: bankChannel, reason },
            ...{ withdrawn, reinstated: cents(0), taken: withdrawn - taken.missing },
          },
          now,
        )
        if (taken.undecided === undefined)
          await postponeInquiry(tx, { ...debit, state: 'RETURNED' }, undefined)
        return taken.withdrawals
      })
      for (const withdrawal of withdrawals) await settleReported({ settle }, withdrawal)
    },
  }
}

function answerOf(answer: CollectionAnswer | NotReceived): AttemptAnswer {
  if (answer.kind === 'waiting')
    return answer.mandate === undefined
      ? { kind: 'waiting' }
      : { kind: 'waiting', details: { mandateOfAgent: answer.mandate.id } }
  return answer.kind === 'paid' ? { kind: 'approved' } : answer
}

export interface SepaDebitDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly callbacks: { wake(): void }
  readonly rail: DirectDebitRail
}
