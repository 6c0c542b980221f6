// Acceptance of a subscription by card, which the vault stores.
import { recordEvents } from '../../callbacks/index.ts'
import { newId, randomId } from '../../kernel/random.ts'
import type { Executor } from '../../storage/index.ts'
import {
  approveAcceptance,
  beginAcceptance,
  chooseAcceptance,
  endAcceptance,
  endNoLaterThan,
  findSubscription,
  keepCredential,
  lastDayOfCard,
  lockUndecided,
  type Subscription,
  subscriptionEvent,
} from '../../subscriptions/index.ts'
import type { CardsContext } from './deps.ts'
import type { CardAttempt, CardPurpose } from './model.ts'
import { openCardOf, type Vault } from './vault/index.ts'

export async function keepCardFor(
  deps: Pick<CardsContext, 'core' | 'vault'>,
  subscriptionId: string,
  attempt: CardAttempt,
): Promise<void> {
  const { database } = deps.core
  const subscription = await findSubscription(database, attempt.walletId, subscriptionId)
  if (subscription?.status !== 'NEW') return
  await database.transaction((tx) => keepCard(deps, tx, subscription, attempt))
}

/**
 * Stores the card for this subscription only; its expiry can shorten the subscription. A repetition keeps the token.
 * False if the subscription is not open any more.
 */
async function keepCard(
  { core, vault }: Pick<CardsContext, 'core' | 'vault'>,
  tx: Executor,
  { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
  attempt: CardAttempt,
): Promise<boolean> {
  if (!(await lockUndecided(tx, { walletId, id }))) return false
  const subscription = await findSubscription(tx, walletId, id)
  if (subscription === undefined) return false
  const { authentication, card: summary } = attempt.details
  if (summary === undefined) throw new Error(`attempt ${attempt.key} has no card to keep`)
  const card = openCardOf(core.keyring, attempt)
  const token = (await tokenOf(vault, tx, subscription)) ?? randomId(core.random)
  const proposed = { walletId, token, keptFor: 'subscription', card, authentication, verified: true } as const
  const { token: cardToken } = await vault.store(tx, proposed)
  const endDate = endNoLaterThan(subscription, lastDayOfCard(card.expiry))
  const credential = { method: attempt.method, card: summary, cardToken, endDate }
  return keepCredential(tx, subscription, credential, core.clock.now())
}

async function tokenOf(
  vault: Vault,
  tx: Executor,
  { walletId, cardToken }: Subscription,
): Promise<string | undefined> {
  const stored = cardToken === undefined ? undefined : await vault.find(walletId, cardToken, tx)
  return stored?.keptFor === 'subscription' && stored.voidedAt === undefined ? stored.token : undefined
}

export function subscriptionSubject(deps: CardsContext): CardPurpose {
  const { core, wallets, callbacks } = deps
  const { database, clock, random, baseUrl } = core
  const referenceOf = ({ walletId, operationId: subscriptionId, key: attemptId }: CardAttempt) => ({
    walletId,
    subscriptionId,
    attemptId,
  })

  async function subscriptionOf({ walletId, operationId, key }: CardAttempt): Promise<Subscription> {
    const subscription = await findSubscription(database, walletId, operationId)
    if (subscription === undefined) throw new Error(`attempt ${key} is about no subscription`)
    return subscription
  }

  return {
    choose: (tx, attempt) => chooseAcceptance(tx, referenceOf(attempt), attempt.method, clock.now()),
    begin: (tx, attempt) => beginAcceptance(tx, referenceOf(attempt), clock.now()),
    async approved(attempt) {
      const subscription = await subscriptionOf(attempt)
      if (subscription.status !== 'NEW') return 'paid'
      const wallet = await wallets.get(attempt.walletId)
      await database.transaction(async (tx) => {
        if (!(await keepCard(deps, tx, subscription, attempt))) return
        const at = clock.now()
        const approved = await approveAcceptance(tx, referenceOf(attempt), at)
        if (approved === undefined) throw new Error(`subscription ${subscription.id} is not under approval`)
        const details = { id: newId(at, random), wallet, event: 'APPROVED', at } as const
        await recordEvents(tx, [subscriptionEvent(approved, details)])
      })
      callbacks.wake()
      return 'paid'
    },
    async declined(attempt) {
      await endAcceptance(database, referenceOf(attempt), clock.now())
      return true
    },
    async returnUrl(attempt) {
      const { checkoutId = '' } = await subscriptionOf(attempt)
      const language = attempt.details.browser.pageLanguage
      const url = `${baseUrl}/checkout/${checkoutId}`
      return language === undefined ? url : `${url}?lang=${language}`
    },
  }
}
