// The connections of a running gateway: keeps them in memory and up to date, and opens their rails.

import { second } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Notices, RailName, Rails } from '../rails/index.ts'
import type { Connection, Driver, DriverLogger, DriverTools } from './driver.ts'
import type { ConnectionRow } from './model.ts'
import { requestsOf } from './requests-store.ts'
import { listConnections, openSecrets } from './store.ts'
import type { Contacts } from './tools/contacts.ts'
import { noticesOf } from './tools/notices.ts'
import { providerFetch } from './tools/provider-fetch.ts'

const connectionsChannel = 'rail_connections'
/** The longest use of an outdated connection, if the notice of its change is lost. */
const freshMs = 5 * second

export interface ConnectionsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'onError'> {
  readonly logger: DriverLogger
  readonly drivers: readonly Driver[]
}

export interface HeldConnection {
  readonly row: ConnectionRow
  readonly driver: Driver | undefined
  readonly serves: boolean
  readonly kept: Connection['kept']
}

export type Connections = ReturnType<typeof createConnections>

export function createConnections(deps: ConnectionsDeps, contacts: Contacts, notices: () => Notices) {
  const { database, keyring } = deps
  const cache = createCache(deps)

  /** The connection for a new request: the merchant's own, or else the gateway's. */
  function serving(rail: RailName, walletId: bigint | undefined): HeldConnection | undefined {
    const serves = cache.all().filter((one) => one.serves && one.row.rails.includes(rail))
    const own = walletId === undefined ? undefined : serves.find(({ row }) => row.walletId === walletId)
    return own ?? serves.find(({ row }) => row.walletId === undefined)
  }

  function opened({ row, driver, kept }: HeldConnection): Connection {
    const known = new Set(driver?.settings.map(({ name }) => name))
    const secrets = openSecrets(keyring, row)
    return {
      id: row.id,
      publicId: row.publicId,
      driver: row.driver,
      walletId: row.walletId,
      rails: row.rails,
      settings: Object.fromEntries(Object.entries(row.settings).filter(([name]) => known.has(name))),
      secrets: Object.fromEntries(Object.entries(secrets).filter(([name]) => known.has(name))),
      enabled: row.enabled,
      kept,
    }
  }

  function toolsOf({ row }: HeldConnection, fetch = providerFetch): DriverTools {
    const { clock, random, logger } = deps
    return {
      ...{ clock, random, database },
      logger: loggerOf(logger, { connection: Number(row.id), driver: row.driver }),
      requests: requestsOf({ database, clock }, row.id),
      get notices() {
        return noticesOf(database, row, notices())
      },
      fetch: contacts.observed(row.id, fetch),
    }
  }

  return {
    ...cache,
    serving,
    /** The connection for requests under way: the gateway's, or the last one that served the rail. */
    lastServing(
      rail: RailName,
      matches: (connection: HeldConnection) => boolean = () => true,
    ): HeldConnection | undefined {
      const served = serving(rail, undefined)
      if (served !== undefined && matches(served)) return served
      return cache
        .all()
        .findLast(
          (one) =>
            one.row.walletId === undefined &&
            one.row.rails.includes(rail) &&
            one.driver !== undefined &&
            matches(one),
        )
    },
    railsOf(connection: HeldConnection): Partial<Rails> {
      const { row, driver } = connection
      const known = cache.rails().get(row.id)
      if (known !== undefined) return known
      if (driver === undefined)
        throw new Error(`connection ${row.id} needs the driver ${row.driver}, which this version lacks`)
      const rails = driver.open(opened(connection), toolsOf(connection))
      cache.rails().set(row.id, rails)
      return rails
    },
    opened,
    toolsOf,
  }
}

function createMemory(): Connection['kept'] {
  const made = new Map<() => unknown, unknown>()
  return <Kept>(make: () => Kept): Kept => {
    if (!made.has(make)) made.set(make, make())
    return made.get(make) as Kept
  }
}

/** The connections in memory, and the rails that were opened for them. */
function createCache({ database, drivers, onError }: ConnectionsDeps) {
  let held: readonly HeldConnection[] = []
  let rails = new Map<bigint, Partial<Rails>>()
  let version = 0
  let fingerprint = ''
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined
  let readAgain = false

  function find(id: bigint): HeldConnection | undefined {
    return held.find(({ row }) => row.id === id)
  }

  function hold(row: ConnectionRow): HeldConnection {
    const driver = drivers.find(({ name }) => name === row.driver)
    const serves = row.enabled && driver !== undefined && (driver.proven || row.allowUnproven)
    return { row, driver, serves, kept: createMemory() }
  }

  async function readAll(): Promise<void> {
    const rows = await listConnections(database)
    const seen = rows.map(({ id, changedAt }) => `${id} ${changedAt}`).join()
    if (seen === fingerprint) return
    const before = new Map(held.map((one) => [one.row.id, one.row.changedAt]))
    held = rows.map((row) => {
      const same = find(row.id)
      return same?.row.changedAt === row.changedAt ? { ...same, row } : hold(row)
    })
    rails = new Map([...rails].filter(([id]) => find(id)?.row.changedAt === before.get(id)))
    fingerprint = seen
    version += 1
  }

  /** A call during a read causes a second read, because the first may have begun before the change. */
  function read(): Promise<void> {
    if (reading === undefined) reading = readUntilFresh()
    else readAgain = true
    return reading
  }

  async function readUntilFresh(): Promise<void> {
    try {
      do {
        readAgain = false
        await readAll()
      } while (readAgain)
    } finally {
      reading = undefined
    }
  }

  return {
    async start(): Promise<void> {
      await database.listen(connectionsChannel, () => void read().catch(onError))
      await read()
      timer = setInterval(() => void read().catch(onError), freshMs)
      timer.unref()
    },
    stop(): void {
      clearInterval(timer)
    },
    refresh: read,
    /** Reads the connections again and tells every other process to do so. */
    async changed(): Promise<void> {
      await read()
      await database.notify(connectionsChannel, '')
    },
    all: () => held,
    find,
    rails: () => rails,
    /** Counts the changes, so that data made from older ones can be discarded. */
    version: () => version,
  }
}

export function loggerOf(logger: DriverLogger, about: object): DriverLogger {
  return {
    info: (details, message) => logger.info({ ...details, ...about }, message),
    warn: (details, message) => logger.warn({ ...details, ...about }, message),
    error: (details, message) => logger.error({ ...details, ...about }, message),
  }
}
