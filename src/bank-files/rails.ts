// Direct debits and transfers through bank files, alone or together with a driver.
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { cents } from '../kernel/money.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import type { Clock } from '../kernel/time.ts'
import type {
  CollectionAnswer,
  CreditTransfer,
  DirectDebit,
  RefundAnswer,
  RefundRequest,
  TransferAnswer,
} from '../rails/index.ts'
import type { Database, Executor } from '../storage/index.ts'
import { returnReasonOf } from './incoming/rules.ts'
import type { StoredOrder } from './model.ts'
import { addBankOrder, findOrderByKey, lockOrder, sumsOfRefunds } from './store.ts'

export interface BankRails {
  readonly directDebit: DirectDebit
  readonly creditTransfer: CreditTransfer
}

/** The rails have no `creditorOf`, because the bank does not state the creditor of a collection. */
export interface FiledRails extends Omit<BankRails, 'directDebit'> {
  readonly directDebit: Omit<DirectDebit, 'creditorOf'>
}

type Answer = Exclude<CollectionAnswer & TransferAnswer, { kind: 'unknown' }>

function answerOf({ answer, returnCode }: StoredOrder): Answer {
  if (answer === undefined) return { kind: 'waiting' }
  return answer === 'paid' ? { kind: 'paid' } : { kind: 'returned', reason: returnReasonOf(returnCode) }
}

export interface BankRailsDeps {
  readonly database: Database
  readonly clock: Clock
}

/** A driver's rails, but answers in bank files take precedence. A debit paid by file is refunded by file. */
export function beforeDriver(deps: BankRailsDeps, { directDebit, creditTransfer }: BankRails): BankRails {
  const { database } = deps
  const byFile = railsByFile(deps).directDebit
  async function answeredByFile(key: string): Promise<Answer | undefined> {
    const order = await findOrderByKey(database, key)
    return order?.answer && answerOf(order)
  }
  return {
    directDebit: {
      creditorOf: (merchantId) => directDebit.creditorOf(merchantId),
      collect: async (order, signal) =>
        (await answeredByFile(order.key)) ?? directDebit.collect(order, signal),
      inquire: async (key) => (await answeredByFile(key)) ?? directDebit.inquire(key),
      refund: async (request, signal) =>
        (await answeredByFile(request.of))?.kind === 'paid'
          ? byFile.refund(request)
          : directDebit.refund(request, signal),
      async inquireRefund(key) {
        const { refundOf } = (await findOrderByKey(database, key)) ?? {}
        const of = refundOf === undefined ? undefined : await findOrderByKey(database, refundOf)
        return of?.answer === undefined ? directDebit.inquireRefund(key) : byFile.inquireRefund(key)
      },
    },
    creditTransfer: {
      send: async (order, signal) => (await answeredByFile(order.key)) ?? creditTransfer.send(order, signal),
      inquire: async (key) => (await answeredByFile(key)) ?? creditTransfer.inquire(key),
    },
  }
}

/** Rails that only use files. The attempt or payout has already stored its order, which the rail reads. */
export function railsByFile(deps: BankRailsDeps): FiledRails {
  const { database } = deps
  async function stateOf(key: string): Promise<Answer | { readonly kind: 'not_found' }> {
    const order = await findOrderByKey(database, key)
    return order === undefined ? { kind: 'not_found' } : answerOf(order)
  }
  async function take(key: string): Promise<Answer> {
    const state = await stateOf(key)
    if (state.kind === 'not_found') throw new Error(`there is no order ${key} for the bank`)
    return state
  }
  return {
    directDebit: {
      collect: ({ key }) => take(key),
      inquire: stateOf,
      refund: (request) => database.transaction((tx) => orderRefund(deps, tx, request)),
      async inquireRefund(key) {
        const order = await findOrderByKey(database, key)
        return order === undefined ? { kind: 'not_found' } : refundAnswerOf(order)
      },
    },
    creditTransfer: { send: ({ key }) => take(key), inquire: stateOf },
  }
}

/** Orders a transfer to the debited account. The refund is approved when the bank books it. */
async function orderRefund(
  { clock }: { readonly clock: Clock },
  tx: Executor,
  { key, of, amount, currency }: RefundRequest,
): Promise<RefundAnswer> {
  const payment = await lockOrder(tx, of)
  if (payment?.kind !== 'collection' || payment.answer !== 'paid')
    return { kind: 'declined', reason: 'unknown_payment' }
  const known = await findOrderByKey(tx, key)
  if (known !== undefined) return refundAnswerOf(known)
  if (((await sumsOfRefunds(tx, [of])).get(of) ?? 0n) + amount > payment.amount)
    return { kind: 'declined', reason: 'amount_exceeds_remaining' }
  const now = clock.now()
  const { walletId, party, remittance } = payment
  await addBankOrder(tx, {
    kind: 'transfer',
    ...{ id: key, walletId, operationId: key, party, refundOf: of },
    amount: cents(amount),
    currency: currency as 'EUR',
    remittance: `Refund ${remittance}`,
    dueOn: nextTargetDay(lisbonDayOf(now)),
    createdAt: now,
  })
  return { kind: 'waiting' }
}

function refundAnswerOf(order: StoredOrder): RefundAnswer {
  const answer = answerOf(order)
  switch (answer.kind) {
    case 'waiting':
      return answer
    case 'paid':
      return { kind: 'approved', reference: order.id }
    case 'returned':
      return {
        kind: 'declined',
        reason: answer.reason === 'account_closed' ? 'account_closed' : 'not_possible',
      }
  }
}
