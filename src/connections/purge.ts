// Forgets what connections do not need any more: handled webhooks, and signatures of steps that are long over.
import { after, type Clock, day, hour } from '../kernel/time.ts'
import { createPeriodicWorker, type Database, type Worker } from '../storage/index.ts'
import { dropSignaturesBefore } from './requests/requests-store.ts'
import { deleteHandledBefore } from './webhooks/webhooks-store.ts'

/**
 * Providers repeat a notification for two months at most (SIBS). One that came after that would be handled as a new one,
 * which asks the rail what happened and changes nothing.
 */
const webhooksKeptMs = 90 * day
/**
 * A signature authorizes the next step of a payment. Customers have 15 minutes for it, and the provider's own limit is
 * shorter; what is inquired about later needs none.
 */
const signaturesKeptMs = hour

/** Looks several times an hour; several processes may, for forgetting twice does nothing. */
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
