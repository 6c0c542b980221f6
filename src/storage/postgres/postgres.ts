// The database on PostgreSQL: a connection pool.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, ReadRows } from '../database.ts'
import { batchedFind } from '../reads/batched.ts'
import { isOutdated, runOver, typeParsers } from '../sessions.ts'
import { planningSettings } from './planning.ts'
import { connectTimeoutMs, PreparingClient } from './postgres-client.ts'
import { type OnReach, type Reach, watchReach } from './reach.ts'

/** Ten connections keep two cores busy. More would only queue inside PostgreSQL. */
const connectionsMaxDefault = 10
/** The longest wait for a free connection of the pool. */
const freeConnectionMsMax = 30_000
const listenRetryMs = 500

export interface PostgresOptions {
  readonly url: string
  readonly connectionsMax?: number
  readonly answerMsMax?: number
  readonly onReach?: OnReach
}

/** SQL of the timeline, which grows when a standby is promoted. It fails in recovery. */
export const timelineSql = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)'

const selectTimeline = `
  select case when pg_is_in_recovery() then null else ${timelineSql} end as timeline`

export function openPostgres(options: PostgresOptions): Database {
  const connection = {
    connectionString: options.url,
    connectionTimeoutMillis: connectTimeoutMs,
    options: Object.entries({ TimeZone: 'UTC', ...planningSettings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: { getTypeParser },
  }
  const limit = options.answerMsMax === undefined ? {} : { answerMsMax: options.answerMsMax }
  const pool = new pg.Pool({
    ...connection,
    keepAlive: true,
    connectionTimeoutMillis: freeConnectionMsMax,
    ...limit,
    max: options.connectionsMax ?? connectionsMaxDefault,
    Client: PreparingClient,
    // Must run first on each connection: after a failover, caches may hold rows that the server lacks.
    onConnect: (client) => timelines.look(client as PreparingClient),
  })
  const reach = watchReach(options.onReach)
  const timelines = watchTimelines()
  pool.on('error', reach.broken)
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const over = runOver({
    acquire: async () => {
      const client = (await pool.connect()) as PreparingClient & pg.PoolClient
      try {
        await timelines.lookAgain(client)
      } catch (error) {
        client.release(true)
        throw error
      }
      return client
    },
    release: (client, broken) => client.release(broken),
  })
  const listener = createListener(
    () => new PreparingClient({ ...connection, ...limit, keepAlive: true }),
    reach,
  )
  const during = <T>(work: () => Promise<T>) => retryUnbegun(() => reach.during(work()))
  const read: ReadRows = (text, parameters) => during(() => over.read(text, parameters))

  return {
    kind: 'postgres',
    kysely,
    run: (statement, parameters) => during(() => over.run(statement, parameters)),
    read,
    find: batchedFind('postgres', read),
    transaction: (work) => during(() => over.transaction(work)),
    connected: (work) => during(() => over.connected(work)),
    onFailover: timelines.onChange,
    listen: (channel, onNotice) => listener.listen(channel, onNotice),
    notify: async (channel, payload) => {
      await reach.during(over.run({ text: 'select pg_notify($1, $2)' }, [channel, payload]))
    },
    ping: async () => {
      reach.refuseExhausted()
      await reach.during(over.run({ text: 'select 1' }))
    },
    close: async () => {
      reach.stop()
      await listener.close()
      await pool.end()
    },
  }
}

function watchTimelines() {
  const listeners: (() => void)[] = []
  /** Connections to a server in recovery, which has no timeline of its own before its promotion. */
  const inRecovery = new WeakSet<PreparingClient>()
  let known: string | undefined

  async function look(client: PreparingClient): Promise<void> {
    const [row] = await client.run(selectTimeline, [])
    const { timeline } = row as { timeline: string | null }
    if (timeline === null) {
      inRecovery.add(client)
      return
    }
    inRecovery.delete(client)
    if (timeline === known) return
    if (known !== undefined) for (const listener of listeners) listener()
    known = timeline
  }

  return {
    onChange(listener: () => void): void {
      listeners.push(listener)
    },
    look,
    /** A connection that was opened in recovery survives the promotion, so no new connection would show the new timeline. */
    async lookAgain(client: PreparingClient): Promise<void> {
      if (inRecovery.has(client)) await look(client)
    },
  }
}

function createListener(connect: () => PreparingClient, reach: Reach) {
  const handlers = new Map<string, ((payload: string) => void)[]>()
  let client: PreparingClient | undefined
  let retry: NodeJS.Timeout | undefined
  let opening: Promise<void> | undefined
  let closed = false

  async function open(): Promise<void> {
    clearTimeout(retry)
    const fresh = connect()
    client = fresh
    // If the connection ends meanwhile, `connect` alone would wait for ever.
    const ended = new Promise<never>((_, reject) =>
      fresh.once('end', () => reject(new Error('the connection ended'))),
    )
    ended.catch(() => undefined)
    fresh.on('notification', ({ channel, payload }) => notify(channel, payload ?? ''))
    fresh.on('error', () => reopenLater(fresh))
    fresh.on('end', () => reopenLater(fresh))
    try {
      await Promise.race([fresh.connect(), ended])
      for (const channel of handlers.keys()) await fresh.run(`listen ${fresh.escapeIdentifier(channel)}`, [])
    } catch (error) {
      // A server in recovery refuses to listen. An open connection would keep the process alive.
      await fresh.end().catch(() => undefined)
      throw error
    }
  }

  function notify(channel: string, payload: string): void {
    for (const handler of handlers.get(channel) ?? []) handler(payload)
  }

  function reopenLater(lost: pg.Client): void {
    if (closed || client !== lost) return
    client = undefined
    retry = setTimeout(() => {
      opening = reopen()
    }, listenRetryMs)
  }

  async function reopen(): Promise<void> {
    try {
      await open()
      for (const channel of handlers.keys()) notify(channel, '')
    } catch {
      if (client !== undefined) reopenLater(client)
    }
  }

  return {
    async listen(channel: string, onNotice: (payload: string) => void): Promise<void> {
      const known = handlers.get(channel)
      if (known !== undefined) {
        known.push(onNotice)
        return
      }
      handlers.set(channel, [onNotice])
      if (client === undefined) await reach.during(open())
      else await reach.during(client.run(`listen ${client.escapeIdentifier(channel)}`, []))
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(retry)
      await client?.end().catch(() => undefined)
      await opening
    },
  }
}

const deadlock = '40P01'
/** A deadlock or a changed table means that another transaction went first, so few retries are needed. */
const triesMax = 3

/** Repeats work after a deadlock or a changed table. Then nothing was written, and transactions call no rail. */
async function retryUnbegun<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      const isUnbegun = (error as { code?: string }).code === deadlock || isOutdated(error)
      if (tries >= triesMax || !isUnbegun) throw error
    }
  }
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return typeParsers[oid] ?? pg.types.getTypeParser(oid, format ?? 'text')
}
