// What the module of subscriptions depends on.

import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { Mandates } from '../mandates/index.ts'
import type { Vault } from '../methods/cards/vault/index.ts'
import type { Engine, Operation, Settle } from '../operations/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { ChargingRailOf } from './charging/rails.ts'

/** What recording an event of a subscription needs; enough for the settlements of payments. */
export interface EventDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
}

export interface SubscriptionsDeps extends EventDeps {
  readonly keyring: Keyring
  readonly baseUrl: string
  readonly callbacks: { wake(): void }
  readonly settle: Settle
  /** Has the rails of charges decide. */
  readonly engine: Pick<Engine, 'decide'>
  readonly vault: Vault
  readonly chargingRailOf: ChargingRailOf
  readonly mandates: Pick<Mandates, 'askForSubscription' | 'drop'>
  /** Withdraws a payment that its customer is asked for on the phone, where they have not answered yet. */
  readonly withdrawFromPhone: (operation: Operation) => Promise<void>
  readonly onError: (error: unknown) => void
}
