// Tables of the live processes and of the database's failovers.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const gatewayProcesses = table('gateway_processes', {
  id: column.uuid(),
  /** The folder of its scheduled files for the bank. */
  outbox: column.text().optional(),
  seenAt: column.instant(),
})

/** The timeline of PostgreSQL grows each time a standby takes over. */
export const databaseTimelines = table('database_timelines', {
  timeline: column.text(),
  seenAt: column.instant(),
})
export type DatabaseTimeline = RowOf<typeof databaseTimelines>
