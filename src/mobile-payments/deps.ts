// What the mobile-payments module is handed.
import type { Randomness } from '../kernel/random.ts'
import type { Clock } from '../kernel/time.ts'
import type { Mandates } from '../mandates/index.ts'
import type { FindWallet, Settle } from '../operations/index.ts'
import type { MobileWallet } from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface MobilePaymentsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly mode: 'sandbox' | 'production'
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly mobileWallet: MobileWallet
  readonly mandates: Pick<Mandates, 'withPayments'>
  readonly settle: Settle
}
