// The entry point of payment links: addresses that open a checkout for each customer.
import type { Module } from '../module.ts'
import type { PaymentLinksDeps } from './deps.ts'
import { linkRoutes } from './routes.ts'

export { linkPageRoutes } from './page-routes.ts'
export { backToLink } from './rules.ts'
export { findLink } from './store.ts'

export function createPaymentLinks(deps: PaymentLinksDeps) {
  return { routes: linkRoutes(deps) } satisfies Module
}
