// Merging the counts of operations, for fast totals.
import type { Clock } from '../../kernel/time.ts'
import { createPeriodicWorker, type Database, type Worker } from '../../storage/index.ts'
import { forgetDaysThatAreOver } from '../limits/limits.ts'
import { mergeCounts, vacuumRemoved } from './counts-store.ts'

const pollMs = 5000
/** Rows of one wallet and type; adding up so many takes some ten microseconds. */
const rowsMax = 100

export function createCountMerger({
  database,
  clock,
  onError,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Worker {
  return createPeriodicWorker({
    name: 'operation counts',
    database,
    pollMs,
    async run() {
      const merged = await mergeCounts(database, rowsMax)
      if (merged > 0 && database.kind === 'pglite') await vacuumRemoved(database)
      await forgetDaysThatAreOver({ database, clock })
    },
    onError,
  })
}
