// Payment of a checkout from a consumer's balance.

import type { MethodPage } from '../method.ts'
import type { BalanceDeps } from './deps.ts'
import { logInRefused, readLogIn, refusedWith } from './log-in.ts'
import { balancePanel } from './panel.ts'
import { payFromBalance } from './pay.ts'
import { keepConsumer } from './subscriptions-store.ts'

export function balancePage(deps: BalanceDeps): MethodPage {
  return {
    panel: () => balancePanel,

    async start(visit, form) {
      const { locale, checkout } = visit
      const { operation, subscription } = checkout
      const logIn = await readLogIn(visit, form)
      if (logIn.kind === 'wrong_fields') return logIn
      const paid = await payFromBalance(deps, operation, logIn.consumer, async (tx, consumerId) => {
        if (subscription !== undefined) await keepConsumer(tx, subscription, consumerId, deps.clock.now())
      })
      if (!paid.ok) return logInRefused(paid.refusal, locale, form)
      if (paid.value === 'insufficient_funds') return refusedWith('notEnough', locale, form)
      return { kind: paid.value === 'paid' ? 'started' : 'too_late' }
    },

    state: async () => ({ kind: 'open' }),
  }
}
