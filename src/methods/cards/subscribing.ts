// Acceptance of a subscription by card, which the vault stores.
import { randomId } from '../../kernel/random.ts'
import type { Executor } from '../../storage/index.ts'
import {
  acceptancePurpose,
  endNoLaterThan,
  findSubscription,
  keepCredential,
  lastDayOfCard,
  lockUndecided,
  type Subscription,
  subscriptionOfAttempt,
} from '../../subscriptions/index.ts'
import type { CardsContext } from './deps.ts'
import type { CardAttempt, CardAttemptDetails, CardPurpose } from './model.ts'
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
 * Stores the card for this subscription only; its expiry can shorten the subscription. A repeated call keeps
 * the token. Returns false if the subscription is no longer open.
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
  return {
    ...acceptancePurpose<CardAttemptDetails>({ ...core, wallets, callbacks }, (tx, subscription, attempt) =>
      keepCard(deps, tx, subscription, attempt),
    ),
    async returnUrl(attempt) {
      const { checkoutId = '' } = await subscriptionOfAttempt(core, attempt)
      const language = attempt.details.browser.pageLanguage
      const url = `${core.baseUrl}/checkout/${checkoutId}`
      return language === undefined ? url : `${url}?lang=${language}`
    },
  }
}
