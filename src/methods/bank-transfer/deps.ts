// What the method BANK is handed.
import type { Randomness } from '../../kernel/random.ts'
import type { Clock } from '../../kernel/time.ts'
import type { PreviewSettlement, Settle } from '../../operations/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface BankTransferDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly settle: Settle
  /** What a payment would book. */
  readonly preview: PreviewSettlement
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
}
