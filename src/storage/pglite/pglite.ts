// The embedded database: PGlite in a folder or in memory.
import { AsyncLocalStorage } from 'node:async_hooks'
import { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { type Database, DatabaseUnavailable, type ReadRows } from '../database.ts'
import { planningSettings } from '../postgres/planning.ts'
import { batchedFind } from '../reads/batched.ts'
import { runOver } from '../sessions.ts'
import { unavailable } from '../unavailable.ts'
import { keepToOwner } from './data-dir.ts'
import { bytesPerMebibyte, type FreeSpace, watchFreeSpace } from './free-space.ts'
import { Engine, PgliteSession, type StartThread } from './pglite-client.ts'
import { startVacuuming } from './vacuum.ts'

/** A quarter of PostgreSQL's default of 128 MB, which would be a quarter of the process. */
const sharedBuffersMb = 32

export interface PgliteOptions {
  /** If less space is free, the database is read-only. Default: 0 (never). */
  readonly freeBytesMin?: number
  readonly onFreeSpace?: (space: FreeSpace) => void
  readonly vacuumEveryMs?: number
  readonly onBroken?: (error: unknown) => void
  readonly startThread?: StartThread
}

export async function openPglite(folder?: string, options: PgliteOptions = {}): Promise<Database> {
  if (folder !== undefined) keepToOwner(folder)
  const engine = await Engine.open({
    ...(folder === undefined ? {} : { dataDir: folder }),
    relaxedDurability: false,
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${sharedBuffersMb}MB`],
    onBroken: options.onBroken ?? (() => undefined),
    startThread: options.startThread,
  })
  if (folder !== undefined) keepToOwner(folder)
  const session = new PgliteSession(engine)
  await session.learnArrays()
  await session.run(`set time zone 'UTC'`, [])
  for (const [name, cost] of Object.entries(planningSettings)) await session.run(`set ${name} = ${cost}`, [])
  const connection = new PgliteConnection(session)
  const driver = new PgliteDriver(connection)
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const over = runOver({
    acquire: async () => (await driver.acquireConnection()).session,
    release: () => driver.releaseConnection(),
  })
  const { freeBytesMin = 0, onFreeSpace, vacuumEveryMs } = options
  const watch =
    folder === undefined || freeBytesMin === 0
      ? undefined
      : watchFreeSpace(folder, freeBytesMin, async (space) => {
          await over.run({ text: `set default_transaction_read_only = ${space.short ? 'on' : 'off'}` })
          onFreeSpace?.(space)
        })

  function shortage(cause: unknown): DatabaseUnavailable | undefined {
    const space = watch?.last()
    return space?.short === true
      ? new DatabaseUnavailable(cause, shortageReason(space, freeBytesMin))
      : undefined
  }
  async function reportingLoss<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: unknown }
      throw (code === readOnlyState ? shortage(error) : undefined) ?? unavailable(error) ?? error
    }
  }

  const vacuuming = vacuumEveryMs === undefined ? undefined : startVacuuming(over, vacuumEveryMs)
  const read: ReadRows = (text, parameters) => reportingLoss(() => over.read(text, parameters))

  return {
    kind: 'pglite',
    kysely,
    run: (statement, parameters) => reportingLoss(() => over.run(statement, parameters)),
    read,
    find: batchedFind('pglite', read),
    transaction: (work) => reportingLoss(() => over.transaction((tx) => driver.held(() => work(tx)))),
    connected: (work) => reportingLoss(() => over.connected((db) => driver.held(() => work(db)))),
    // No other server can take over.
    onFailover: () => undefined,
    listen: async (channel, onNotice) => {
      engine.onNotice(channel, onNotice)
      await over.run({ text: `listen "${channel}"` })
    },
    notify: async (channel, payload) => {
      await over.run({ text: 'select pg_notify($1, $2)' }, [channel, payload])
    },
    ping: async () => {
      const short = shortage(undefined)
      if (short !== undefined) throw short
      await reportingLoss(() => over.run({ text: 'select 1' }))
    },
    close: async () => {
      watch?.stop()
      await vacuuming?.stop()
      await kysely.destroy()
      await engine.close()
    },
  }
}

const readOnlyState = '25006'

function shortageReason({ freeBytes }: FreeSpace, bytesMin: number): string {
  const [free, wanted] = [freeBytes, bytesMin].map((bytes) => Math.floor(bytes / bytesPerMebibyte))
  return `the disk of the embedded database is nearly full: ${free} MiB are free, and writes need ${wanted}`
}

class AlreadyHeld extends Error {
  constructor() {
    super('the only connection is already in use: inside a transaction use only the transaction')
    this.name = 'AlreadyHeld'
  }
}

/** Gives the single connection to one caller at a time, in order. */
class PgliteDriver implements Driver {
  readonly #connection: PgliteConnection
  readonly #waiting: (() => void)[] = []
  #taken = false
  /** Detects a caller that already has the connection. */
  readonly #holder = new AsyncLocalStorage<{ released: boolean }>()

  constructor(connection: PgliteConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PgliteConnection> {
    if (this.#taken && this.#holder.getStore()?.released === false) throw new AlreadyHeld()
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
    return this.#connection
  }

  /** Refuses a nested call, which would wait for ever. */
  async held<T>(work: () => Promise<T>): Promise<T> {
    const hold = { released: false }
    try {
      return await this.#holder.run(hold, work)
    } finally {
      hold.released = true
    }
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken = false
    else next()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {}
}

class PgliteConnection implements DatabaseConnection {
  readonly session: PgliteSession

  constructor(session: PgliteSession) {
    this.session = session
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: (await this.session.run(query.sql, query.parameters)) as Row[] }
  }

  // biome-ignore lint/correctness/useYield: PGlite has no cursors
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('PGlite cannot stream results')
  }
}
