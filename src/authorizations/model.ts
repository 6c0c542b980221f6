// The table of times at which authorizations end.
import { column, table } from '../storage/tables/table.ts'

/** A separate table, so that settling an operation changes no index on these times. */
export const authorizationTimers = table('authorization_timers', {
  dueAt: column.instant(),
  walletId: column.bigint(),
  id: column.uuid(),
  leasedUntil: column.instant().optional(),
})
