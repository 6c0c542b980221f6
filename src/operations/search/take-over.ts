// The worker that keeps the search index current.
import { setTimeout as pause } from 'node:timers/promises'
import { createBatchWorker, type Database, type Worker } from '../../storage/index.ts'
import { hasChanged, takeOverChanges } from './take-over-sql.ts'

/** Most payments are written twice within a moment, so changes are gathered for this long. */
const pollMs = 1000
/** Takes some tenths of a second, in which the embedded database does nothing else. */
const operationsMax = 2000
/** A search indexes the newest changes, but only so many batches. */
const roundsOfSearchMax = 3
/** Wait of a search for the process that is indexing. */
const busyMs = 20
const busyMax = 10

export function createTakeOver({
  database,
  onError,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
}): Worker {
  return createBatchWorker({
    name: 'operation search',
    database,
    pollMs,
    runBatch: async () =>
      (await hasChanged(database)) && (await takeOverChanges(database, operationsMax)) === 'full',
    onError,
  })
}

/** Lets a search see everything committed before it, unless that takes too long. */
export async function catchUp(database: Database): Promise<void> {
  let [rounds, busy] = [0, 0]
  while (rounds < roundsOfSearchMax && busy < busyMax && (await hasChanged(database))) {
    if ((await takeOverChanges(database, operationsMax)) !== 'busy') rounds++
    else {
      busy++
      await pause(busyMs)
    }
  }
}
