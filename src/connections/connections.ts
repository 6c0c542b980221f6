// The connections of a running gateway: read into memory, fresh in every process, and opened by their drivers.

import { second } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Notices, RailName, Rails } from '../rails/index.ts'
import type { Connection, Driver, DriverLogger, DriverTools } from './driver.ts'
import type { ConnectionRow } from './model.ts'
import { requestsOf } from './requests/requests.ts'
import { openSecrets } from './sealed-secrets.ts'
import { listConnections } from './store.ts'
import type { Contacts } from './tools/contacts.ts'
import { noticesOf } from './tools/notices.ts'
import { providerFetch } from './tools/provider-fetch.ts'

/** Each change is announced there, so that every process takes it up. */
const connectionsChannel = 'rail_connections'
/** How long a process may go on with what was changed elsewhere when a notice is lost: as with wallets. */
const freshMs = 5 * second

export interface ConnectionsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'onError'> {
  readonly logger: DriverLogger
  /** Every driver that this gateway has. */
  readonly drivers: readonly Driver[]
}

/** A connection with its driver, as far as this version has it. */
export interface HeldConnection {
  readonly row: ConnectionRow
  readonly driver: Driver | undefined
  /** Whether it takes something new: enabled, with a driver that is proven or was allowed nevertheless. */
  readonly serves: boolean
}

export interface Connections {
  /** Reads them, and begins to follow changes by other processes. */
  start(): Promise<void>
  stop(): void
  /** Reads them again. */
  refresh(): Promise<void>
  /** The same, and notifies every other process. */
  changed(): Promise<void>
  /** All, those that were removed too, oldest first. */
  all(): readonly HeldConnection[]
  find(id: bigint): HeldConnection | undefined
  /** Over which connection something new of a wallet goes: the merchant's own, else the gateway's; without a wallet the gateway's. */
  serving(rail: RailName, walletId: bigint | undefined): HeldConnection | undefined
  /**
   * The connection that serves a rail of the gateway's own, or else the one that did last: for what is under way.
   *
   * @param matches what else must be true of it
   */
  lastServing(rail: RailName, matches?: (connection: HeldConnection) => boolean): HeldConnection | undefined
  /** The rails of a connection, opened once; throws where it cannot be opened. */
  railsOf(connection: HeldConnection): Partial<Rails>
  /** With its secrets; throws where they do not open. */
  opened(connection: HeldConnection): Connection
  /** @param fetch with which the driver calls its provider */
  toolsOf(connection: HeldConnection, fetch?: typeof globalThis.fetch): DriverTools
  /** Counts the changes: what was derived from an older state is out of date. */
  version(): number
}

/**
 * @param notices the gateway as rails see it, which is composed after its rails
 */
export function createConnections(
  deps: ConnectionsDeps,
  contacts: Contacts,
  notices: () => Notices,
): Connections {
  const { database, keyring, drivers } = deps
  let held: readonly HeldConnection[] = []
  let version = 0
  let fingerprint = ''
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined
  let readAgain = false
  let rails = new Map<bigint, Partial<Rails>>()

  function hold(row: ConnectionRow): HeldConnection {
    const driver = drivers.find(({ name }) => name === row.driver)
    const serves = row.enabled && driver !== undefined && (driver.proven || row.allowUnproven)
    return { row, driver, serves }
  }

  async function readAll(): Promise<void> {
    const rows = await listConnections(database)
    const seen = rows.map(({ id, changedAt }) => `${id} ${changedAt}`).join()
    if (seen === fingerprint) return
    const before = new Map(held.map((one) => [one.row.id, one]))
    held = rows.map(hold)
    // A driver is opened again only where its connection was changed.
    rails = new Map([...rails].filter(([id]) => isSame(before.get(id), find(id))))
    fingerprint = seen
    version += 1
  }

  /** One read at a time; who asks during one gets another, because that one may have begun before the change. */
  function read(): Promise<void> {
    if (reading !== undefined) {
      readAgain = true
      return reading
    }
    reading = readUntilFresh()
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

  function find(id: bigint): HeldConnection | undefined {
    return held.find(({ row }) => row.id === id)
  }

  function serving(rail: RailName, walletId: bigint | undefined): HeldConnection | undefined {
    const serves = held.filter((one) => one.serves && one.row.rails.includes(rail))
    const own = walletId === undefined ? undefined : serves.find(({ row }) => row.walletId === walletId)
    return own ?? serves.find(({ row }) => row.walletId === undefined)
  }

  function opened({ row, driver }: HeldConnection): Connection {
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
      fetch: contacts.noting(row.id, fetch),
    }
  }

  return {
    async start() {
      await database.listen(connectionsChannel, () => void read().catch(deps.onError))
      await read()
      timer = setInterval(() => void read().catch(deps.onError), freshMs)
      timer.unref()
    },
    stop() {
      clearInterval(timer)
    },
    refresh: read,
    async changed() {
      await read()
      await database.notify(connectionsChannel, '')
    },
    all: () => held,
    find,
    serving,
    lastServing(rail, matches = () => true) {
      const served = serving(rail, undefined)
      if (served !== undefined && matches(served)) return served
      return held.findLast(
        (one) =>
          one.row.walletId === undefined &&
          one.row.rails.includes(rail) &&
          one.driver !== undefined &&
          matches(one),
      )
    },
    railsOf(connection) {
      const { row, driver } = connection
      const known = rails.get(row.id)
      if (known !== undefined) return known
      if (driver === undefined)
        throw new Error(`connection ${row.id} needs the driver ${row.driver}, which this version lacks`)
      const made = driver.open(opened(connection), toolsOf(connection))
      rails.set(row.id, made)
      return made
    },
    opened,
    toolsOf,
    version: () => version,
  }
}

/** Who reads a line of a driver knows about whose account it is. */
export function loggerOf(logger: DriverLogger, about: object): DriverLogger {
  return {
    info: (details, message) => logger.info({ ...details, ...about }, message),
    warn: (details, message) => logger.warn({ ...details, ...about }, message),
    error: (details, message) => logger.error({ ...details, ...about }, message),
  }
}

function isSame(one: HeldConnection | undefined, other: HeldConnection | undefined): boolean {
  return one !== undefined && other !== undefined && one.row.changedAt === other.row.changedAt
}
