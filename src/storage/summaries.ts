// Indexes by page ranges (BRIN) learn of the last pages, and the planner learns that they are worth using.
import { type Database, statement } from './database.ts'

/** Shorter than PostgreSQL looks for deadlocks, when it would end an autovacuum that has the table. */
const waitForVacuumMs = 100
const waitBriefly = statement(`select set_config('lock_timeout', '${waitForVacuumMs}ms', true)`)

/** Those of the indexes that are there: they are built behind the start of the gateway. */
const indexes = '(select to_regclass(name) as name from unnest($1::text[]) as wanted(name)) as index'
const summarize = statement(`select brin_summarize_new_values(name) from ${indexes} where name is not null`)

/** A smaller table is read whole in a few milliseconds. */
const bytesMin = 4 * 1024 * 1024

/** Tables of the indexes whose order in the pages the planner does not know, or which are ten times as large as it believes. */
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

/**
 * Has the indexes of these names know the last pages, before these are read by them. Without it the pages are read whole until the server
 * vacuums the table, and without figures of the table the planner reads all of a large one; the embedded database does neither by
 * itself. Where the table is being vacuumed, that does it.
 */
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
