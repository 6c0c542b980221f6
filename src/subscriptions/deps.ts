// The dependencies of subscriptions.

import type { Core } from '../module.ts'
import type { Engine } from '../operations/for-movements.ts'
import type { Settle } from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { ChargedMethods } from './charging/rails.ts'

/** The dependencies that record events. */
export interface EventDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
}

export interface SubscriptionsDeps extends EventDeps, Pick<Core, 'keyring' | 'onError'> {
  readonly callbacks: { wake(): void }
  readonly settle: Settle
  readonly engine: Pick<Engine, 'decide'>
  readonly methods: ChargedMethods
}
