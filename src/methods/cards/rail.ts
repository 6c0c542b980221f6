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
} from '../../rails/index.ts'
import type { Wallet } from '../../wallets/index.ts'

export const acquirerTimeoutMs = 8000

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
    return railAnswerOf(await callRail(async (signal) => call(signal), acquirerTimeoutMs, beforeSend))
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
      return (
        (await callRail((signal) => ask(keyOf(authorization), signal), acquirerTimeoutMs)).kind === 'ended'
      )
    },
    async releaseRest(key, authorization) {
      const request = { ...(await followUpOf(key, authorization)), amount: 'all' } as const
      const said = await ask((signal) => acquirer.release(request, signal))
      return said.kind === 'unknown' ? ask((signal) => acquirer.inquire(key, signal)) : said
    },
  }
}
