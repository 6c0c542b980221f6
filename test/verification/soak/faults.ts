// What befalls the gateways of a soak: kills, suspensions, cut connections, a database that dies, a disk that fills.
import type { Chance } from '../chance.ts'
import type { DatabaseServer } from './database-server.ts'
import type { Fleet } from './fleet.ts'
import type { TcpProxy } from './proxy.ts'

/** How often each fault happened. */
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
  /** Before the gateways, and between them and the database. */
  readonly proxies: readonly TcpProxy[]
}

/** Pauses between two faults of a kind, in milliseconds: 30 kills of gateways a minute where one is up, and 5 of the database. */
const everyMs = { gatewayKill: 2_000, databaseKill: 11_000, suspension: 20_000, cut: 3_000, fullDisk: 90_000 }
/** Longer than every lease of a minute, and than the resolver asks before it gives up. */
const suspendedSecondsMax = 100
/** Until it is seen whether one is up again. */
const noneUpMs = 50
const fullDiskSeconds = 4
const freeMbWhenFull = 1

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Lets faults happen until `isOver`; answers how many did once the last one is over. */
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
      // All may be dead or suspended: then the first that is up again.
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
