// The dependencies of the method MB.
import type { Core } from '../../module.ts'
import type { FindWallet, Settle } from '../../operations/index.ts'
import type { ReferenceNetworks } from '../../rails/index.ts'
import type { Suspense } from '../../suspense/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface MultibancoDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'metrics' | 'onError'> {
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly settle: Settle
  readonly callbacks: { wake(): void }
  readonly networks: ReferenceNetworks
  readonly suspense: Pick<Suspense, 'hold' | 'reasonOf'>
}
