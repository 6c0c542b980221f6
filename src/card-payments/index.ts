// The entry point of the card API: payments by card data or token, and cards on their way into the vault.
import type { App } from '../http/index.ts'
import type { CardPaymentsDeps } from './deps.ts'
import { createOpenCardPayment } from './paying/open-store.ts'
import { cardPaymentRoutes } from './routes.ts'

export { cardPaymentChecks } from './audit.ts'
export type { CardPaymentsDeps, CardSubjectsDeps } from './deps.ts'
export { cardHandler } from './follow-up-handler.ts'
export { paymentSubject, storingSubject } from './paying/subjects.ts'
export { findStoring } from './store.ts'

export interface CardPayments {
  readonly routes: (app: App) => void
}

export function createCardPayments(deps: CardPaymentsDeps): CardPayments {
  return { routes: cardPaymentRoutes({ ...deps, openPayment: createOpenCardPayment(deps.database) }) }
}
