// Vacuum, analyze and checkpoints for the embedded database, which has no background processes.
import { type Executor, statement } from '../database.ts'
import { bytesPerMebibyte } from './free-space.ts'

/** The thresholds of autovacuum. The planner takes a table without statistics for nearly empty. */
const findNeedy = statement<{ name: string; is_bloated: boolean }>(`
  select format('%I.%I', schemaname, relname) as name, n_dead_tup > 1000 + 0.1 * n_live_tup as is_bloated
  from pg_stat_user_tables
  where n_dead_tup > 1000 + 0.1 * n_live_tup or n_mod_since_analyze > 1000 + 0.2 * n_live_tup
  order by greatest(n_dead_tup, n_mod_since_analyze) desc
  limit 1`)

/** Without this statement the counts would appear a second late. */
const writeCounts = statement('select pg_stat_force_next_flush()')

/** A checkpoint follows when the log reaches this size, so recovery after a crash is short. */
const logBytesMax = 64 * bytesPerMebibyte

const measureLog = statement<{ is_long: boolean }>(`
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${logBytesMax} as is_long from pg_control_checkpoint()`)
const checkpoint = statement('checkpoint')

export interface Vacuuming {
  stop(): Promise<void>
}

export function startVacuuming(db: Pick<Executor, 'run'>, everyMs: number): Vacuuming {
  let stopped = false
  let round = Promise.resolve()
  let timer = setTimeout(next, everyMs).unref()

  function next(): void {
    // A failure does no harm, because the next round tries again. Most likely the disk is full.
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
