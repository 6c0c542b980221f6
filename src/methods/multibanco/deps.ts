// The dependencies of the method MB.
import type { Mail } from '../../mail/index.ts'
import type { PageCore } from '../../module.ts'
import type { Engine } from '../../operations/for-movements.ts'
import type { FindWallet, Settle } from '../../operations/index.ts'
import type { CreditTransfer, ReferenceNetworks, SimulatedMoney } from '../../rails/index.ts'
import type { Suspense } from '../../suspense/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface MultibancoDeps
  extends Pick<
    PageCore,
    'database' | 'clock' | 'random' | 'keyring' | 'baseUrl' | 'manifestPath' | 'metrics' | 'onError'
  > {
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly settle: Settle
  readonly engine: Pick<Engine, 'inquire'>
  /** Sends refunds. */
  readonly bank: CreditTransfer
  readonly mail: Pick<Mail, 'addRefundPage'>
  readonly simulated: SimulatedMoney | undefined
  readonly callbacks: { wake(): void }
  readonly networks: ReferenceNetworks
  readonly suspense: Pick<Suspense, 'hold' | 'reasonOf'>
}
