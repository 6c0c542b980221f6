// Deletes handled webhooks and old signatures.
import { after, type Clock, day, hour } from '../kernel/time.ts'
import { createPeriodicWorker, type Database, type Worker } from '../storage/index.ts'
import { dropSignaturesBefore } from './requests/requests-store.ts'
import { deleteHandledBefore } from './webhooks/webhooks-store.ts'

/** Providers (SIBS) repeat a notification for two months at most. A later one only causes an inquiry. */
const webhooksKeptMs = 90 * day
/** Customers have 15 minutes for the next step; the provider's own limit is shorter. */
const signaturesKeptMs = hour

export function createPurge(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Worker {
  const { database, clock, onError } = deps
  return createPeriodicWorker({
    name: 'rail records',
    database,
    pollMs: hour / 4,
    async run() {
      const now = clock.now()
      await deleteHandledBefore(database, after(now, -webhooksKeptMs))
      await dropSignaturesBefore(database, after(now, -signaturesKeptMs))
    },
    onError,
  })
}
