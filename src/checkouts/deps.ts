// What the module of checkouts depends on.

import type { Cards } from '../cards/index.ts'
import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { MethodTable } from '../methods/method.ts'
import type { FindWallet, Settle, ShowOperations } from '../operations/index.ts'
import type { MethodPanel } from '../pages/index.ts'
import type { PretendedMoney } from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Subscriptions } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface CheckoutsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly settle: Settle
  readonly show: ShowOperations
  readonly subscriptions: Subscriptions
  readonly baseUrl: string
  readonly mode: 'sandbox' | 'production'
  readonly onError: (error: unknown) => void
}

/** For the pages, which need cards; cards need checkouts before, as owners of their attempts. */
export interface CheckoutPagesDeps extends CheckoutsDeps {
  /** Path of the manifest of the built browser files. */
  readonly manifestPath: string
  /** What pages say where no real money moves. */
  readonly pretended: PretendedMoney | undefined
  /** Seals what is stored in a cookie of the customer's browser. */
  readonly keyring: Keyring
  readonly cards: Cards
  readonly cardPanel: MethodPanel
  readonly methods: MethodTable
}
