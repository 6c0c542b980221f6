// Tables of a cell: its number, its live processes, and the failovers of its database.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** The table has one row. */
export const cell = table('cell', { isOnly: column.boolean().default(true), number: column.integer() })

export const gatewayProcesses = table('gateway_processes', {
  id: column.uuid(),
  /** The folder of this process's scheduled files for the bank. */
  outbox: column.text().optional(),
  seenAt: column.instant(),
})
/** A process that is silent for longer is dead: it missed two beats. */
export const silentSecondsMax = 30
export const isLiveSql = `seen_at > clock_timestamp() - interval '${silentSecondsMax} seconds'`

/** The timeline of PostgreSQL grows each time a standby takes over. */
export const databaseTimelines = table('database_timelines', {
  timeline: column.text(),
  seenAt: column.instant(),
})
export type DatabaseTimeline = RowOf<typeof databaseTimelines>
