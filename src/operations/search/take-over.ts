// Keeping what operations are searched by behind them: a worker takes changes over, and who searches does not wait for it.
import { createPeriodicWorker, type Database, type Worker } from '../../storage/index.ts'
import { hasChanged, takeOverChanges } from './take-over-sql.ts'

const pollMs = 1000
/** How many writing statements one taking over does away with: up to 500 operations each, mostly one or some tens. */
const statementsMax = 100
/** As many times a search takes over itself, so that it finds what was made just now, and is answered all the same. */
const roundsOfSearchMax = 3

/** Takes over what was changed; embedded or not, one process does it at a time. */
export function createTakeOver({
  database,
  onError,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
}): Worker {
  return createPeriodicWorker({
    name: 'operation search',
    database,
    pollMs,
    async run() {
      while (await hasChanged(database)) await takeOverChanges(database, statementsMax)
    },
    onError,
  })
}

/** Has a search see what was committed before it, unless very much was. */
export async function catchUp(database: Database): Promise<void> {
  for (let round = 0; round < roundsOfSearchMax && (await hasChanged(database)); round++) {
    await takeOverChanges(database, statementsMax)
  }
}
