// The dependencies of the method WALLET.

import type { Result } from '../../kernel/result.ts'
import type { Core } from '../../module.ts'
import type { SettleFunded } from '../../operations/for-methods.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface BalanceDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settleFunded: SettleFunded
  readonly wallets: {
    get(walletId: bigint): Promise<Wallet>
    logInConsumer(email: string, pin: string): Promise<Result<bigint>>
  }
  readonly callbacks: { wake(): void }
}
