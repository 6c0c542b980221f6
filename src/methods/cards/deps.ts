// The dependencies of the method CC.

import type { PageCore } from '../../module.ts'
import type { FindWallet, Operations } from '../../operations/index.ts'
import type { GatewayRails } from '../../rails/index.ts'
import type { SecureFields } from '../../secure-fields/index.ts'
import type { Subscriptions } from '../../subscriptions/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Vault } from './vault/index.ts'

export interface CardsDeps {
  readonly core: PageCore
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly operations: Pick<Operations, 'engine' | 'settle' | 'show'>
  readonly callbacks: { wake(): void }
  readonly rails: Pick<GatewayRails, 'acquirer' | 'threeDSecure' | 'simulated'>
  readonly fields: SecureFields
  readonly subscriptions: Pick<Subscriptions, 'voidWithCard'>
}

export interface CardsContext extends CardsDeps {
  readonly vault: Vault
}
