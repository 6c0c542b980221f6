// The dependencies of the method SEPA.
import type { Core } from '../../module.ts'
import type { Settle } from '../../operations/index.ts'
import type { DirectDebit as DirectDebitRail } from '../../rails/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface SepaDebitDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly callbacks: { wake(): void }
  readonly rail: DirectDebitRail
}

export const railTimeoutMs = 8000
