// PAYPAL: a PayPal account.
import {
  type CustomerEngine,
  createCustomerEngine,
  findAttempt,
  findAttemptByKey,
} from '../../operations/for-methods.ts'
import type { PaymentMethod } from '../method.ts'
import { accountCharges, followAccount } from './accounts.ts'
import { walletAttemptHandler } from './attempts.ts'
import { paypalChecks } from './audit.ts'
import { paypal } from './facts.ts'
import type { PaypalDeps, WalletAttempt, WalletDetails } from './model.ts'
import { paypalPage } from './page.ts'
import { paypalRail } from './rail.ts'

export function createPaypal(deps: PaypalDeps) {
  const { database } = deps
  const engine: CustomerEngine<WalletDetails> = createCustomerEngine(deps, walletAttemptHandler(deps))

  async function follow(key: string): Promise<WalletAttempt | undefined> {
    const attempt = await findAttemptByKey<WalletDetails>(database, paypal.code, key)
    if (attempt === undefined) return undefined
    await engine.advance(attempt)
    await followAccount(deps, attempt)
    return findAttempt<WalletDetails>(database, paypal.code, attempt.walletId, key)
  }

  const page = paypalPage(deps, engine, follow)
  return {
    code: paypal.code,
    page,
    rail: paypalRail(deps),
    recurring: { page, ...accountCharges(deps) },
    attempts: engine,
    notices: { onlineWallet: async (key: string) => (await follow(key)) !== undefined },
    checks: paypalChecks,
  } satisfies PaymentMethod
}
