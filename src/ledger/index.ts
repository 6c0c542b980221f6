// The entry point of the ledger: accounts, and what moved between them.
export { ledgerChecks } from './audit.ts'
export {
  accountOf,
  clearingOf,
  createLedger,
  type Ledger,
  merchantAccount,
  mergedPostings,
  type PostingRow,
  paidPostings,
} from './ledger.ts'
export type { AccountKind, AccountName, Posting, WalletAccount } from './model.ts'
export { createRollups } from './rollups.ts'
export { balanceSql } from './rollups-store.ts'
export {
  bookedSql,
  lockAccount,
  merchantBalances,
  openAccount,
  postingColumns,
  postingsOf,
  postSql,
} from './store.ts'
