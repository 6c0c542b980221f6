// Connections whose providers deliver statements.
import type { Day } from '../kernel/lisbon.ts'
import { after, day, type Instant } from '../kernel/time.ts'
import type { Connections } from './connections.ts'
import type { StatementLine } from './driver.ts'

/** Refunds and disputes arrive for some time after the removal of a connection. */
const readAfterRemovalMs = 60 * day

export interface StatementSource {
  readonly connectionId: bigint
  readonly since: Instant
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
