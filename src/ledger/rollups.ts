// Rolling balances up, now and then: reading one costs the postings since, and not those of all years.
import { createWorker, type Database, type Worker } from '../storage/index.ts'
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

  return createWorker<bigint>({
    name: 'balance roll-ups',
    database,
    pollMs,
    concurrency: 1,
    async claim() {
      if ((await countBacklog(database)) <= backlog) return []
      try {
        const upto = await findFinalPosting(database)
        return upto > doneUpto ? [upto] : []
      } catch (error) {
        // Somebody writes for long, or the table is being vacuumed: the next time is as good.
        if ((error as { code?: string }).code === lockNotAvailable) return []
        throw error
      }
    },
    async work(upto) {
      await rollUp(database, upto)
      doneUpto = upto
    },
    onError,
  })
}
