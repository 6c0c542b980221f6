// What statements are handed.
import type { Clock } from '../kernel/time.ts'
import type { Ledger } from '../ledger/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface StatementsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ledger: Ledger
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly onError: (error: unknown) => void
}
