// Orders of the online wallet as attempts, and the dependencies of PAYPAL.
import type { Core } from '../../module.ts'
import type { CustomerAttempt } from '../../operations/for-methods.ts'
import type { Settle } from '../../operations/index.ts'
import type { OnlineWallet } from '../../rails/index.ts'
import type { Subscriptions } from '../../subscriptions/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export interface WalletDetails {
  readonly approveUrl?: string | undefined
  /** True if the order also saves the customer's account, to charge a subscription later. */
  readonly saves?: boolean | undefined
}

export type WalletAttempt = CustomerAttempt<WalletDetails>

export interface PaypalDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly rail: OnlineWallet
  readonly callbacks: { wake(): void }
  readonly subscriptions: Pick<Subscriptions, 'cancel'>
}
