// The sandbox's bank as direct debit and credit transfer.
import { lisbonDayOf, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import type { Randomness } from '../../src/kernel/random.ts'
import { nextTargetDay } from '../../src/kernel/target-days.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { CreditTransfer, DirectDebit, ReturnReason } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { refundsOver } from '../refunds.ts'
import { type BankEntry, behaviourOfAccount, creditorAccount } from './model.ts'
import { type Book, findEntry, insertDebit, insertTransfer, moveEntry } from './store.ts'

export interface BankDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
}

type Answer =
  | { readonly kind: 'waiting' | 'paid' }
  | { readonly kind: 'returned'; readonly reason: ReturnReason }

export function createDirectDebit(deps: BankDeps): DirectDebit {
  const { database, clock } = deps
  return {
    ...refundsOver(deps, 'sandbox.debits'),
    creditorOf: () => ({ name: creditorAccount.name, creditorId: creditorAccount.creditorId }),
    async collect({ debtor, mandate, merchant, dueOn, ...collection }) {
      await insertDebit(database, {
        ...collection,
        ...debtor,
        merchantName: merchant.name,
        mandateId: mandate.id,
        createdAt: clock.now(),
        answersAt: startOfLisbonDay(dueOn),
      })
      return takenAnswer(deps, 'debits', collection.key, debtor.iban)
    },
    inquire: (key) => stateOf(deps, 'debits', key),
  }
}

export function createCreditTransfer(deps: BankDeps): CreditTransfer {
  const { database, clock } = deps
  return {
    async send({ beneficiary, ...order }) {
      const now = clock.now()
      const answersAt = startOfLisbonDay(nextTargetDay(lisbonDayOf(now)))
      await insertTransfer(database, { ...order, ...beneficiary, createdAt: now, answersAt })
      return takenAnswer(deps, 'transfers', order.key, beneficiary.iban)
    },
    inquire: (key) => stateOf(deps, 'transfers', key),
  }
}

async function takenAnswer(deps: BankDeps, book: Book, key: string, iban: string): Promise<Answer> {
  const answer = await stateOf(deps, book, key)
  if (behaviourOfAccount(iban).silent === true) return new Promise(() => undefined)
  if (answer.kind === 'not_found') throw new Error(`order ${key} was not written`)
  return answer
}

async function stateOf(
  { database, clock }: BankDeps,
  book: Book,
  key: string,
): Promise<Answer | { readonly kind: 'not_found' }> {
  const entry = await findEntry(database, book, key)
  if (entry === undefined) return { kind: 'not_found' }
  if (entry.state !== 'waiting' || clock.now() < entry.answersAt) return answerOf(entry)
  const { returns } = behaviourOfAccount(entry.iban)
  const to = returns === undefined ? 'paid' : 'returned'
  await moveEntry(database, book, key, { from: 'waiting', to, reason: returns })
  // A person may have answered for the bank in the meantime.
  return answerOf((await findEntry(database, book, key)) ?? entry)
}

function answerOf({ state, reason }: BankEntry): Answer {
  return state === 'returned' ? { kind: 'returned', reason: reason ?? 'unspecified' } : { kind: state }
}
