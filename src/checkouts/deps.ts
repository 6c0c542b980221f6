// What the checkouts module is handed.
import type { Cards } from '../cards/index.ts'
import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { FindWallet, Settle, ShowOperations } from '../operations/index.ts'
import type { Database } from '../storage/index.ts'
import type { Subscriptions } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { WaysToPay, WaysToSubscribe } from './methods/method.ts'

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

/** The module once cards are there: they need checkouts as owners of their attempts, and the pages need cards. */
export interface CheckoutPagesDeps extends CheckoutsDeps {
  /** Where the build of the browser files wrote what it made. */
  readonly manifestPath: string
  /** Seals what a customer's own browser keeps for a while. */
  readonly keyring: Keyring
  readonly cards: Cards
  readonly ways: WaysToPay
  readonly subscribing: WaysToSubscribe
}
