// Rolling balances up, now and then: reading one costs the postings since, and not those of all years.
import { createBatchWorker, type Database, type Worker } from '../storage/index.ts'
import { countBacklog, findFinalPosting, rollUp } from './rollups-store.ts'

const pollMs = 30_000
/** As many postings as are added up in a millisecond or two. */
const backlogMax = 5000n

const lockNotAvailable = '55P03'

/** Rolls balances up once more than `backlog` postings are in none of them. */
export function createRollups({
  database,
  onError,
  backlog = backlogMax,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
  readonly backlog?: bigint
}): Worker {
  /** Numbers may be given to postings that are rolled back: what adds nothing up is done once. */
  let doneUpto = 0n

  async function findUpto(): Promise<bigint | undefined> {
    if ((await countBacklog(database)) <= backlog) return undefined
    try {
      const upto = await findFinalPosting(database)
      return upto > doneUpto ? upto : undefined
    } catch (error) {
      // Somebody writes for long, or the table is being vacuumed: the next time is as good.
      if ((error as { code?: string }).code === lockNotAvailable) return undefined
      throw error
    }
  }

  return createBatchWorker({
    name: 'balance roll-ups',
    database,
    pollMs,
    async runBatch() {
      const upto = await findUpto()
      if (upto === undefined) return false
      await rollUp(database, upto)
      doneUpto = upto
      return true
    },
    onError,
  })
}
