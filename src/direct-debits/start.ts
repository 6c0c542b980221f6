// Beginning a debit: with the debtor's consent it is written, put among the orders for the bank, and sent there.
import { addBankOrder } from '../bank-files/index.ts'
import { recordEvents } from '../callbacks/index.ts'
import { newId } from '../kernel/ids.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import { after, second } from '../kernel/time.ts'
import { beginApproval, chooseAttempt, type Operation, operationEvent } from '../operations/index.ts'
import { callRail } from '../rails/index.ts'
import { hear } from './answers.ts'
import { type DirectDebitsDeps, railTimeoutMs } from './deps.ts'
import type { Debtor, DirectDebit } from './model.ts'
import { collectionOf, mandateIdOf } from './rules.ts'
import { findDebitByPageToken, insertDebit } from './store.ts'

/** When the bank is sent the order again, if it did not answer. */
const firstInquirySeconds = 10

export interface NewDebit {
  readonly operation: Operation
  readonly merchantName: string
  readonly pageToken: string
  readonly debtor: Debtor
  /** The words that the debtor agreed to. */
  readonly mandateText: string
  readonly ip: string | undefined
}

/** Orders a debit once per page; false when the operation is final, or something is being decided. */
export async function startDebit(deps: DirectDebitsDeps, asked: NewDebit): Promise<boolean> {
  const { database, clock } = deps
  const { operation, pageToken } = asked
  const { walletId, id: operationId } = operation
  if ((await findDebitByPageToken(database, walletId, operationId, pageToken)) !== undefined) return true

  const wallet = await deps.wallets.get(walletId)
  const now = clock.now()
  const debit = debitOf(deps, asked)
  const reference = { walletId, operationId, attemptId: debit.id }
  const ordered = await database.transaction(async (tx) => {
    if (!(await chooseAttempt(tx, reference, 'SEPA', now))) return false
    if (!(await beginApproval(tx, reference, now))) return false
    await insertDebit(tx, debit, now, after(now, firstInquirySeconds * second))
    await addBankOrder(tx, {
      kind: 'collection',
      ...{ id: debit.id, walletId, operationId, amount: debit.amount, currency: debit.currency },
      party: debit.debtor,
      remittance: asked.merchantName,
      mandate: debit.mandate,
      dueOn: debit.collectOn,
      createdAt: now,
    })
    // Days pass until the bank answers: the merchant hears now that there is something to wait for.
    const pending = { ...operation, status: 'PENDING', method: 'SEPA', modifiedAt: now } as const
    await recordEvents(tx, [operationEvent(pending, wallet, newId(now, deps.random))])
    return true
  })
  if (!ordered) return false
  deps.callbacks.wake()
  const collect = (signal: AbortSignal) => deps.rail.collect(collectionOf(debit), signal)
  await hear(deps, debit, await callRail(collect, railTimeoutMs))
  return true
}

function debitOf({ clock, random }: DirectDebitsDeps, asked: NewDebit): DirectDebit {
  const { operation, pageToken, merchantName, debtor, mandateText, ip } = asked
  const now = clock.now()
  const today = lisbonDayOf(now)
  const { walletId, amount, currency } = operation
  return {
    id: newId(now, random),
    ...{ walletId, amount, currency, pageToken, merchantName, debtor },
    operationId: operation.id,
    state: 'ORDERED',
    mandate: { id: mandateIdOf(operation.id), text: mandateText, signedOn: today, signedFrom: ip },
    collectOn: nextTargetDay(today),
    failure: undefined,
    inquiries: 0,
    paidAt: undefined,
  }
}
