// The embedded database: PGlite in a folder, or in memory, behind the same port as PostgreSQL.
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
import { keepToOwner } from './data-dir.ts'
import { type Database, DatabaseUnavailable, type Executor, executorOver } from './database.ts'
import { typeParsers } from './types.ts'

/** Opens the embedded database in `folder`, or in memory when none is named. */
export async function openPglite(folder?: string): Promise<Database> {
  if (folder !== undefined) keepToOwner(folder)
  const engine = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    parsers: typeParsers as Record<number, (text: string) => unknown>,
    relaxedDurability: false,
  })
  if (folder !== undefined) keepToOwner(folder)
  await engine.exec(`set time zone 'UTC'`)
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PgliteDriver(engine),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const executor = executorOver(kysely)
  const open = () => {
    if (engine.closed) throw new DatabaseUnavailable(new Error('the embedded database is closed'))
  }

  return {
    kind: 'pglite',
    kysely,
    run: async (statement, parameters) => {
      open()
      return executor.run(statement, parameters)
    },
    transaction: async <T>(work: (tx: Executor) => Promise<T>) => {
      open()
      return kysely.transaction().execute((tx) => work(executorOver(tx)))
    },
    listen: async (channel, onNotice) => {
      await engine.listen(channel, onNotice)
    },
    notify: async (channel, payload) => {
      await executor.run({ text: 'select pg_notify($1, $2)' }, [channel, payload])
    },
    ping: async () => {
      open()
      await executor.run({ text: 'select 1' })
    },
    close: async () => {
      await kysely.destroy()
      await engine.close()
    },
  }
}

/** Hands the single connection to one user at a time, in the order of asking. */
class PgliteDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly #waiting: (() => void)[] = []
  #taken = false

  constructor(engine: PGlite) {
    this.#connection = new PgliteConnection(engine)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
    return this.#connection
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
  readonly #engine: PGlite

  constructor(engine: PGlite) {
    this.#engine = engine
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } =
      query.parameters.length === 0
        ? await this.#script(query.sql)
        : await this.#engine.query(query.sql, [...query.parameters])
    return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows ?? 0) }
  }

  /** Without parameters a text may hold several statements (migrations do); the last one answers. */
  async #script(sql: string) {
    const results = await this.#engine.exec(sql)
    return results.at(-1) ?? { rows: [], affectedRows: 0 }
  }

  // biome-ignore lint/correctness/useYield: PGlite has no cursors
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('PGlite answers whole results only')
  }
}
