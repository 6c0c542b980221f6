// The entry point of payouts (WALLETFUNDS): a merchant's money on its way to its IBAN, by order and by schedule.
import type { App } from '../http/index.ts'
import type { Cents } from '../kernel/money.ts'
import type { Result } from '../kernel/result.ts'
import type { Worker } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { PayoutsDeps } from './deps.ts'
import { type Funds, fundsOf, inquireByKey, type Ordered, payOut } from './payout.ts'
import { payoutRoutes } from './routes.ts'
import { createPayoutSchedules } from './schedule.ts'

export { payoutChecks } from './audit.ts'
export { type Funds, payoutRail } from './payout.ts'

export interface Payouts {
  fundsOf(wallet: Wallet): Promise<Funds>
  /** With a request id, which is a UUID in lower case, once. Refusals: see {@link payOut}. */
  payOut(wallet: Wallet, amount: Cents, requestId?: string | undefined): Promise<Result<Ordered>>
  /** Asks the bank about the payout or refund by transfer of this key, if it is one. */
  onNotice(key: string): Promise<void>
  /** Orders payouts when they are due by schedule. */
  readonly schedules: Worker
  readonly routes: (app: App) => void
}

export function createPayouts(deps: PayoutsDeps): Payouts {
  return {
    fundsOf: (wallet) => fundsOf(deps, wallet),
    payOut(wallet, amount, requestId) {
      const fingerprint = deps.idempotency.fingerprint(`payout ${amount}`)
      const key = requestId === undefined ? undefined : { requestId, fingerprint }
      return payOut(deps, wallet, { amount, key, channel: 'BACKOFFICE' })
    },
    onNotice: (key) => inquireByKey(deps, key),
    schedules: createPayoutSchedules(deps),
    routes: payoutRoutes(deps),
  }
}
