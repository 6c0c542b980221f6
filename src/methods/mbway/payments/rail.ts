// Captures, releases, refunds and inquiries at the mobile wallet.
import { type Cents, cents } from '../../../kernel/money.ts'
import { keyOf, type RailRequest } from '../../../operations/for-methods.ts'
import type { RailHandler } from '../../../operations/for-movements.ts'
import type { Operation } from '../../../operations/index.ts'
import {
  callRail,
  type MayStart,
  type MobileWallet,
  type NotReceived,
  type RailAnswer,
  railAnswerOf,
  railTimeoutMs,
  type UnknownAnswer,
  type WalletFollowUpAnswer,
  type WalletPaymentAnswer,
} from '../../../rails/index.ts'

export function phoneHandler(network: MobileWallet): RailHandler {
  async function ask(call: (signal: AbortSignal) => Promise<Answer>, beforeSend?: MayStart): Promise<Answer> {
    return callRail<Answer>(call, railTimeoutMs, beforeSend)
  }
  const cancelFollowUp = (key: string, signal: AbortSignal) =>
    network.cancelFollowUp?.(key, signal) ?? network.inquireFollowUp(key)

  async function cancel(request: RailRequest): Promise<RailAnswer> {
    const { key } = request
    return answerOf(
      await ask((signal) =>
        isPayment(request) ? network.withdrawPayment(key, signal) : cancelFollowUp(key, signal),
      ),
    )
  }

  return {
    cancel,
    async inquire(request) {
      const { key } = request
      const answer = await ask(() =>
        isPayment(request) ? network.inquirePayment(key) : network.inquireFollowUp(key),
      )
      return answer.kind === 'waiting' ? cancel(request) : answerOf(answer)
    },
    reverse: async (key, { key: original }) =>
      answerOf(await ask((signal) => network.reverse({ key, original }, signal))),
    refund: async ({ id, amount }, payment, beforeSend) =>
      answerOf(
        await ask((signal) => network.refund(followUpOf(id, payment, cents(-amount)), signal), beforeSend),
      ),
    capture: async ({ id, amount }, authorization, beforeSend) =>
      answerOf(
        await ask((signal) => network.capture(followUpOf(id, authorization, amount), signal), beforeSend),
      ),
    release: async ({ id, amount }, authorization, beforeSend) =>
      answerOf(
        await ask((signal) => network.release(followUpOf(id, authorization, amount), signal), beforeSend),
      ),
    releasesWholeOnly: ({ walletId }) => network.lacks?.(walletId).includes('partial releases') === true,
    async hasEnded(authorization) {
      if (network.inquireHold === undefined) return false
      const ask = network.inquireHold
      return (await callRail((signal) => ask(keyOf(authorization), signal))).kind === 'ended'
    },
    async releaseRest(key, authorization, remaining) {
      const said = await ask((signal) => network.release(followUpOf(key, authorization, remaining), signal))
      return answerOf(said.kind === 'unknown' ? await ask(() => network.inquireFollowUp(key)) : said)
    },
  }
}

function followUpOf(key: string, original: Operation, amount: Cents) {
  return { key, payment: keyOf(original), amount }
}

function isPayment({ type }: RailRequest): boolean {
  return type === 'PAYMENT' || type === 'AUTH'
}

type Answer = WalletPaymentAnswer | WalletFollowUpAnswer | UnknownAnswer | NotReceived

function answerOf(answer: Answer): RailAnswer {
  return answer.kind === 'waiting' ? { kind: 'unknown' } : railAnswerOf(answer)
}
