// Vacuums the embedded database, which has no autovacuum: the room of rows that went is used again.
import { type Executor, statement } from '../database.ts'

/** As autovacuum decides: so many rows that went, and a share of those that are there. */
const findBloated = statement<{ name: string }>(`
  select format('%I.%I', schemaname, relname) as name
  from pg_stat_user_tables
  where n_dead_tup > 1000 + 0.1 * n_live_tup
  order by n_dead_tup desc
  limit 1`)

/** Counts are written down a second late otherwise, and only while statements come. */
const writeCounts = statement('select pg_stat_force_next_flush()')

export interface Vacuuming {
  /** Begins no more, and waits for what is under way. */
  stop(): Promise<void>
}

/** Every `everyMs` vacuums the one table of `db` that needs it most, if any does. */
export function startVacuuming(db: Pick<Executor, 'run'>, everyMs: number): Vacuuming {
  let stopped = false
  let round = Promise.resolve()
  let timer = setTimeout(next, everyMs).unref()

  function next(): void {
    // What fails, most likely for want of disk, is tried again: nothing is wrong but the room it takes.
    round = vacuumOne().catch(() => undefined)
    void round.then(() => {
      if (!stopped) timer = setTimeout(next, everyMs).unref()
    })
  }

  async function vacuumOne(): Promise<void> {
    await db.run(writeCounts)
    const [bloated] = await db.run(findBloated)
    if (bloated !== undefined && !stopped) await db.run(statement(`vacuum ${bloated.name}`))
  }

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}
