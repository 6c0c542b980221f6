// Merging the counts of operations now and then, so that a list adds up few rows for its total.
import { createPeriodicWorker, type Database, type Worker } from '../../storage/index.ts'
import { mergeCounts, vacuumRemoved } from './counts-store.ts'

const pollMs = 5000
/** Of a wallet and type; as many are added up in some tens of microseconds. */
const rowsMax = 100

export function createCountMerger({
  database,
  onError,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
}): Worker {
  return createPeriodicWorker({
    name: 'operation counts',
    database,
    pollMs,
    async run() {
      const merged = await mergeCounts(database, rowsMax)
      if (merged > 0 && database.kind === 'pglite') await vacuumRemoved(database)
    },
    onError,
  })
}
