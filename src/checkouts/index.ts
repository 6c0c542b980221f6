// The only door to hosted checkouts.
import type { OwnerOfAttempts } from '../cards/index.ts'
import type { App } from '../http/index.ts'
import type { Worker } from '../storage/index.ts'
import { checkoutCardOwner } from './card-owner.ts'
import type { CheckoutPagesDeps, CheckoutsDeps } from './deps.ts'
import { createExpiry } from './jobs.ts'
import { checkoutPageRoutes } from './page-routes.ts'
import { checkoutRoutes } from './routes.ts'

export interface Checkouts {
  readonly routes: (app: App) => void
  readonly cardOwner: OwnerOfAttempts
  readonly expiry: Worker
}

export function createCheckouts(deps: CheckoutsDeps): Checkouts {
  return { routes: checkoutRoutes(deps), cardOwner: checkoutCardOwner(deps), expiry: createExpiry(deps) }
}

/** The hosted pages, once the cards they are paid with are there. */
export function createCheckoutPages(deps: CheckoutPagesDeps): (app: App) => void {
  return checkoutPageRoutes(deps)
}
