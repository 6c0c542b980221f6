// Requests to the mobile wallet that are given up, found late, or reversed.
import { networkTimeoutMs } from '../mandates/index.ts'
import { type RailAnswer, type RailHandler, type RailRequest, railAnswerOf } from '../operations/index.ts'
import {
  callRail,
  type MobileWallet,
  type NeverHeard,
  type UnclearAnswer,
  type WalletMovementAnswer,
  type WalletPaymentAnswer,
} from '../rails/index.ts'

export function phoneHandler(network: MobileWallet): RailHandler {
  const cancelMovement = (key: string, signal: AbortSignal) =>
    network.cancelMovement?.(key, signal) ?? network.inquireMovement(key)

  const cancel: RailHandler['cancel'] = async (asked) => {
    const { key } = asked
    const ask = (signal: AbortSignal) =>
      isPayment(asked) ? network.withdrawPayment(key, signal) : cancelMovement(key, signal)
    return answerOf(await callRail<Answer>(ask, networkTimeoutMs))
  }

  return {
    cancel,
    async inquire(asked) {
      const { key } = asked
      const ask = () => (isPayment(asked) ? network.inquirePayment(key) : network.inquireMovement(key))
      const answer = await callRail<Answer>(ask, networkTimeoutMs)
      // Put before the customer after all: nobody waits for their answer any more.
      return answer.kind === 'waiting' ? cancel(asked) : answerOf(answer)
    },
    async reverse(key, { key: original }) {
      const ask = (signal: AbortSignal) => network.reverse({ key, original }, signal)
      return answerOf(await callRail(ask, networkTimeoutMs))
    },
  }
}

function isPayment({ type }: RailRequest): boolean {
  return type === 'PAYMENT' || type === 'AUTH'
}

type Answer = WalletPaymentAnswer | WalletMovementAnswer | UnclearAnswer | NeverHeard

/** What the customer is still asked about is not clear. */
function answerOf(answer: Answer): RailAnswer {
  return answer.kind === 'waiting' ? { kind: 'unclear' } : railAnswerOf(answer)
}
