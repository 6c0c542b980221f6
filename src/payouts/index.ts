// The entry point of payouts (WALLETFUNDS), by order and by schedule.
import type { Cents } from '../kernel/money.ts'
import type { Result } from '../kernel/result.ts'
import type { Module } from '../module.ts'
import type { Wallet } from '../wallets/index.ts'
import { payoutChecks } from './audit.ts'
import { type Funds, fundsOf, inquireByKey, type Ordered, type PayoutsDeps, payOut } from './payout.ts'
import { payoutRoutes } from './routes.ts'
import { createPayoutSchedules } from './schedule.ts'

export { type Funds, payoutRail, withinPayoutLimit } from './payout.ts'

export interface Payouts extends Module {
  fundsOf(wallet: Wallet): Promise<Funds>
  /** `requestId` is a UUID in lower case. Refusals: those of {@link payOut}. */
  payOut(wallet: Wallet, amount: Cents, requestId?: string | undefined): Promise<Result<Ordered>>
  readonly routes: NonNullable<Module['routes']>
}

export function createPayouts(deps: PayoutsDeps): Payouts {
  return {
    fundsOf: (wallet) => fundsOf(deps, wallet),
    payOut(wallet, amount, requestId) {
      const fingerprint = deps.idempotency.fingerprint(`payout ${amount}`)
      const key = requestId === undefined ? undefined : { requestId, fingerprint }
      return payOut(deps, wallet, { amount, key, channel: 'BACKOFFICE' })
    },
    notices: { bankOrder: (key) => inquireByKey(deps, key) },
    workers: { payouts: createPayoutSchedules(deps) },
    checks: payoutChecks,
    routes: payoutRoutes(deps),
  }
}
