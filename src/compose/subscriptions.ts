// Wires subscriptions: the rails their charges go over, and the cards they are accepted with.

import type { Mandates } from '../mandates/index.ts'
import type { Vault } from '../methods/cards/index.ts'
import type { Engine, Settle } from '../operations/index.ts'
import type { Runtime } from '../runtime.ts'
import { createSubscriptions, type SubscriptionsDeps, subscriptionSubject } from '../subscriptions/index.ts'
import type { Wallets } from '../wallets/index.ts'

export interface SubscriptionParts {
  readonly wallets: Wallets
  readonly settle: Settle
  readonly engine: Engine
  readonly callbacks: { wake(): void }
  readonly vault: Vault
  readonly mandates: Mandates
  readonly chargingRailOf: SubscriptionsDeps['chargingRailOf']
  readonly withdrawFromPhone: SubscriptionsDeps['withdrawFromPhone']
  readonly onError: (error: unknown) => void
}

export function composeSubscriptions(runtime: Runtime, parts: SubscriptionParts) {
  const { database, clock, random, keyring, baseUrl } = runtime
  const shared = { ...parts, database, clock, random, keyring, baseUrl }
  return {
    subscriptions: createSubscriptions(shared),
    cardSubject: subscriptionSubject(shared),
  }
}
