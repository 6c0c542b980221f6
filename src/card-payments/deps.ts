// What the card API is handed.
import type { Cards, Vault } from '../cards/index.ts'
import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { Engine, FindWallet, Settle, ShowOperations } from '../operations/index.ts'
import type { CardAcquirer } from '../rails/index.ts'
import type { SecureFields } from '../secure-fields/index.ts'
import type { Database, Executor } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { OpenCardPayment } from './paying/open-store.ts'

export interface CardSubjectsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly keyring: Keyring
  readonly baseUrl: string
  readonly mode: 'sandbox' | 'production'
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly settle: Settle
  readonly vault: Vault
  readonly callbacks: { wake(): void }
}

/** The module once cards are there, which need it for what its attempts are for. */
export interface CardPaymentsDeps extends CardSubjectsDeps {
  readonly wallets: CardSubjectsDeps['wallets'] & { readonly findByPublicId: FindWallet }
  readonly cards: Cards
  readonly fields: SecureFields
  readonly engine: Engine
  readonly show: ShowOperations
  readonly acquirer: CardAcquirer
  /** Ends what the card of that token was accepted for, in the transaction that deletes the card. */
  readonly endSubscriptionsOf: (tx: Executor, wallet: Wallet, token: string) => Promise<void>
}

/** The deps with what the module keeps for itself. */
export interface CardPaymentsContext extends CardPaymentsDeps {
  readonly openPayment: OpenCardPayment
}
