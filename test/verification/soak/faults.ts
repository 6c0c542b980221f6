// Faults of a soak: kills, suspensions, cut connections, a full disk.
import type { Chance } from '../chance.ts'
import type { DatabaseServer } from './database-server.ts'
import type { Fleet } from './fleet.ts'
import type { TcpProxy } from './proxy.ts'

export interface FaultCounts {
  gatewayKills: number
  databaseKills: number
  suspensions: number
  suspendedSeconds: number
  cutConnections: number
  fullDisks: number
}

export interface Faulty {
  readonly fleet: Fleet
  readonly database: DatabaseServer
  readonly proxies: readonly TcpProxy[]
}

/**
 * Milliseconds between two faults of a kind, for example 30 kills of a gateway and 5 kills of the database in a
 * minute.
 */
const everyMs = { gatewayKill: 2_000, databaseKill: 11_000, suspension: 20_000, cut: 3_000, fullDisk: 90_000 }
/** Longer than every lease of a minute, and than the resolver waits before it asks. */
const suspendedSecondsMax = 100
const noneUpMs = 50
const fullDiskSeconds = 4
const freeMbWhenFull = 1

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Causes faults until `isOver`. Returns the number of each kind. */
export async function happen(faulty: Faulty, chance: Chance, isOver: () => boolean): Promise<FaultCounts> {
  const { fleet, database, proxies } = faulty
  const counts: FaultCounts = {
    gatewayKills: 0,
    databaseKills: 0,
    suspensions: 0,
    suspendedSeconds: 0,
    cutConnections: 0,
    fullDisks: 0,
  }

  async function again(name: keyof typeof everyMs, fault: (own: Chance) => Promise<unknown>): Promise<void> {
    const own = chance.apart(name)
    while (!isOver()) {
      await pause(everyMs[name] / 2 + own.below(everyMs[name]))
      if (!isOver()) await fault(own)
    }
  }

  await Promise.all([
    again('gatewayKill', async (own) => {
      // If all gateways are dead or suspended, the first one that starts again is killed.
      while (!(await fleet.kill(own.below(fleet.size)))) {
        if (isOver()) return
        await pause(noneUpMs)
      }
      counts.gatewayKills += 1
    }),
    again('databaseKill', async () => {
      await database.kill()
      counts.databaseKills += 1
    }),
    again('suspension', async (own) => {
      const begun = performance.now()
      if (!(await fleet.suspend(own.below(fleet.size), 5 + own.below(suspendedSecondsMax), isOver))) return
      counts.suspensions += 1
      counts.suspendedSeconds += Math.round((performance.now() - begun) / 1000)
    }),
    again('cut', async (own) => {
      counts.cutConnections += own.pick(proxies).cut()
    }),
    again('fullDisk', async () => {
      if (database.disk === undefined) return
      database.disk.fillTo(freeMbWhenFull)
      await pause(fullDiskSeconds * 1000)
      database.disk.empty()
      counts.fullDisks += 1
    }),
  ])
  return counts
}
