// The entry point of direct debits (SEPA): consent, the order to the bank, its answer, and returns.
import type { Worker } from '../storage/index.ts'
import { inquire } from './answers.ts'
import type { DirectDebitsDeps } from './deps.ts'
import { createResolver } from './jobs.ts'
import type { DirectDebit } from './model.ts'
import { mandateTexts } from './rules.ts'
import { type NewDebit, startDebit } from './start.ts'
import { findDebitByKey, findDebitOf } from './store.ts'

export { directDebitChecks } from './audit.ts'
export type { DirectDebitsDeps } from './deps.ts'
export type { DirectDebit } from './model.ts'
export { debitHandler } from './refund.ts'
export { type DebtorForm, type DebtorProblems, maskedIban, readDebtor } from './rules.ts'

export interface DirectDebits {
  /** The words to agree to, in the customer's language. */
  mandateText(language: 'pt' | 'en', merchantName: string): string
  /** Orders a debit; false when the operation is final, or something is being decided. */
  start(debit: NewDebit): Promise<boolean>
  /** The latest debit of the wallet's operation. */
  find(walletId: bigint, operationId: string): Promise<DirectDebit | undefined>
  /** Asks the bank about the debit of this key, and does what follows; false for a key that is no debit's. */
  onNotice(key: string): Promise<boolean>
  readonly resolver: Worker
}

export function createDirectDebits(deps: DirectDebitsDeps): DirectDebits {
  const { database, creditor } = deps
  return {
    mandateText: (language, merchant) =>
      mandateTexts[language]({ creditor: creditor.name, creditorId: creditor.creditorId, merchant }),
    start: (debit) => startDebit(deps, debit),
    find: (walletId, operationId) => findDebitOf(database, walletId, operationId),
    async onNotice(key) {
      const debit = await findDebitByKey(database, key)
      if (debit !== undefined) await inquire(deps, debit)
      return debit !== undefined
    },
    resolver: createResolver(deps),
  }
}
