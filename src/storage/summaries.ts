// Summaries and statistics of BRIN indexes.
import { type Database, statement } from './database.ts'

/** This wait is shorter than the deadlock timeout, after which PostgreSQL would cancel an autovacuum. */
const waitForVacuumMs = 100
const waitBriefly = statement(`select set_config('lock_timeout', '${waitForVacuumMs}ms', true)`)

/** Only existing indexes, because some are built after the start. */
const indexes = '(select to_regclass(name) as name from unnest($1::text[]) as wanted(name)) as index'
const summarize = statement(`select brin_summarize_new_values(name) from ${indexes} where name is not null`)

const bytesMin = 4 * 1024 * 1024

/** Finds tables without statistics, and tables ten times larger than the planner assumes. */
const selectUnknown = statement<{ name: string }>(`
  select format('%s (%s)', tables.oid::regclass, string_agg(format('%I', columns.attname), ', ')) as name
  from ${indexes}
  join pg_index on pg_index.indexrelid = index.name
  join pg_class as tables on tables.oid = pg_index.indrelid
  join pg_attribute as columns on columns.attrelid = tables.oid and columns.attnum = any(pg_index.indkey)
  left join pg_stats as known
    on known.schemaname = tables.relnamespace::regnamespace::name
      and known.tablename = tables.relname and known.attname = columns.attname
  where pg_relation_size(tables.oid) > ${bytesMin}
    and (known.correlation is null
      or pg_relation_size(tables.oid) > 10 * tables.relpages::bigint * current_setting('block_size')::bigint)
  group by tables.oid`)

const lockNotAvailable = '55P03'

/** Without a summary, queries scan the new pages until the next vacuum. Skips a table under vacuum. */
export async function summarizeLastPages(database: Database, names: readonly string[]): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await tx.run(waitBriefly)
      for (const { name } of await tx.run(selectUnknown, [names])) await tx.run(statement(`analyze ${name}`))
      await tx.run(summarize, [names])
    })
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error
  }
}
