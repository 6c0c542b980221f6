// Giving a debit back: the bank transfers the money to the account it came from.
import { addBankOrder } from '../bank-files/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { type Cents, cents } from '../kernel/money.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import type { Operation, RailHandler } from '../operations/index.ts'
import { callRail, type RefundAnswer } from '../rails/index.ts'
import { type DirectDebitsDeps, railTimeoutMs } from './deps.ts'
import type { DirectDebit } from './model.ts'
import { findDebitOf } from './store.ts'

type RefundDeps = Pick<DirectDebitsDeps, 'database' | 'clock' | 'rail'>

interface DebitRefund {
  readonly payment: Pick<Operation, 'id' | 'walletId' | 'currency'>
  /** Id of the refund, and the bank's key of it. */
  readonly key: string
  /** In cents, positive. */
  readonly amount: Cents
}

/** Refunds of direct debits; a refund's own amount is negative. */
export function debitHandler(deps: RefundDeps): RailHandler {
  return {
    refund: ({ id, amount }, payment) => requestRefund(deps, { payment, key: id, amount: cents(-amount) }),
    async inquire({ key, walletId }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unclear' }
      const { amount, currency, parentId: id } = operation
      return inquireRefund(deps, { payment: { id, walletId, currency }, key, amount: cents(-amount) })
    },
  }
}

/** Gives a part of a paid debit back, once per key; an unclear answer may be asked about. */
async function requestRefund(deps: RefundDeps, request: DebitRefund): Promise<RefundAnswer> {
  const { payment, key, amount } = request
  const debit = await findDebitOf(deps.database, payment.walletId, payment.id)
  if (debit?.state !== 'PAID') return { kind: 'declined', reason: 'unknown_payment' }
  const { currency } = payment
  const answer = await callRail(
    (signal) => deps.rail.refund({ key, of: debit.id, amount, currency }, signal),
    railTimeoutMs,
  )
  return filed(deps, debit, request, answer)
}

/** What became of it; what the bank has not received is sent again, under the same key, until it has. */
async function inquireRefund(deps: RefundDeps, request: DebitRefund): Promise<RefundAnswer> {
  const { payment, key } = request
  const known = await callRail(() => deps.rail.inquireRefund(key), railTimeoutMs)
  if (known.kind === 'not_found') return requestRefund(deps, request)
  const debit = await findDebitOf(deps.database, payment.walletId, payment.id)
  return debit === undefined ? known : filed(deps, debit, request, known)
}

/** What the bank agreed to goes into its next file, once. */
async function filed(
  { database, clock }: RefundDeps,
  debit: DirectDebit,
  { payment, key, amount }: DebitRefund,
  answer: RefundAnswer,
): Promise<RefundAnswer> {
  if (answer.kind !== 'approved') return answer
  const now = clock.now()
  await addBankOrder(database, {
    kind: 'transfer',
    id: key,
    walletId: payment.walletId,
    operationId: key,
    amount,
    currency: payment.currency,
    party: debit.debtor,
    remittance: `Refund ${debit.merchantName}`,
    dueOn: nextTargetDay(lisbonDayOf(now)),
    createdAt: now,
  })
  return answer
}
