// The table of times at which authorizations end.
import { column, table } from '../storage/tables/table.ts'

/** The times have a table of their own, so that settling changes no index of theirs. */
export const authorizationTimers = table('authorization_timers', {
  dueAt: column.instant(),
  walletId: column.bigint(),
  id: column.uuid(),
  leasedUntil: column.instant().optional(),
})
