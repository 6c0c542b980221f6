// WALLET: payments from a consumer's balance.
import { approvedAtOnce } from '../../operations/for-methods.ts'
import type { PaymentMethod } from '../method.ts'
import { balanceChecks } from './audit.ts'
import { balance } from './facts.ts'
import { balancePage, balanceSubscribing } from './page.ts'
import { type BalanceDeps, balanceRail } from './pay.ts'

export { findPayer } from './store.ts'

export function createBalance(deps: BalanceDeps) {
  return {
    code: balance.code,
    page: balancePage(deps),
    rail: { inquire: approvedAtOnce, refund: approvedAtOnce },
    recurring: { page: balanceSubscribing(deps), charge: balanceRail(deps) },
    checks: balanceChecks,
  } satisfies PaymentMethod
}
