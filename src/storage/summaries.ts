// Indexes by page ranges (BRIN) learn of the last pages.
import { type Database, statement } from './database.ts'

/** Shorter than PostgreSQL looks for deadlocks, when it would end an autovacuum that has the table. */
const waitForVacuumMs = 100
const waitBriefly = statement(`select set_config('lock_timeout', '${waitForVacuumMs}ms', true)`)

const summarize = statement(
  'select brin_summarize_new_values(name) from unnest($1::regclass[]) as index(name)',
)

const lockNotAvailable = '55P03'

/**
 * Has `indexes` know the last pages. Without it these are read whole until the server vacuums the table, which the
 * embedded database never does; where the table is being vacuumed, that does it.
 */
export async function summarizeLastPages(database: Database, indexes: readonly string[]): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await tx.run(waitBriefly)
      await tx.run(summarize, [`{${indexes.join(',')}}`])
    })
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error
  }
}
