// Manual settlement of debits and transfers.
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import { after, day } from '../../src/kernel/time.ts'
import type { Notices, ReturnReason } from '../../src/rails/index.ts'
import type { BankEntry } from './model.ts'
import type { BankDeps } from './rails.ts'
import { type Book, findLatestEntry, moveEntry } from './store.ts'

export type Outcome = 'paid' | 'returned'
export const outcomes: readonly Outcome[] = ['paid', 'returned']

const returnDays = 56

/**
 * Settles the latest debit or transfer of an operation. Refusals: not_found; illegal_state if its present state does
 * not allow this.
 */
export async function settleByHand(
  deps: BankDeps,
  notices: Pick<Notices, 'bankOrder'>,
  operationId: string,
  outcome: Outcome,
): Promise<Result<Outcome>> {
  const { database, clock } = deps
  for (const book of ['debits', 'transfers'] as const) {
    const entry = await findLatestEntry(database, book, operationId)
    if (entry === undefined) continue
    const over = after(entry.answersAt, returnDays * day) < clock.now()
    const moved = await move(deps, book, entry, outcome, over)
    if (!moved) return refuse('illegal_state', whyNot(book, entry, outcome))
    await notices.bankOrder(entry.key)
    return ok(outcome)
  }
  return refuse('not_found', `the bank knows no debit and no transfer of operation ${operationId}`)
}

async function move(
  { database }: BankDeps,
  book: Book,
  { key, state }: BankEntry,
  outcome: Outcome,
  over: boolean,
): Promise<boolean> {
  if (outcome === 'paid') return moveEntry(database, book, key, { from: 'waiting', to: 'paid' })
  if (state === 'returned' || (state === 'paid' && (book === 'transfers' || over))) return false
  const reason: ReturnReason = state === 'paid' ? 'refused_by_debtor' : 'insufficient_funds'
  return moveEntry(database, book, key, { from: state, to: 'returned', reason })
}

function whyNot(book: Book, { state }: BankEntry, outcome: Outcome): string {
  if (state === outcome) return `it is ${state} already`
  return book === 'debits' && state === 'paid'
    ? 'it was paid more than eight weeks ago, and cannot be returned any more'
    : `it is ${state}, and stays so`
}
