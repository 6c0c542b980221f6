// Wires subscriptions: the rails their charges go over, and the cards they are accepted with.
import type { Balances } from '../balances/index.ts'
import type { Vault } from '../cards/index.ts'
import type { Mandates } from '../mandates/index.ts'
import type { Engine, Settle } from '../operations/index.ts'
import type { CardAcquirer, MobileWallet } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import {
  createBalanceRail,
  createCardRail,
  createPhoneRail,
  createSubscriptions,
  type SubscriptionsDeps,
  subscriptionSubject,
} from '../subscriptions/index.ts'
import type { Wallets } from '../wallets/index.ts'

export interface SubscriptionParts {
  readonly wallets: Wallets
  readonly settle: Settle
  readonly engine: Engine
  readonly callbacks: { wake(): void }
  readonly vault: Vault
  readonly acquirer: CardAcquirer
  readonly mobileWallet: MobileWallet
  readonly mandates: Mandates
  readonly balances: Balances
  readonly withdrawFromPhone: SubscriptionsDeps['withdrawFromPhone']
  readonly onError: (error: unknown) => void
}

export function composeSubscriptions(
  runtime: Runtime,
  { acquirer, mobileWallet, balances, ...parts }: SubscriptionParts,
) {
  const { database, clock, random, keyring, baseUrl } = runtime
  const shared = { ...parts, database, clock, random, keyring, baseUrl }
  const rails = {
    CC: createCardRail({ vault: parts.vault, acquirer }),
    MBWAY: createPhoneRail({ database, clock, mobileWallet }),
    WALLET: createBalanceRail({ takeFromBalance: balances.take }),
  }
  return {
    subscriptions: createSubscriptions({ ...shared, rails }),
    cardSubject: subscriptionSubject(shared),
  }
}
