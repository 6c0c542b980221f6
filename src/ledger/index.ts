// The entry point of the ledger: accounts and postings.
import type { Core, Module } from '../module.ts'
import { ledgerChecks } from './audit.ts'
import { createRollups } from './rollups.ts'

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
export { balanceSql } from './rollups.ts'
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

export { type KindTotal, totalsByKind } from './totals.ts'

export { createRollups }

export function ledgerModule(core: Pick<Core, 'database' | 'onError'>) {
  return { workers: { balance_rollups: createRollups(core) }, checks: ledgerChecks } satisfies Module
}
