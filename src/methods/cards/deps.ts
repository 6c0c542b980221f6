// What the method CC is handed.

import type { PageCore } from '../../module.ts'
import type { FindWallet, Operations } from '../../operations/index.ts'
import type { GatewayRails } from '../../rails/index.ts'
import type { SecureFields } from '../../secure-fields/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { CardAttempt, CardSubject } from './model.ts'
import type { Vault } from './vault/index.ts'

/** What subscriptions do with cards. */
export interface CardSubscriptions {
  /** What attempts are for that have a subscription accepted with which nothing is paid at once. */
  readonly subject: CardSubject
  /** Stores the card of an approved attempt for the subscription that the payment's settlement approves. */
  keepCard(subscriptionId: string, attempt: CardAttempt): Promise<void>
  /** Ends what the card of that token was accepted for, in the transaction that deletes the card. */
  voidWithCard(tx: Executor, wallet: Wallet, token: string): Promise<void>
}

export interface CardsDeps {
  readonly core: PageCore
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly operations: Pick<Operations, 'engine' | 'settle' | 'show'>
  readonly callbacks: { wake(): void }
  readonly rails: Pick<GatewayRails, 'acquirer' | 'threeDSecure' | 'pretended'>
  readonly vault: Vault
  readonly fields: SecureFields
  readonly subscriptions: CardSubscriptions
}
