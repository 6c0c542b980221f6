// The dependencies of the method PAYPAL.
import type { Core } from '../../module.ts'
import type { Settle } from '../../operations/index.ts'
import type { OnlineWallet } from '../../rails/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface PaypalDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly rail: OnlineWallet
}

export const railTimeoutMs = 8000
