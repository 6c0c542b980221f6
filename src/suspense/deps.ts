// What suspense depends on.
import type { Registry } from 'prom-client'
import type { Randomness } from '../kernel/random.ts'
import type { Clock } from '../kernel/time.ts'
import type { Ledger } from '../ledger/index.ts'
import type { PreviewSettlement, Settle } from '../operations/index.ts'
import type { CreditTransfer, ReferenceNetworks } from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface SuspenseDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly ledger: Pick<Ledger, 'postingRows'>
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
  readonly settle: Settle
  /** What a payment would book. */
  readonly preview: PreviewSettlement
  readonly networks: ReferenceNetworks
  readonly bank: CreditTransfer
  /** Whether the gateway has a bank that sends transfers now. */
  sendsTransfers(): boolean
  readonly metrics: Registry
  readonly onError: (error: unknown) => void
}
