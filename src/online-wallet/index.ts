// The entry point of payments from a third party's online wallet.
import {
  type CustomerEngine,
  createCustomerEngine,
  findAttempt,
  findAttemptByKey,
} from '../operations/index.ts'
import { type WalletAttempt, type WalletDetails, walletAttemptHandler } from './attempt-handler.ts'
import type { OnlineWalletDeps } from './deps.ts'
import { type NewWalletAttempt, startAttempt, type WalletStarted } from './start.ts'

export type { WalletAttempt } from './attempt-handler.ts'
export { onlineWalletChecks } from './audit.ts'
export type { OnlineWalletDeps } from './deps.ts'
export { onlineWalletHandler } from './follow-up-handler.ts'

export interface OnlineWalletPayments {
  start(attempt: NewWalletAttempt): Promise<WalletStarted>
  /**
   * Asks the wallet about the order of this key and does what is next; answers the attempt as it then stands.
   * Anybody may bring the notice: what happened is asked of the wallet.
   */
  onNotice(key: string): Promise<WalletAttempt | undefined>
  readonly engine: CustomerEngine<WalletDetails>
}

export function createOnlineWalletPayments(deps: OnlineWalletDeps): OnlineWalletPayments {
  const { database } = deps
  const engine = createCustomerEngine(deps, walletAttemptHandler(deps))
  return {
    start: (attempt) => startAttempt(deps, engine, attempt),
    async onNotice(key) {
      const attempt = await findAttemptByKey<WalletDetails>(database, 'PAYPAL', key)
      if (attempt === undefined) return undefined
      await engine.advance(attempt)
      return findAttempt<WalletDetails>(database, 'PAYPAL', attempt.walletId, key)
    },
    engine,
  }
}
