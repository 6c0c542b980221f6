// How money that came by phone goes back: through the network that took it.
import { cents } from '../kernel/money.ts'
import { networkTimeoutMs } from '../mandates/index.ts'
import { type RefundRail, railAnswerOf } from '../operations/index.ts'
import { callRail, type MobileWallet } from '../rails/index.ts'

/** Refunds of payments and captures by phone. */
export function mobileRefundRail(network: MobileWallet): RefundRail {
  return {
    async refund({ id: key, amount }, { attemptId, id }, mayStart) {
      // What took the money: the attempt of a page, or the operation itself.
      const movement = { key, payment: attemptId ?? id, amount: cents(-amount) }
      const ask = (signal: AbortSignal) => network.refund(movement, signal)
      return railAnswerOf(await callRail(ask, networkTimeoutMs, mayStart))
    },
    async inquire({ id }) {
      return railAnswerOf(await callRail(() => network.inquireMovement(id), networkTimeoutMs))
    },
  }
}
