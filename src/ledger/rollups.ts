// Rolling up balances, so that reads add up only new postings.
import { createBatchWorker, type Database, type Worker } from '../storage/index.ts'
import { countBacklog, findFinalPosting, rollUp } from './rollups-store.ts'

const pollMs = 30_000
/** Adding up so many takes a millisecond or two. */
const backlogMax = 5000n

const lockNotAvailable = '55P03'

/** Rolls up once more than `backlog` postings are new. */
export function createRollups({
  database,
  onError,
  backlog = backlogMax,
}: {
  readonly database: Database
  readonly onError: (error: unknown) => void
  readonly backlog?: bigint
}): Worker {
  /** Ids of rolled-back postings add nothing: one run is enough. */
  let doneUpto = 0n

  async function findUpto(): Promise<bigint | undefined> {
    if ((await countBacklog(database)) <= backlog) return undefined
    try {
      const upto = await findFinalPosting(database)
      return upto > doneUpto ? upto : undefined
    } catch (error) {
      // A long write or a vacuum is in progress: the next run is as good.
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
