// Keeping what operations are searched by behind them: a worker takes changes over, and who searches does not wait for it.
import { setTimeout as pause } from 'node:timers/promises'
import { createBatchWorker, type Database, type Worker } from '../../storage/index.ts'
import { hasChanged, takeOverChanges } from './take-over-sql.ts'

/**
 * How long changes are gathered, unless a whole batch waits: most payments are written twice within a moment, and are
 * taken over once, as they are then.
 */
const pollMs = 1000
/** How many operations are taken over in one statement: in some tenths of a second, for which the embedded database does nothing else. */
const operationsMax = 2000
/** As many times a search takes over itself, so that it finds what was made just now, and is answered all the same. */
const roundsOfSearchMax = 3
/** How long, and how many times, a search waits for another one, or for the worker, that is taking over. */
const busyMs = 20
const busyMax = 10

/** Takes over what was changed; embedded or not, one process does it at a time. */
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

/** Has a search see what was committed before it, unless very much was, or others take long over it. */
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
