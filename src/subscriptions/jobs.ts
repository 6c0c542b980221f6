// Workers: charges are processed, subscriptions expire.
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import { type ClaimedCharge, claimDueCharges, createProcessCharge } from './charging/process.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { dropPermission } from './end.ts'
import type { Subscription } from './model.ts'
import { expireEnded } from './transitions-store.ts'

const pollMs = 500
/** The lease is longer than a payment takes to open. */
const leaseMs = 30 * second
/** Enough to fill a batched write. */
const chargesAtOnce = 128

export function createChargeWorker(deps: SubscriptionsDeps): Worker {
  const { database, clock } = deps
  return createWorker<ClaimedCharge>({
    name: 'charges',
    database,
    pollMs,
    concurrency: chargesAtOnce,
    claim: (limit) => {
      const now = clock.now()
      return claimDueCharges(database, now, after(now, leaseMs), limit)
    },
    work: createProcessCharge(deps),
    onError: deps.onError,
  })
}

const endPollMs = 1000
/** Each ending may call the mobile wallet. */
const endsPerStatementMax = 100

/** Sends no event when a subscription ends, because the approval's event already had the end. */
export function createEndWorker(deps: SubscriptionsDeps): Worker {
  const { database, clock, onError } = deps
  return createWorker<Subscription>({
    name: 'subscription ends',
    database,
    pollMs: endPollMs,
    concurrency: endsPerStatementMax,
    claim: (limit) => expireEnded(database, clock.now(), limit),
    work: async (expired) => {
      // A mandate that ends on the same day expires at the network without a call.
      if (expired.endDate === expired.askedEndDate) await dropPermission(deps, expired)
    },
    onError,
  })
}
