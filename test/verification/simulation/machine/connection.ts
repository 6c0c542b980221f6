// The single connection of the embedded database, in virtual time.
import type { Database } from '../../../../src/storage/index.ts'
import { owners, type VirtualTime } from './time.ts'

/**
 * Callers wait for the connection here, outside of `database`. Inside it, the order of two waiting callers would
 * depend on prepared statements.
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
