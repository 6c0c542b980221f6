// What payouts are handed.
import type { Idempotency } from '../idempotency/index.ts'
import type { Randomness } from '../kernel/random.ts'
import type { Clock } from '../kernel/time.ts'
import type { Ledger } from '../ledger/index.ts'
import type { Engine, Settle } from '../operations/index.ts'
import type { CreditTransfer } from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface PayoutsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly ledger: Ledger
  readonly settle: Settle
  readonly engine: Engine
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly rail: CreditTransfer
  readonly idempotency: Pick<Idempotency, 'fingerprint' | 'recall'>
  readonly onError: (error: unknown) => void
}

/** After this the bank's silence is an unclear answer. Real time: it bounds a network call. */
export const railTimeoutMs = 8000
