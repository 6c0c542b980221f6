// The entry point of the card API: payments by card data or token, and cards on their way into the vault.
import type { StoredCard } from '../cards/index.ts'
import type { App } from '../http/index.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { CardPaymentsDeps } from './deps.ts'
import { createOpenCardPayment } from './paying/open-store.ts'
import { cardPaymentRoutes } from './routes.ts'
import { deleteCard } from './stored-cards/delete-card.ts'

export { cardPaymentChecks } from './audit.ts'
export type { CardPaymentsDeps, CardSubjectsDeps } from './deps.ts'
export { cardHandler } from './follow-up-handler.ts'
export { paymentSubject, storingSubject } from './paying/subjects.ts'
export { findStoring } from './store.ts'

export interface CardPayments {
  /**
   * Deletes a stored card of the wallet, and ends the subscriptions on it. Answers the card as it was. Refusals:
   * not_found.
   */
  deleteCard(walletId: bigint, token: string): Promise<Result<StoredCard>>
  readonly routes: (app: App) => void
}

export function createCardPayments(deps: CardPaymentsDeps): CardPayments {
  return {
    async deleteCard(walletId, token) {
      const stored = await deps.vault.find(walletId, token)
      if (stored === undefined) return refuse('not_found', 'there is no card with that token')
      await deleteCard(deps, stored)
      return ok(stored)
    },
    routes: cardPaymentRoutes({ ...deps, openPayment: createOpenCardPayment(deps.database) }),
  }
}
