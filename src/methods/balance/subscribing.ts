// Acceptance of a subscription by WALLET.
import { recordEvents } from '../../callbacks/index.ts'
import { newId } from '../../kernel/random.ts'
import { type Subscription, subscriptionEvent } from '../../subscriptions/index.ts'
import type { MethodPage, SubscribingCheckout } from '../method.ts'
import type { BalanceDeps } from './deps.ts'
import { logInRefused, readLogIn } from './log-in.ts'
import { balancePanel } from './panel.ts'
import { approveFromBalance } from './subscriptions-store.ts'

export function balanceSubscribing(deps: BalanceDeps): MethodPage<SubscribingCheckout> {
  return {
    panel: () => balancePanel,
    async start(visit, form) {
      const { checkout, locale } = visit
      const logIn = await readLogIn(visit, form)
      if (logIn.kind === 'wrong_fields') return logIn
      const { email, pin } = logIn.consumer
      const known = await deps.wallets.logInConsumer(email, pin)
      if (!known.ok) return logInRefused(known.refusal, locale, form)
      const accepted = await acceptFromBalance(deps, checkout.subscription, known.value)
      return { kind: accepted ? 'started' : 'too_late' }
    },

    state: async () => ({ kind: 'open' }),
  }
}

async function acceptFromBalance(
  { database, clock, random, wallets, callbacks }: BalanceDeps,
  subscription: Subscription,
  consumerId: bigint,
): Promise<boolean> {
  const wallet = await wallets.get(subscription.walletId)
  const at = clock.now()
  const acceptance = { consumerId, attemptId: newId(at, random) }
  const accepted = await database.transaction(async (tx) => {
    const approved = await approveFromBalance(tx, subscription, acceptance, at)
    if (approved === undefined) return false
    const details = { id: newId(at, random), wallet, event: 'APPROVED', at } as const
    await recordEvents(tx, [subscriptionEvent(approved, details)])
    return true
  })
  if (accepted) callbacks.wake()
  return accepted
}
