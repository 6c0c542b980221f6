// The table of when authorizations lapse.
import { column, table } from '../storage/tables/table.ts'

/**
 * When what remains of an authorization is given back; a row of its own, so that settling moves no index.
 */
export const authorizationTimers = table('authorization_timers', {
  dueAt: column.instant(),
  walletId: column.bigint(),
  id: column.uuid(),
  leasedUntil: column.instant().optional(),
})
