// Giving a debit back: the bank transfers the money to the account it came from.
import { addBankOrder } from '../bank-files/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import type { Operation } from '../operations/index.ts'
import { callRail, type GivenBack } from '../rails/index.ts'
import { type DirectDebitsDeps, railTimeoutMs } from './deps.ts'
import type { DirectDebit } from './model.ts'
import { findDebitOf } from './store.ts'

export interface DebitGiveBack {
  readonly payment: Pick<Operation, 'id' | 'walletId' | 'currency'>
  /** Id of the refund, and the bank's key of it. */
  readonly key: string
  /** In cents, positive. */
  readonly amount: Cents
}

/** Gives a part of a paid debit back, once per key; an unclear answer may be asked about. */
export async function giveBack(deps: DirectDebitsDeps, request: DebitGiveBack): Promise<GivenBack> {
  const { payment, key, amount } = request
  const debit = await findDebitOf(deps.database, payment.walletId, payment.id)
  if (debit?.state !== 'PAID') return { kind: 'declined', reason: 'unknown_payment' }
  const { currency } = payment
  const answer = await callRail(
    (signal) => deps.rail.giveBack({ key, of: debit.id, amount, currency }, signal),
    railTimeoutMs,
  )
  return filed(deps, debit, request, answer)
}

/** What became of it; what the bank has not received is sent again, under the same key, until it has. */
export async function inquireGivenBack(deps: DirectDebitsDeps, request: DebitGiveBack): Promise<GivenBack> {
  const { payment, key } = request
  const known = await callRail(() => deps.rail.inquireGivenBack(key), railTimeoutMs)
  if (known.kind === 'not_found') return giveBack(deps, request)
  const debit = await findDebitOf(deps.database, payment.walletId, payment.id)
  return debit === undefined ? known : filed(deps, debit, request, known)
}

/** What the bank agreed to goes into its next file, once. */
async function filed(
  { database, clock }: DirectDebitsDeps,
  debit: DirectDebit,
  { payment, key, amount }: DebitGiveBack,
  answer: GivenBack,
): Promise<GivenBack> {
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
