// Accepting a subscription by WALLET: e-mail and PIN on the page, and nothing leaves the balance yet.
import type { Balances } from '../../balances/index.ts'
import type { CheckoutsDeps } from '../deps.ts'
import { logInRefused, readLogIn } from '../methods/log-in.ts'
import type { SubscriptionMethod } from '../methods/payment-method.ts'

/** Accepting a subscription that is charged to a consumer's balance. */
export function balanceSubscriptionMethod(
  deps: Pick<CheckoutsDeps, 'database' | 'clock' | 'subscriptions'>,
  balances: Pick<Balances, 'consumerOf'>,
): SubscriptionMethod {
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

    // An accepted checkout is over, so nothing was accepted here.
    state: async () => ({ kind: 'open' }),
  }
}
