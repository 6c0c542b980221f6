// The resolver: attempts that nobody told of are asked about, and ended once their checkout is over.
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { OnlineWalletDeps } from './deps.ts'
import { goOn } from './go-on.ts'
import type { WalletAttempt } from './model.ts'
import { claimDueAttempts } from './store.ts'

const pollMs = 1000
const concurrency = 16
const leaseSeconds = 30

/** Works attempts whose time has come; several processes share them. */
export function createResolver(deps: OnlineWalletDeps): Worker {
  return createWorker<WalletAttempt>({
    name: 'online wallet attempts',
    database: deps.database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = deps.clock.now()
      return claimDueAttempts(deps.database, now, after(now, leaseSeconds * second), limit)
    },
    work: (attempt) => goOn(deps, attempt),
    onError: deps.onError,
  })
}
