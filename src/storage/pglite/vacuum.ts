// Vacuums and analyzes the embedded database, which has no autovacuum: the room of rows that went is used again, and
// statements are planned by what tables hold now. It has no checkpointer either: without one its log would only grow.
import { type Executor, statement } from '../database.ts'
import { bytesPerMebibyte } from './free-space.ts'

/**
 * As autovacuum decides: so many rows that went, or were written since the table was looked at, and a share of those that
 * are there. A table that was never analyzed is planned for as if it held next to nothing.
 */
const findNeedy = statement<{ name: string; is_bloated: boolean }>(`
  select format('%I.%I', schemaname, relname) as name, n_dead_tup > 1000 + 0.1 * n_live_tup as is_bloated
  from pg_stat_user_tables
  where n_dead_tup > 1000 + 0.1 * n_live_tup or n_mod_since_analyze > 1000 + 0.2 * n_live_tup
  order by greatest(n_dead_tup, n_mod_since_analyze) desc
  limit 1`)

/** Counts are written down a second late otherwise, and only while statements come. */
const writeCounts = statement('select pg_stat_force_next_flush()')

/** How much log is written before a checkpoint lets its files be used again; a start after a crash reads no more than that. */
const logBytesMax = 64 * bytesPerMebibyte

const measureLog = statement<{ is_long: boolean }>(`
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${logBytesMax} as is_long from pg_control_checkpoint()`)
const checkpoint = statement('checkpoint')

export interface Vacuuming {
  /** Begins no more, and waits for what is under way. */
  stop(): Promise<void>
}

/** Every `everyMs` vacuums, or analyzes, the one table of `db` that needs it most, if any does, and ends a long log. */
export function startVacuuming(db: Pick<Executor, 'run'>, everyMs: number): Vacuuming {
  let stopped = false
  let round = Promise.resolve()
  let timer = setTimeout(next, everyMs).unref()

  function next(): void {
    // What fails, most likely for want of disk, is tried again: nothing is wrong but the room it takes.
    round = vacuumOne()
      .then(shortenLog)
      .catch(() => undefined)
    void round.then(() => {
      if (!stopped) timer = setTimeout(next, everyMs).unref()
    })
  }

  async function vacuumOne(): Promise<void> {
    await db.run(writeCounts)
    const [needy] = await db.run(findNeedy)
    if (needy === undefined || stopped) return
    await db.run(statement(`${needy.is_bloated ? 'vacuum (analyze)' : 'analyze'} ${needy.name}`))
  }

  async function shortenLog(): Promise<void> {
    const [log] = await db.run(measureLog)
    if (log?.is_long === true && !stopped) await db.run(checkpoint)
  }

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}
