// Deletes requests after 30 days (CONTRACT section 5).
import { after, type Clock, day, hour } from '../kernel/time.ts'
import { createPeriodicWorker, type Database, type Worker } from '../storage/index.ts'
import { forgetRequestsBefore } from './store.ts'

export const keptDays = 30

export function createPurge(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Worker {
  const { database, clock, onError } = deps
  return createPeriodicWorker({
    name: 'request ids',
    database,
    pollMs: hour,
    async run() {
      await forgetRequestsBefore(database, after(clock.now(), -keptDays * day))
    },
    onError,
  })
}
