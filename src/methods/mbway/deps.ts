// The dependencies of the method MBWAY.
import type { Core } from '../../module.ts'
import type { FindWallet, Settle } from '../../operations/index.ts'
import type { MobileWallet } from '../../rails/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface MbwayDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'mode' | 'onError'> {
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly mobileWallet: MobileWallet
  readonly settle: Settle
  readonly callbacks: { wake(): void }
}
