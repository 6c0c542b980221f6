// The only door to the books.
import type { Database } from '../storage/index.ts'
import type { AccountName, Journal } from './model.ts'
import { openAccount } from './store.ts'

export { ledgerChecks } from './audit.ts'
export type { AccountKind, AccountName, Entry, Journal } from './model.ts'
export {
  balanced,
  clearingOf,
  incomeEntries,
  merchantAccount,
  mergedEntries,
  refundEntries,
} from './rules.ts'
export { entryColumns, merchantBalances, openAccount, postJournalsSql } from './store.ts'

/** A row of the entries' row set. */
export interface EntryRow {
  readonly operation_id: string
  readonly account_id: bigint
  readonly amount: bigint
}

export interface Ledger {
  /** The journal's entries as rows, with their accounts looked up (from memory: numbers never change). */
  entryRows(journal: Journal): Promise<EntryRow[]>
}

/** Opens the books on `database`. */
export function createLedger({ database }: { database: Database }): Ledger {
  const numbers = new Map<string, bigint>()

  async function numberOf(account: AccountName): Promise<bigint> {
    const key = `${account.walletId}/${account.kind}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = await openAccount(database, account)
    numbers.set(key, number)
    return number
  }

  return {
    async entryRows(journal) {
      const rows: EntryRow[] = []
      for (const { account, amount } of journal.entries) {
        rows.push({ operation_id: journal.operationId, account_id: await numberOf(account), amount })
      }
      return rows
    },
  }
}
