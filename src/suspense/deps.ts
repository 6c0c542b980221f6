// The dependencies of suspense.

import type { Ledger } from '../ledger/index.ts'
import type { Core } from '../module.ts'
import type { PreviewSettlement } from '../operations/for-movements.ts'
import type { Settle } from '../operations/index.ts'
import type { CreditTransfer, ReferenceNetworks } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface SuspenseDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'metrics' | 'onError'> {
  readonly ledger: Pick<Ledger, 'postingRows'>
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
  readonly settle: Settle
  readonly preview: PreviewSettlement
  readonly networks: ReferenceNetworks
  readonly bank: CreditTransfer
  /** Whether a connected bank sends transfers now. */
  sendsTransfers(): boolean
}
