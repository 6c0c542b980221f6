// Payments by phone whose customer or network has not said: asked about until they have, at the latest at their end.
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { MobilePaymentsDeps } from './deps.ts'
import type { MobilePayment } from './model.ts'
import { inquire } from './paying/conclude.ts'
import { claimDuePayments } from './store.ts'

const pollMs = 1000
const concurrency = 16
/** Longer than a call to the network may take. */
const leaseSeconds = 30

export function createPaymentResolver(deps: MobilePaymentsDeps): Worker {
  const { database, clock } = deps
  return createWorker<MobilePayment>({
    name: 'mobile payments',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimDuePayments(database, now, after(now, leaseSeconds * second), limit)
    },
    work: (payment) => inquire(deps, payment),
    onError: deps.onError,
  })
}
