// What the method WALLET is handed.
import type { Randomness } from '../../kernel/random.ts'
import type { Result } from '../../kernel/result.ts'
import type { Clock } from '../../kernel/time.ts'
import type { SettleFunded } from '../../operations/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface BalanceDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly settleFunded: SettleFunded
  readonly wallets: {
    get(walletId: bigint): Promise<Wallet>
    /** Refusals: authentication_failed, pin_retries_exhausted. */
    logInConsumer(email: string, pin: string): Promise<Result<bigint>>
  }
  /** Woken after events were committed. */
  readonly callbacks: { wake(): void }
}
