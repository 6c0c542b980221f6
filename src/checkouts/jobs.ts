// Expiry of checkouts.
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { CheckoutsDeps } from './deps.ts'
import { failCheckout } from './end.ts'
import { claimOverdueCheckouts, findCheckout, forgetSettledTimers } from './store.ts'

const pollMs = 1000
const concurrency = 32
/** Also the retry interval while a payment is being decided. */
const leaseSeconds = 30
const settledTimersPerStatementMax = 1000

export function createExpiry(deps: CheckoutsDeps): Worker {
  const { database, clock, onError } = deps.core
  return createWorker<{ id: string; wallet_id: bigint }>({
    name: 'checkout expiry',
    database,
    pollMs,
    concurrency,
    async claim(limit) {
      const now = clock.now()
      while ((await forgetSettledTimers(database, now, settledTimersPerStatementMax)) > 0);
      return claimOverdueCheckouts(database, now, after(now, leaseSeconds * second), limit)
    },
    async work({ id, wallet_id: walletId }) {
      const checkout = await findCheckout(database, walletId, id)
      if (checkout !== undefined) await failCheckout(deps, checkout, 'expired')
    },
    onError,
  })
}
