// Wires what is done with money over the rails after it was paid or held, by the method it came with.
import { cardHoldRail, phoneHoldRail } from '../authorizations/index.ts'
import { inquirePayout } from '../balances/index.ts'
import { cardHandler, cardRefundRail } from '../card-payments/index.ts'
import { debitRefundRail } from '../direct-debits/index.ts'
import { mobileRefundRail, phoneHandler } from '../mobile-payments/index.ts'
import { onlineWalletRefundRail } from '../online-wallet/index.ts'
import { bankChannel, type Operation, type RailAnswer, railAnswerOf } from '../operations/index.ts'
import { callRail, type Rails } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import type { Wallets } from '../wallets/index.ts'

const inquiryTimeoutMs = 8000

/** How refunds, captures, releases and payouts reach the rails, and are asked about. */
export function composeRails({ database, clock }: Runtime, rails: Rails, wallets: Wallets) {
  const { acquirer, mobileWallet } = rails
  const approved = async () => ({ kind: 'approved' }) as const
  return {
    refundRails: {
      CC: cardRefundRail(acquirer, wallets),
      MBWAY: mobileRefundRail(mobileWallet),
      PAYPAL: onlineWalletRefundRail({ database, rail: rails.onlineWallet }),
      // From one balance to another: our own books are the rail.
      WALLET: { refund: approved, inquire: approved },
      SEPA: debitRefundRail({ database, clock, rail: rails.directDebit }),
    },
    handlers: { CC: cardHandler(acquirer), MBWAY: phoneHandler(mobileWallet) },
    holdRails: { CC: cardHoldRail(acquirer, wallets), MBWAY: phoneHoldRail(mobileWallet) },
    /** Asks the rail of a movement's method what it did. */
    async inquire(operation: Operation): Promise<RailAnswer> {
      const { id, method, type, channel } = operation
      // The gateway decided itself, or the bank reported it: the money has moved, and only our own last step is missing.
      if (method === 'MB' || channel === bankChannel) return { kind: 'approved' }
      if (type === 'WALLETFUNDS') return inquirePayout({ database, rail: rails.creditTransfer }, operation)
      const ask = (signal: AbortSignal) =>
        method === 'MBWAY' ? mobileWallet.inquireMovement(id) : acquirer.inquire(id, signal)
      return railAnswerOf(await callRail<Awaited<ReturnType<typeof ask>>>(ask, inquiryTimeoutMs))
    },
  }
}
