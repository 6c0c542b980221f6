// What the module of subscriptions depends on.

import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { Vault } from '../methods/cards/vault/index.ts'
import type { Engine, Settle } from '../operations/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { ChargedMethods } from './charging/rails.ts'

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
  readonly methods: ChargedMethods
  readonly onError: (error: unknown) => void
}
