// The one connection of the embedded database, lent by virtual time: whoever waits for it goes on in a moment of its own.
import type { Database } from '../../../../src/storage/index.ts'
import { owners, type VirtualTime } from './time.ts'

/**
 * `database`, of which nobody waits for the connection within it. There, who waits and who gave the connection back would go on
 * at the same time, in an order that depends on which statements are prepared already.
 */
export function lentInTime(database: Database, time: VirtualTime): Database {
  const waiting: (() => void)[] = []
  let isLent = false

  async function lent<T>(work: () => Promise<T>): Promise<T> {
    if (isLent) await new Promise<void>((resolve) => waiting.push(resolve))
    isLent = true
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) isLent = false
      else owners.run(undefined, () => time.plan(next, 0))
    }
  }

  return {
    ...database,
    run: (statement, parameters) => lent(() => database.run(statement, parameters)),
    read: (text, parameters) => lent(() => database.read(text, parameters)),
    transaction: (work) => lent(() => database.transaction(work)),
    connected: (work) => lent(() => database.connected(work)),
    notify: (channel, payload) => lent(() => database.notify(channel, payload)),
    ping: () => lent(() => database.ping()),
  }
}
