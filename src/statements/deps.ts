// The dependencies of statements.

import type { Ledger } from '../ledger/index.ts'
import type { Core } from '../module.ts'
import type { Wallet } from '../wallets/index.ts'

export interface StatementsDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly ledger: Ledger
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
}
