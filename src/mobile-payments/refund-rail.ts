// How money that came by phone goes back: through the network that took it.
import { cents } from '../kernel/money.ts'
import { networkTimeoutMs } from '../mandates/index.ts'
import type { RailAnswer, RefundRail } from '../operations/index.ts'
import {
  callRail,
  type MobileWallet,
  type NeverHeard,
  type UnclearAnswer,
  type WalletMovementAnswer,
} from '../rails/index.ts'

/** Refunds of payments and captures by phone. */
export function mobileRefundRail(network: MobileWallet): RefundRail {
  return {
    async refund({ id: key, amount }, { attemptId, id }) {
      // What took the money: the attempt of a page, or the operation itself.
      const asking = network.refund({ key, payment: attemptId ?? id, amount: cents(-amount) })
      return railAnswerOf(await callRail(asking, networkTimeoutMs))
    },
    async inquire({ id }) {
      return railAnswerOf(await callRail(network.inquireMovement(id), networkTimeoutMs))
    },
  }
}

function railAnswerOf(answer: WalletMovementAnswer | UnclearAnswer | NeverHeard): RailAnswer {
  return answer.kind === 'declined' ? { kind: 'declined', reason: answer.decline } : { kind: answer.kind }
}
