// The entry point of the ledger: accounts, and what moved between them.
export { ledgerChecks } from './audit.ts'
export {
  accountOf,
  bankCharges,
  bankClearing,
  clearingOf,
  createLedger,
  type Ledger,
  merchantAccount,
  mergedPostings,
  type PostingRow,
  paidPostings,
  suspense,
} from './ledger.ts'
export {
  type AccountKind,
  type AccountName,
  gatewayWalletId,
  type Posting,
  type WalletAccount,
} from './model.ts'
export { createRollups } from './rollups.ts'
export { balanceSql } from './rollups-store.ts'
export {
  type BookedPosting,
  bookedPostings,
  bookedSql,
  lockAccount,
  openAccount,
  postingColumns,
  postingsOf,
  postSql,
} from './store.ts'
