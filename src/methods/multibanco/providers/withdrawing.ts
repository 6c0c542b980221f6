// The worker that withdraws lost references of providers.
import { after, second } from '../../../kernel/time.ts'
import { createWorker, type Worker } from '../../../storage/index.ts'
import type { MultibancoDeps } from '../deps.ts'
import { claimAbandonedRequests, markRequestsWithdrawn } from './requests-store.ts'

const pollMs = 10_000
const concurrency = 50
const leaseSeconds = 30

export function createWithdrawing({
  database,
  clock,
  networks,
  onError,
}: Pick<MultibancoDeps, 'database' | 'clock' | 'networks' | 'onError'>): Worker {
  return createWorker({
    name: 'reference requests',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimAbandonedRequests(database, now, after(now, leaseSeconds * second), limit)
    },
    async work(id) {
      await networks.made.withdraw([id])
      await markRequestsWithdrawn(database, [id])
    },
    onError,
  })
}
