// WALLET: payments from a consumer's balance.
import { approvedAtOnce } from '../../operations/for-methods.ts'
import type { PaymentMethod } from '../method.ts'
import { balanceChecks } from './audit.ts'
import { balanceRail } from './charging.ts'
import type { BalanceDeps } from './deps.ts'
import { balance } from './facts.ts'
import { balancePage } from './page.ts'
import { balanceSubscribing } from './subscribing.ts'

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
