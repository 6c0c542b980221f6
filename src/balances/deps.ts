// What the balances module is handed.
import type { Idempotency } from '../idempotency/index.ts'
import type { Randomness } from '../kernel/random.ts'
import type { Result } from '../kernel/result.ts'
import type { Clock } from '../kernel/time.ts'
import type { Ledger } from '../ledger/index.ts'
import type { Engine, PreviewSettlement, Settle, SettleFunded } from '../operations/index.ts'
import type { CreditTransfer } from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface BalancesDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly ledger: Ledger
  readonly settle: Settle
  /** What a payment would book. */
  readonly preview: PreviewSettlement
  readonly engine: Engine
  readonly settleFunded: SettleFunded
  readonly wallets: {
    find(walletId: bigint): Promise<Wallet | undefined>
    get(walletId: bigint): Promise<Wallet>
    /** Refusals: authentication_failed, pin_retries_exhausted. */
    logInConsumer(email: string, pin: string): Promise<Result<bigint>>
  }
  readonly rail: CreditTransfer
  readonly idempotency: Pick<Idempotency, 'fingerprint' | 'recall'>
  readonly onError: (error: unknown) => void
}

/** After this the bank's silence is an unclear answer. Real time: it bounds a network call. */
export const railTimeoutMs = 8000
