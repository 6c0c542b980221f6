// The entry point of hosted checkouts.
import type { App } from '../http/index.ts'
import type { Module } from '../module.ts'
import type { Executor } from '../storage/index.ts'
import { checkoutChecks } from './audit.ts'
import { prepareCheckout } from './create.ts'
import type { CheckoutPagesDeps, CheckoutsDeps } from './deps.ts'
import { createExpiry, voidCheckout } from './end.ts'
import type { Checkout, CheckoutDraft } from './model.ts'
import { checkoutPageRoutes } from './page-routes/checkout-routes.ts'
import { embedScriptRoute } from './page-routes/embed-script.ts'
import { subscriptionPageRoutes } from './page-routes/subscription-routes.ts'
import { checkoutRoutes } from './routes.ts'
import { insertCheckouts } from './store.ts'

export type { BackTo, CheckoutsDeps } from './deps.ts'
export type { CheckoutDraft, CheckoutMethodCode, RequiredFields } from './model.ts'
export { createRefusalPages } from './page-routes/refusal-pages.ts'
export { offeredMethods, subjectOf } from './rules.ts'
export { type ReadContext, requiredFieldsSchema } from './schemas.ts'
export { findCheckout, findCheckoutForCustomer } from './store.ts'

export type Checkouts = ReturnType<typeof createCheckouts>

export function createCheckouts(deps: CheckoutsDeps) {
  const module = {
    routes: checkoutRoutes(deps),
    workers: { checkouts: createExpiry(deps) },
    checks: checkoutChecks,
  } satisfies Module
  return {
    ...module,
    /** Opens the checkout of a payment link, which no merchant's request asked for. Returns its id. */
    async open(tx: Executor, draft: CheckoutDraft, walletId: bigint): Promise<string> {
      const { row } = prepareCheckout(deps.core, draft, walletId)
      await insertCheckouts(tx, [row])
      return row.id
    },
    void: (checkout: Checkout) => voidCheckout(deps, checkout),
  }
}

export function createCheckoutPages(deps: CheckoutPagesDeps): (app: App) => void {
  const routes = [
    checkoutPageRoutes(deps),
    subscriptionPageRoutes(deps),
    embedScriptRoute(deps.core.manifestPath),
  ]
  return (app) => {
    for (const register of routes) register(app)
  }
}
