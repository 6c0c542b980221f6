// The entry point of the ledger: accounts, and what moved between them.
import { type Cents, cents } from '../kernel/money.ts'
import type { Database } from '../storage/index.ts'
import type { AccountName, Journal } from './model.ts'
import { findBalance, openAccount } from './store.ts'

export { ledgerChecks } from './audit.ts'
export type { AccountKind, AccountName, Entry, Journal } from './model.ts'
export { createRollups } from './rollups.ts'
export { balanceSql } from './rollups-store.ts'
export {
  accountOf,
  balanced,
  clearingOf,
  merchantAccount,
  mergedEntries,
  paidEntries,
} from './rules.ts'
export {
  entryColumns,
  lockAccount,
  merchantBalances,
  openAccount,
  postingsOf,
  postJournalsSql,
} from './store.ts'

/** A row of the entries' row set. */
export interface EntryRow {
  readonly operation_id: string
  readonly account_id: bigint
  readonly amount: bigint
}

export interface Ledger {
  /** The journal's entries as rows, with their accounts looked up (from memory: numbers never change). */
  entryRows(journal: Journal): Promise<EntryRow[]>
  /** The account's number, for statements that guard its balance. Not inside a transaction. */
  numberOf(account: AccountName): Promise<bigint>
  /** What the account holds; a merchant's may be negative. */
  balanceOf(account: AccountName): Promise<Cents>
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
    numberOf,
    balanceOf: async (account) => cents(await findBalance(database, await numberOf(account))),
    async entryRows(journal) {
      const rows: EntryRow[] = []
      for (const { account, amount } of journal.entries) {
        rows.push({ operation_id: journal.operationId, account_id: await numberOf(account), amount })
      }
      return rows
    },
  }
}
