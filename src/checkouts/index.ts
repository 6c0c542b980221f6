// The entry point of hosted checkouts.
import type { App } from '../http/index.ts'
import type { Module } from '../module.ts'
import { checkoutChecks } from './audit.ts'
import type { CheckoutPagesDeps, CheckoutsDeps } from './deps.ts'
import { createExpiry } from './jobs.ts'
import { linkPageRoutes } from './links/page-routes.ts'
import { linkRoutes } from './links/routes.ts'
import { checkoutPageRoutes } from './page-routes/checkout-routes.ts'
import { subscriptionPageRoutes } from './page-routes/subscription-routes.ts'
import { checkoutRoutes } from './routes.ts'

export type { CheckoutsDeps } from './deps.ts'
export { findLink } from './links/store.ts'
export { createRefusalPages } from './page-routes/refusal-pages.ts'
export { findCheckout, findCheckoutForCustomer } from './store.ts'
export { subjectOf } from './subject-rules.ts'

export function createCheckouts(deps: CheckoutsDeps) {
  const routes = [checkoutRoutes(deps), linkRoutes(deps)]
  return {
    routes(app: App) {
      for (const register of routes) register(app)
    },
    workers: { checkouts: createExpiry(deps) },
    checks: checkoutChecks,
  } satisfies Module
}

/** The hosted pages. */
export function createCheckoutPages(deps: CheckoutPagesDeps): (app: App) => void {
  const routes = [checkoutPageRoutes(deps), subscriptionPageRoutes(deps), linkPageRoutes(deps)]
  return (app) => {
    for (const register of routes) register(app)
  }
}
