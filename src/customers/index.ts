// The entry point of customers: people with saved cards, which checkouts offer to them.
import type { Module } from '../module.ts'
import { type CustomersDeps, customerRoutes } from './routes.ts'

export type { Customer, PaymentMethod } from './model.ts'
export { findCustomer, lockCustomer } from './store.ts'

export function createCustomers(deps: CustomersDeps) {
  return { routes: customerRoutes(deps) } satisfies Module
}
