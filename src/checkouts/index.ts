// The entry point of hosted checkouts.
import type { CardSubject } from '../cards/index.ts'
import type { App } from '../http/index.ts'
import type { Worker } from '../storage/index.ts'
import type { CheckoutPagesDeps, CheckoutsDeps } from './deps.ts'
import { createExpiry } from './jobs.ts'
import { linkPageRoutes } from './links/page-routes.ts'
import { linkRoutes } from './links/routes.ts'
import { checkoutCardSubject } from './methods/card-subject.ts'
import { checkoutPageRoutes } from './page-routes/checkout-routes.ts'
import { securePageRoutes } from './page-routes/secure-routes.ts'
import { subscriptionPageRoutes } from './page-routes/subscription-routes.ts'
import { checkoutRoutes } from './routes.ts'

export { checkoutChecks } from './audit.ts'
export type { CheckoutsDeps } from './deps.ts'
export { findLink } from './links/store.ts'
export { createRefusalPages } from './page-routes/refusal-pages.ts'
export { findCheckout, findCheckoutForCustomer } from './store.ts'
export { subjectOf } from './subject-rules.ts'

export interface Checkouts {
  readonly routes: (app: App) => void
  readonly cardSubject: CardSubject
  readonly expiry: Worker
}

export function createCheckouts(deps: CheckoutsDeps): Checkouts {
  const routes = [checkoutRoutes(deps), linkRoutes(deps)]
  return {
    routes(app) {
      for (const register of routes) register(app)
    },
    cardSubject: checkoutCardSubject(deps),
    expiry: createExpiry(deps),
  }
}

/** The hosted pages, and the redirect to an issuer and back. */
export function createCheckoutPages(deps: CheckoutPagesDeps): (app: App) => void {
  const routes = [
    checkoutPageRoutes(deps),
    securePageRoutes(deps),
    subscriptionPageRoutes(deps),
    linkPageRoutes(deps),
  ]
  return (app) => {
    for (const register of routes) register(app)
  }
}
