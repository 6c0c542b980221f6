// The entry point of direct debits (SEPA): consent, the order to the bank, its answer, and returns.
import {
  type CustomerEngine,
  createCustomerEngine,
  findAttempt,
  findAttemptByKey,
  type Operation,
} from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { debitAttemptHandler } from './attempt-handler.ts'
import type { DirectDebitsDeps } from './deps.ts'
import type { DebitDetails, DebitTerms, DirectDebit } from './model.ts'
import { mandateTexts } from './rules.ts'
import { type NewDebit, startDebit } from './start.ts'

export { directDebitChecks } from './audit.ts'
export type { DirectDebitsDeps } from './deps.ts'
export { debitHandler } from './follow-up-handler.ts'
export type { DirectDebit } from './model.ts'
export { type DebtorForm, type DebtorProblems, readDebtor, wantsAddress } from './rules.ts'

export interface DirectDebits {
  /** What a merchant's customer has to agree to, and to say of themselves. */
  termsOf(merchant: Pick<Wallet, 'id' | 'name'>, language: 'pt' | 'en'): DebitTerms
  /** Orders a debit; false when the operation is final, or something is being decided. */
  start(debit: NewDebit): Promise<boolean>
  /** The debit of an operation that was last chosen to be paid by one. */
  find(operation: Pick<Operation, 'walletId' | 'attemptId'>): Promise<DirectDebit | undefined>
  /** Asks the bank about the debit of this key, and does what follows; false for a key that is no debit's. */
  onNotice(key: string): Promise<boolean>
  readonly engine: CustomerEngine<DebitDetails>
}

export function createDirectDebits(deps: DirectDebitsDeps): DirectDebits {
  const { database, rail } = deps
  const engine = createCustomerEngine(deps, debitAttemptHandler(deps))
  return {
    termsOf({ id, name }, language) {
      const creditor = rail.creditorOf(id)
      return { creditor, mandateText: mandateTexts[language](creditor, name) }
    },
    start: (debit) => startDebit(deps, engine, debit),
    async find({ walletId, attemptId }) {
      return attemptId === undefined
        ? undefined
        : findAttempt<DebitDetails>(database, 'SEPA', walletId, attemptId)
    },
    async onNotice(key) {
      const debit = await findAttemptByKey<DebitDetails>(database, 'SEPA', key)
      if (debit !== undefined) await engine.advance(debit)
      return debit !== undefined
    },
    engine,
  }
}
