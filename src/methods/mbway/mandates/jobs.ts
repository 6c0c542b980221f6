// The worker of mandates: expiry, missed changes, cancellations.
import { after, second } from '../../../kernel/time.ts'
import { createWorker, type Worker } from '../../../storage/index.ts'
import type { MbwayDeps } from '../deps.ts'
import { followMandate } from './changes/follow.ts'
import type { Mandate } from './model.ts'
import { claimDueMandates } from './store.ts'

const pollMs = 1000
const concurrency = 16
const leaseSeconds = 30

export function createMandateWorker(deps: MbwayDeps): Worker {
  const { database, clock } = deps
  return createWorker<Mandate>({
    name: 'mandates',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimDueMandates(database, now, after(now, leaseSeconds * second), limit)
    },
    work: (mandate) => followMandate(deps, mandate),
    onError: deps.onError,
  })
}
