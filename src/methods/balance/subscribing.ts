// Accepting a subscription by WALLET: e-mail and PIN on the page, and nothing leaves the balance yet.

import type { MethodPage, SubscribingCheckout } from '../method.ts'
import type { BalanceDeps } from './deps.ts'
import { logInRefused, readLogIn } from './log-in.ts'
import { balancePanel } from './panel.ts'

/** Accepting a subscription that is charged to a consumer's balance. */
export function balanceSubscribing({ wallets, subscriptions }: BalanceDeps): MethodPage<SubscribingCheckout> {
  return {
    panel: () => balancePanel,
    async start(visit, form) {
      const { checkout, locale } = visit
      const logIn = await readLogIn(visit, form)
      if (logIn.kind === 'wrong_fields') return logIn
      const { email, pin } = logIn.consumer
      const known = await wallets.logInConsumer(email, pin)
      if (!known.ok) return logInRefused(known.refusal, locale, form)
      const accepted = await subscriptions.acceptFromBalance(checkout.subscription, known.value)
      return { kind: accepted ? 'started' : 'too_late' }
    },

    // An accepted checkout is over, so nothing was accepted here.
    state: async () => ({ kind: 'open' }),
  }
}
