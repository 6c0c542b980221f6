// The dependencies of the method MB.
import type { Mail } from '../../mail/index.ts'
import type { PageCore } from '../../module.ts'
import type { Engine } from '../../operations/for-movements.ts'
import type { FindWallet, Settle } from '../../operations/index.ts'
import type { CreditTransfer, ReferenceNetworks, SimulatedMoney } from '../../rails/index.ts'
import type { Suspense } from '../../suspense/index.ts'
import type { Wallet } from '../../wallets/index.ts'

/** For refunds by transfer, and the page on which a payer names the account. */
export interface Refunding {
  readonly engine: Pick<Engine, 'inquire'>
  readonly bank: CreditTransfer
  readonly mail: Pick<Mail, 'addRefundPage'>
  readonly simulated: SimulatedMoney | undefined
}

export interface MultibancoDeps
  extends Pick<
    PageCore,
    'database' | 'clock' | 'random' | 'keyring' | 'baseUrl' | 'manifestPath' | 'metrics' | 'onError'
  > {
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly settle: Settle
  readonly refunding: Refunding
  readonly callbacks: { wake(): void }
  readonly networks: ReferenceNetworks
  readonly suspense: Pick<Suspense, 'hold' | 'reasonOf'>
}
