// PostgreSQL in a simulation. Virtual time stops until each statement is answered or waits for a lock.
import pg from 'pg'
import { type Database, type Executor, openPostgres, statement } from '../../../../src/storage/index.ts'
import { makeTables } from './books.ts'
import { pauseOfTheMachine, type VirtualTime } from './time.ts'

interface Question {
  isAnswered: boolean
  readonly goOn: () => void
}

/**
 * More connections than two processes use. If a caller had to wait for one, the simulation would take this for a
 * lock.
 */
const connectionsMax = 60
/** The delay before the simulation looks for statements that wait for a lock. */
const lookMs = 2

/** The data is not kept, so the server need not write it to the disk. It finds deadlocks at once. */
export const serverSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'deadlock_timeout=20ms',
]

/**
 * Leases use the time of the database, so `now()` returns the virtual time. It is in a sequence, because a
 * transaction does not hide changes of a sequence.
 */
const clockSql = `
  create schema simulation;
  create sequence simulation.clock;
  create function simulation.now() returns timestamptz stable language sql
    as $$ select to_timestamp(last_value / 1e6) from simulation.clock $$;
  do $$ begin
    execute format('alter database %I set search_path = public, simulation, pg_catalog', current_database());
  end $$`

/** Creates the tables of an empty database with virtual time. Call this while real time runs. */
export async function prepareDatabase(url: string): Promise<void> {
  const first = openPostgres({ url })
  await first.run(statement(clockSql))
  await first.close()
  const database = openPostgres({ url })
  await makeTables(database)
  await database.close()
}

/**
 * Opens a database of {@link prepareDatabase}. Answers come in the order of the statements, when each statement is
 * answered or waits for a lock. The server decides the order of locks.
 */
export async function openServer(url: string, time: VirtualTime): Promise<Database> {
  const database = openPostgres({ url, connectionsMax })
  const watcher = new pg.Client({ connectionString: url })
  await watcher.connect()
  const asked = new Set<Question>()
  const listeners = new Map<string, ((payload: string) => void)[]>()
  const noticed: pg.Notification[] = []
  watcher.on('notification', (notice) => void noticed.push(notice))
  let lastWatch: Promise<unknown> = Promise.resolve()
  function watch(text: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    const answered = lastWatch.then(() => watcher.query(text, [...parameters]))
    lastWatch = answered.catch(() => undefined)
    return answered
  }
  let wake = () => {}
  let told: number | undefined

  /** Stops time. The result of the statement waits until it is its turn. */
  function ask(): () => Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const question = { isAnswered: false, goOn: resolve }
    asked.add(question)
    return () => {
      question.isAnswered = true
      wake()
      return promise
    }
  }

  async function tellTime(): Promise<void> {
    const now = Math.round(time.now * 1000)
    if (now === told) return
    told = now
    await watch('select setval($1, $2)', ['simulation.clock', now])
  }

  async function answer<T>(work: () => Promise<T>): Promise<T> {
    const answered = ask()
    try {
      await tellTime()
      return await work()
    } finally {
      await answered()
    }
  }

  const over = (db: Executor): Executor => ({
    run: (text, parameters) => answer(() => db.run(text, parameters)),
    find: (lookup, key) => answer(() => db.find(lookup, key)),
  })

  /** Stops time while a connection is opened or returned, but not while `work` waits for something else. */
  async function lent<T>(
    lend: (work: (db: Executor) => Promise<T>) => Promise<T>,
    work: (db: Executor) => Promise<T>,
  ): Promise<T> {
    let answered = ask()
    try {
      await tellTime()
      return await lend(async (db) => {
        await answered()
        try {
          return await work(over(db))
        } finally {
          answered = ask()
        }
      })
    } finally {
      await answered()
    }
  }

  /** Continues the first caller that has an answer. False if all of them wait for locks. */
  async function handOn(): Promise<boolean> {
    for (;;) {
      const unanswered = [...asked].filter(({ isAnswered }) => !isAnswered).length
      if (unanswered === 0 || unanswered === (await waitingForLocks())) break
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), pauseOfTheMachine(lookMs)])
    }
    for (const question of asked) {
      if (!question.isAnswered) continue
      // The server sends the notices of a commit before this answer.
      await watch('select 1')
      for (const { channel, payload = '' } of noticed.splice(0))
        for (const onNotice of listeners.get(channel) ?? []) onNotice(payload)
      asked.delete(question)
      question.goOn()
      return true
    }
    return false
  }

  async function waitingForLocks(): Promise<number> {
    const { rows } = await watch(waitingSql)
    return Number(rows[0]?.count)
  }

  time.handOn = handOn
  return {
    ...database,
    run: (text, parameters) => answer(() => database.run(text, parameters)),
    read: (text, parameters) => answer(() => database.read(text, parameters)),
    transaction: (work) => lent(database.transaction, work),
    connected: (work) => lent(database.connected, work),
    listen: (channel, onNotice) =>
      answer(async () => {
        listeners.set(channel, [...(listeners.get(channel) ?? []), onNotice])
        await watch(`listen ${watcher.escapeIdentifier(channel)}`)
      }),
    notify: (channel, payload) => answer(() => database.notify(channel, payload)),
    ping: () => answer(() => database.ping()),
  }
}

const waitingSql = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
