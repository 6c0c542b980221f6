// Connections whose providers say what they have booked.
import type { Day } from '../kernel/lisbon.ts'
import { after, day, type Instant } from '../kernel/time.ts'
import type { Connections } from './connections.ts'
import type { StatementLine } from './driver.ts'

/** Refunds and disputes of what was paid over a removed connection come for a while; its credentials may end then. */
const readAfterRemovalMs = 60 * day

/** A connection as it is reconciled. */
export interface StatementSource {
  readonly connectionId: bigint
  /** When the connection was made: nothing went over it before. */
  readonly since: Instant
  /** What its provider has booked on a day that is over; throws where it does not say. */
  read(day: Day): Promise<readonly StatementLine[]>
}

export function statementSources(connections: Connections, now: Instant): StatementSource[] {
  return connections.all().flatMap((held): StatementSource[] => {
    const { row, driver } = held
    if (driver?.statement === undefined) return []
    if (!row.enabled && after(row.changedAt, readAfterRemovalMs) < now) return []
    return [
      {
        connectionId: row.id,
        since: row.createdAt,
        read: async (asked) =>
          (await driver.statement?.(connections.opened(held), asked, connections.toolsOf(held))) ?? [],
      },
    ]
  })
}
