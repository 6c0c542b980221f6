// Accepting a subscription by WALLET: e-mail and PIN on the page, and nothing leaves the balance yet.
import type { Balances } from '../../balances/index.ts'
import type { CheckoutsDeps } from '../deps.ts'
import { logInRefused, readLogIn } from '../methods/log-in.ts'
import type { WayToSubscribe } from '../methods/method.ts'

/** The way to accept a subscription whose charges a consumer's balance pays. */
export function balanceSubscribing(
  deps: Pick<CheckoutsDeps, 'database' | 'clock' | 'subscriptions'>,
  balances: Pick<Balances, 'consumerOf'>,
): WayToSubscribe {
  return {
    async start(visit, form) {
      const { checkout, locale } = visit
      const logIn = await readLogIn(deps, visit, form)
      if (logIn.kind === 'wrong_fields') return logIn
      const known = await balances.consumerOf(logIn.consumer)
      if (!known.ok) return logInRefused(known.refusal, locale, form)
      const accepted = await deps.subscriptions.acceptFromBalance(checkout.subscription, known.value)
      return { kind: accepted ? 'started' : 'too_late' }
    },

    // Whoever is here has accepted nothing: what is accepted is over.
    standing: async () => ({ kind: 'open' }),
  }
}
