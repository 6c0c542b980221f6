// What happens later: charges are processed, and subscriptions whose last day is over expire.
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import { expireEnded } from './deciding-store.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { createProcessCharge } from './process.ts'
import { type ClaimedCharge, claimDueCharges } from './processing-store.ts'

const pollMs = 500
/** As many as share the statements of grouped writes well. */
const chargesAtOnce = 128
/** Longer than a rail may take twice: asked what it did, then asked to do it. */
const chargeLeaseSeconds = 30

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
      return claimDueCharges(database, now, after(now, chargeLeaseSeconds * second), limit)
    },
    work: createProcessCharge(deps),
    onError: deps.onError,
  })
}

const endPollMs = 1000
const endsPerStatementMax = 500

/** Expires subscriptions. Nobody is told: the end was told when the subscription was approved. */
export function createEndWorker({ database, clock, onError }: SubscriptionsDeps): Worker {
  return createWorker<undefined>({
    name: 'subscription ends',
    database,
    pollMs: endPollMs,
    concurrency: endsPerStatementMax,
    claim: async (limit) => Array(await expireEnded(database, clock.now(), limit)).fill(undefined),
    work: async () => undefined,
    onError,
  })
}
