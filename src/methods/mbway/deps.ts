// What the method MBWAY is handed.
import type { Randomness } from '../../kernel/random.ts'
import type { Clock } from '../../kernel/time.ts'
import type { FindWallet, Settle } from '../../operations/index.ts'
import type { MobileWallet } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface MbwayDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly mode: 'sandbox' | 'production'
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly mobileWallet: MobileWallet
  readonly settle: Settle
  /** Woken after events were committed. */
  readonly callbacks: { wake(): void }
  readonly onError: (error: unknown) => void
}

/** A silent network is an unclear answer after this. Real time: it bounds a network call. */
export const networkTimeoutMs = 8000
