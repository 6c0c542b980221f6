// How money that came by card goes back: through the acquirer that took it.
import { cents } from '../kernel/money.ts'
import { type RefundRail, railAnswerOf } from '../operations/index.ts'
import { type CardAcquirer, callRail } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'

const acquirerTimeoutMs = 8000

/** Refunds of payments and captures by card. */
export function cardRefundRail(
  acquirer: CardAcquirer,
  wallets: { get(walletId: bigint): Promise<Wallet> },
): RefundRail {
  return {
    async refund({ id: key, walletId, amount, currency }, payment, mayStart) {
      const { name } = await wallets.get(walletId)
      // What took the money: the attempt of a page, or the operation itself.
      const original = payment.attemptId ?? payment.id
      const merchant = { id: walletId, name }
      const request = { key, original, merchant, amount: cents(-amount), currency }
      const ask = (signal: AbortSignal) => acquirer.refund(request, signal)
      return railAnswerOf(await callRail(ask, acquirerTimeoutMs, mayStart))
    },
    async inquire({ id }) {
      return railAnswerOf(await callRail(() => acquirer.inquire(id), acquirerTimeoutMs))
    },
  }
}
