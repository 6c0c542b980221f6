// CC: payment cards, on pages, by the card API, and stored.
import type { App } from '../../http/index.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { PaymentMethod } from '../method.ts'
import { securePageRoutes } from './api/page-routes.ts'
import { cardPaymentRoutes } from './api/routes.ts'
import { createOpenCardPayment } from './api/store.ts'
import { createCardAttempts } from './attempts/attempts.ts'
import { cardChecks } from './audit.ts'
import type { CardsContext, CardsDeps } from './deps.ts'
import { cards } from './facts.ts'
import { createKeptCards } from './kept-card.ts'
import { cardPage, cardPageRoutes } from './page.ts'
import { cardRail, createCardCharging } from './rail.ts'
import { createSavedCards, type SavedCards } from './saved-cards.ts'
import { checkoutSubject, paymentSubject, storingSubject } from './subjects.ts'
import { subscriptionSubject } from './subscribing.ts'
import { cardSecrets, createVault, type StoredCard } from './vault/index.ts'

export { findStoring } from './api/store.ts'
export {
  type CardCursor,
  type ListedCard,
  listCards,
} from './vault/index.ts'

export interface Cards extends PaymentMethod {
  readonly routes: (app: App) => void
  deleteCard(walletId: bigint, token: string): Promise<Result<StoredCard>>
  readonly savedCards: SavedCards
}

export function createCards(deps: CardsDeps): Cards {
  const { core, wallets, operations, callbacks, rails, fields, subscriptions } = deps
  const { acquirer, threeDSecure, simulated } = rails
  const vault = createVault(core)
  const context: CardsContext = { ...deps, vault }
  const attempts = createCardAttempts({
    ...{ core, wallets, acquirer, threeDSecure, vault },
    subjects: {
      checkout: checkoutSubject(context),
      card_api: paymentSubject(context),
      card_store: storingSubject(context),
      subscription: subscriptionSubject(context),
    },
  })
  const savedCards = createSavedCards({ ...core, vault })
  const page = cardPage({ clock: core.clock, attempts, keptCards: createKeptCards(core), savedCards, vault })
  const openPayment = createOpenCardPayment(core.database)
  const api = cardPaymentRoutes(
    { core, wallets, operations, vault, fields, acquirer, attempts, openPayment },
    deleteStored,
  )

  async function deleteStored({ walletId, token }: StoredCard): Promise<void> {
    const wallet = await wallets.get(walletId)
    await core.database.transaction(async (tx) => {
      unwrap(await vault.void(walletId, token, tx))
      await subscriptions.voidWithCard(tx, wallet, token)
    })
    callbacks.wake()
  }

  return {
    code: cards.code,
    page,
    pageRoutes: (app, findVisit) => cardPageRoutes({ core, attempts, simulated, wallets }, app, findVisit),
    rail: cardRail(acquirer, wallets),
    recurring: {
      charge: createCardCharging({ vault, acquirer }),
      page,
      async cardOf({ walletId, cardToken }) {
        const stored = cardToken === undefined ? undefined : await vault.find(walletId, cardToken)
        return stored && vault.cardOnWire(stored, core.clock.now())
      },
    },
    attempts: attempts.engine,
    routes(app) {
      attempts.routes(app)
      api(app)
      securePageRoutes(deps, attempts)(app)
    },
    async deleteCard(walletId, token) {
      const stored = await vault.find(walletId, token)
      if (stored === undefined || stored.keptFor === 'customer')
        return refuse('not_found', 'there is no card with that token')
      await deleteStored(stored)
      return ok(stored)
    },
    savedCards,
    checks: cardChecks,
    secrets: cardSecrets,
    notices: { card: attempts.onNotice },
    start: attempts.listen,
    stop: attempts.settled,
  }
}
