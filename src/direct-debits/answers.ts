// What the bank says about a debit, and what follows from it.
import { after, backoffMs, second } from '../kernel/time.ts'
import { findOperation, type Operation, openReturn } from '../operations/index.ts'
import { type CollectionAnswer, callRail } from '../rails/index.ts'
import { type DirectDebitsDeps, railTimeoutMs } from './deps.ts'
import type { DirectDebit } from './model.ts'
import { collectionOf, nextInquiry } from './rules.ts'
import { postponeDebit, recordPaid, recordReturned, recordWaiting } from './store.ts'

/** Until the bank is asked again: doubled each time. */
const firstInquirySeconds = 10
const inquirySecondsMax = 3600

/** Asks the bank where a debit stands, sends it again if it never arrived, and does what follows. */
export async function inquire(deps: DirectDebitsDeps, debit: DirectDebit): Promise<void> {
  const { rail } = deps
  const answer = await callRail(() => rail.inquire(debit.id), railTimeoutMs)
  await hear(
    deps,
    debit,
    answer.kind === 'not_found'
      ? await callRail((signal) => rail.collect(collectionOf(debit), signal), railTimeoutMs)
      : answer,
  )
}

/** Does what an answer asks for; the operation first, so that a crash in between repeats both. */
export async function hear(
  deps: DirectDebitsDeps,
  debit: DirectDebit,
  answer: CollectionAnswer,
): Promise<void> {
  const { database, clock } = deps
  const now = clock.now()
  switch (answer.kind) {
    case 'waiting':
      return recordWaiting(database, debit, now, nextInquiry(debit, now) ?? now)
    case 'paid':
      if (debit.state !== 'PAID') return pay(deps, debit)
      return postponeDebit(database, debit, nextInquiry(debit, now))
    case 'returned':
      return takeBack(deps, debit, answer.reason)
    case 'unclear': {
      const pause = backoffMs(firstInquirySeconds * second, debit.inquiries, inquirySecondsMax * second)
      return postponeDebit(database, debit, after(now, pause))
    }
  }
}

async function pay(deps: DirectDebitsDeps, debit: DirectDebit): Promise<void> {
  const { database, clock, settle } = deps
  const operation = await operationOf(deps, debit)
  await settle(operation, { status: 'COMPLETED', guard: guardOf(debit) })
  const now = clock.now()
  await recordPaid(database, debit, now, nextInquiry({ ...debit, state: 'PAID', paidAt: now }, now))
}

/** Before it was paid the payment fails; afterwards the wallet gives back what is left of it (decision 0022). */
async function takeBack(deps: DirectDebitsDeps, debit: DirectDebit, reason: string): Promise<void> {
  const { database, clock, settle } = deps
  const failed = await settle(await operationOf(deps, debit), {
    status: 'FAIL',
    guard: guardOf(debit),
    error: reason,
  })
  const operation = failed ?? (await operationOf(deps, debit))
  const given = await database.transaction(async (tx) => {
    if (!(await recordReturned(tx, debit, reason, clock.now()))) return undefined
    return operation.status === 'COMPLETED' ? openReturn(deps, tx, operation) : undefined
  })
  if (given === undefined) return
  const guard = { kind: 'attempt', attemptId: given.id } as const
  await settle(given, { status: 'COMPLETED', guard, error: reason })
}

function guardOf({ id }: DirectDebit) {
  return { kind: 'attempt', attemptId: id } as const
}

async function operationOf({ database }: DirectDebitsDeps, debit: DirectDebit): Promise<Operation> {
  const operation = await findOperation(database, debit.walletId, debit.operationId)
  if (operation === undefined) throw new Error(`debit ${debit.id} has no operation`)
  return operation
}
