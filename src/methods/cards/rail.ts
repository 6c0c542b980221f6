// Captures, releases, refunds and inquiries at the acquirer.
import { cents } from '../../kernel/money.ts'
import { keyOf } from '../../operations/for-methods.ts'
import type { RailHandler } from '../../operations/for-movements.ts'
import type { Operation } from '../../operations/index.ts'
import {
  type CardAcquirer,
  callRail,
  cancelAtAcquirer,
  type MayStart,
  type RailAnswer,
  railAnswerOf,
  railTimeoutMs,
} from '../../rails/index.ts'
import type { ChargingRail, Subscription } from '../../subscriptions/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { LiveCard, Vault } from './vault/index.ts'

export function cardRail(
  acquirer: CardAcquirer,
  wallets: { get(walletId: bigint): Promise<Wallet> },
): RailHandler {
  async function followUpOf(key: string, original: Operation) {
    const { id, name } = await wallets.get(original.walletId)
    return { key, original: keyOf(original), merchant: { id, name }, currency: original.currency }
  }

  async function ask(
    call: (
      signal: AbortSignal,
    ) => Parameters<typeof railAnswerOf>[0] | Promise<Parameters<typeof railAnswerOf>[0]>,
    beforeSend?: MayStart,
  ): Promise<RailAnswer> {
    return railAnswerOf(await callRail(async (signal) => call(signal), railTimeoutMs, beforeSend))
  }

  return {
    inquire: ({ key }) => ask((signal) => acquirer.inquire(key, signal)),
    cancel: ({ key }) => ask((signal) => cancelAtAcquirer(acquirer, key, signal)),
    reverse: (key, { key: original }) => ask((signal) => acquirer.reverse({ key, original }, signal)),
    async refund({ id, amount }, payment, beforeSend) {
      const request = { ...(await followUpOf(id, payment)), amount: cents(-amount) }
      return ask((signal) => acquirer.refund(request, signal), beforeSend)
    },
    async capture({ id, amount }, authorization, beforeSend) {
      const request = { ...(await followUpOf(id, authorization)), amount }
      return ask((signal) => acquirer.capture(request, signal), beforeSend)
    },
    async release({ id, amount }, authorization, beforeSend) {
      const request = { ...(await followUpOf(id, authorization)), amount }
      return ask((signal) => acquirer.release(request, signal), beforeSend)
    },
    async hasEnded(authorization) {
      if (acquirer.inquireHold === undefined) return false
      const ask = acquirer.inquireHold
      return (await callRail((signal) => ask(keyOf(authorization), signal))).kind === 'ended'
    },
    async releaseRest(key, authorization) {
      const request = { ...(await followUpOf(key, authorization)), amount: 'all' } as const
      const said = await ask((signal) => acquirer.release(request, signal))
      return said.kind === 'unknown' ? ask((signal) => acquirer.inquire(key, signal)) : said
    },
  }
}

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
      return railAnswerOf(await callRail(ask, railTimeoutMs, beforeSend))
    },
    inquire: async ({ operation }) =>
      railAnswerOf(await callRail((signal) => acquirer.inquire(operation.id, signal))),
  }
}
