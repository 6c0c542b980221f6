// What happens later: charges are processed, and subscriptions whose last day is over expire.
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import { createProcessCharge } from './charging/process.ts'
import { type ClaimedCharge, claimDueCharges } from './charging/processing-store.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { dropPermission } from './end.ts'
import type { Subscription } from './model.ts'
import { expireEnded } from './transitions-store.ts'

const pollMs = 500
/** Longer than it takes to open a payment. */
const leaseMs = 30 * second
/** As many as share the statements of grouped writes well. */
const chargesAtOnce = 128

/** Works charges that are due; several processes share them. */
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
/** Each may take a call to the mobile wallet. */
const endsPerStatementMax = 100

/** Expires subscriptions, without an event: the end was in the event of their approval. */
export function createEndWorker(deps: SubscriptionsDeps): Worker {
  const { database, clock, onError } = deps
  return createWorker<Subscription>({
    name: 'subscription ends',
    database,
    pollMs: endPollMs,
    concurrency: endsPerStatementMax,
    claim: (limit) => expireEnded(database, clock.now(), limit),
    work: async (expired) => {
      // A mandate with the same last day ends by itself.
      if (expired.endDate === expired.askedEndDate) await dropPermission(deps, expired)
    },
    onError,
  })
}
