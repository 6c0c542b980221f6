// What the module of bank references depends on.
import type { Registry } from 'prom-client'
import type { Randomness } from '../../kernel/random.ts'
import type { Clock } from '../../kernel/time.ts'
import type { FindWallet, Settle } from '../../operations/index.ts'
import type { ReferenceNetworks } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Suspense } from '../../suspense/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface MultibancoDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly settle: Settle
  /** Woken after events were committed. */
  readonly callbacks: { wake(): void }
  readonly networks: ReferenceNetworks
  /** Where money goes that was taken against the rules. */
  readonly suspense: Pick<Suspense, 'hold' | 'reasonOf'>
  readonly metrics: Registry
  readonly onError: (error: unknown) => void
}
