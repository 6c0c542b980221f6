// The dependencies of the method BANK.
import type { Core } from '../../module.ts'
import type { PreviewSettlement } from '../../operations/for-movements.ts'
import type { Settle } from '../../operations/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface BankTransferDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
  readonly preview: PreviewSettlement
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
}
