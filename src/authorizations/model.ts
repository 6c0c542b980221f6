// The table of times at which authorizations lapse.
import { column, table } from '../storage/tables/table.ts'

/** A table of its own, so that settling moves no index. */
export const authorizationTimers = table('authorization_timers', {
  dueAt: column.instant(),
  walletId: column.bigint(),
  id: column.uuid(),
  leasedUntil: column.instant().optional(),
})
