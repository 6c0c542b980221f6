// Wires what is done with money over the rails after it was paid or held, by the method it came with.
import { cardHoldRail, phoneHoldRail } from '../authorizations/index.ts'
import { cardLateRail, cardRefundRail } from '../card-payments/index.ts'
import { mobileLateRail, mobileRefundRail } from '../mobile-payments/index.ts'
import type { CardAcquirer, MobileWallet } from '../rails/index.ts'
import type { Wallets } from '../wallets/index.ts'

export function composeRails(acquirer: CardAcquirer, mobileWallet: MobileWallet, wallets: Wallets) {
  return {
    refundRails: { CC: cardRefundRail(acquirer, wallets), MBWAY: mobileRefundRail(mobileWallet) },
    lateRails: { CC: cardLateRail(acquirer), MBWAY: mobileLateRail(mobileWallet) },
    holdRails: { CC: cardHoldRail(acquirer, wallets), MBWAY: phoneHoldRail(mobileWallet) },
  }
}
