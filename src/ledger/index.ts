// The entry point of the ledger: accounts, and what moved between them.
import { type Cents, cents } from '../kernel/money.ts'
import type { Database } from '../storage/index.ts'
import type { AccountName, Posting, WalletAccount } from './model.ts'
import { nameOf } from './rules.ts'
import { findBalance, openAccount, type postingColumns } from './store.ts'

export { ledgerChecks } from './audit.ts'
export type { AccountKind, AccountName, Posting, WalletAccount } from './model.ts'
export { createRollups } from './rollups.ts'
export { balanceSql } from './rollups-store.ts'
export {
  accountOf,
  clearingOf,
  merchantAccount,
  mergedPostings,
  paidPostings,
} from './rules.ts'
export {
  bookedSql,
  lockAccount,
  merchantBalances,
  openAccount,
  postingColumns,
  postingsOf,
  postSql,
} from './store.ts'

/** A row of the postings' row set. */
export type PostingRow = Readonly<Record<keyof typeof postingColumns, string | bigint>>

export interface Ledger {
  /** The operation's postings as rows, with their accounts looked up (from memory: numbers never change). */
  postingRows(operationId: string, postings: readonly Posting[]): Promise<PostingRow[]>
  /** The account's number, for statements that guard its balance. Not inside a transaction. */
  numberOf(account: WalletAccount): Promise<bigint>
  /** What the account holds; a merchant's may be negative. */
  balanceOf(account: WalletAccount): Promise<Cents>
}

/** Opens the books on `database`. */
export function createLedger({ database }: { database: Database }): Ledger {
  const numbers = new Map<string, bigint>()
  const known = (account: AccountName) => numbers.get(nameOf(account))

  async function numberOf(account: AccountName): Promise<bigint> {
    const number = known(account) ?? (await openAccount(database, account))
    numbers.set(nameOf(account), number)
    return number
  }

  return {
    numberOf,
    balanceOf: async (account) => cents(await findBalance(database, await numberOf(account))),
    async postingRows(operationId, postings) {
      const rows: PostingRow[] = []
      for (const { debit, credit, amount } of postings) {
        rows.push({
          operation_id: operationId,
          debit_account: known(debit) ?? (await numberOf(debit)),
          credit_account: known(credit) ?? (await numberOf(credit)),
          amount,
        })
      }
      return rows
    },
  }
}
