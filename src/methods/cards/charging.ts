// Charging of a subscription's stored card, as merchant initiated.

import { type CardAcquirer, callRail, railAnswerOf } from '../../rails/index.ts'
import type { ChargingRail, Subscription } from '../../subscriptions/index.ts'
import { acquirerTimeoutMs } from './rail.ts'
import type { LiveCard, Vault } from './vault/index.ts'

export interface CardChargingDeps {
  readonly vault: Vault
  readonly acquirer: CardAcquirer
}

export function createCardCharging({ vault, acquirer }: CardChargingDeps): ChargingRail {
  async function cardOf({ walletId, cardToken }: Subscription): Promise<LiveCard | undefined> {
    const stored = cardToken === undefined ? undefined : await vault.find(walletId, cardToken)
    return stored === undefined || stored.voidedAt !== undefined ? undefined : stored
  }

  return {
    async blockedReason(subscription) {
      return (await cardOf(subscription)) === undefined ? 'card_deleted' : undefined
    },
    async charge({ subscription, operation, merchantName }, beforeSend) {
      const stored = await cardOf(subscription)
      if (stored === undefined) return { kind: 'declined', reason: 'card_deleted' }
      const authorization = {
        key: operation.id,
        merchant: { id: operation.walletId, name: merchantName },
        amount: operation.amount,
        currency: operation.currency,
        intent: 'sale',
        card: vault.open(stored),
        credentialOnFile: 'merchant_initiated',
      } as const
      const ask = (signal: AbortSignal) => acquirer.authorize(authorization, signal)
      return railAnswerOf(await callRail(ask, acquirerTimeoutMs, beforeSend))
    },
    inquire: async ({ operation }) =>
      railAnswerOf(await callRail((signal) => acquirer.inquire(operation.id, signal), acquirerTimeoutMs)),
  }
}
