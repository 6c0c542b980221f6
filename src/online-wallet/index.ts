// The entry point of payments from a third party's online wallet.
import type { Worker } from '../storage/index.ts'
import type { OnlineWalletDeps } from './deps.ts'
import { goOn } from './go-on.ts'
import { createResolver } from './jobs.ts'
import type { WalletAttempt } from './model.ts'
import { type NewWalletAttempt, startAttempt, type WalletStarted } from './start.ts'
import { findAttemptByKey } from './store.ts'

export { onlineWalletChecks } from './audit.ts'
export type { OnlineWalletDeps } from './deps.ts'
export type { WalletAttempt } from './model.ts'
export { onlineWalletHandler } from './refund.ts'

export interface OnlineWalletPayments {
  start(attempt: NewWalletAttempt): Promise<WalletStarted>
  /**
   * Asks the wallet about the order of this key and does what is next; answers the attempt as it then stands.
   * Anybody may bring the news: what happened is asked of the wallet.
   */
  onNotice(key: string): Promise<WalletAttempt | undefined>
  readonly resolver: Worker
}

export function createOnlineWalletPayments(deps: OnlineWalletDeps): OnlineWalletPayments {
  return {
    start: (attempt) => startAttempt(deps, attempt),
    async onNotice(key) {
      const attempt = await findAttemptByKey(deps.database, key)
      if (attempt === undefined) return undefined
      await goOn(deps, attempt)
      return findAttemptByKey(deps.database, key)
    },
    resolver: createResolver(deps),
  }
}
