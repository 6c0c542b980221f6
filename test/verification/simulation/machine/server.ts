// A PostgreSQL under a simulation: time stands still until it has answered, or until what it was asked waits for a lock.
import pg from 'pg'
import { type Database, type Executor, openPostgres, statement } from '../../../../src/storage/index.ts'
import { makeTables } from './books.ts'
import { pauseOfTheMachine, type VirtualTime } from './time.ts'

/** Something that the server was asked. */
interface Question {
  isAnswered: boolean
  /** Lets whoever asked go on. */
  readonly goOn: () => void
}

/** More than two processes ever hold at once: who waits for a connection waits for no lock, and would be waited for. */
const connectionsMax = 60
/** How soon it is looked whether what is not answered waits for a lock. */
const lookMs = 2

/** What a server of simulations is started with: nothing that it holds outlives it, and a deadlock is found at once. */
export const serverSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'deadlock_timeout=20ms',
]

/** Leases are measured by the database's own time: `now()` is the simulation's, told by a sequence, which no transaction hides. */
const clockSql = `
  create schema simulation;
  create sequence simulation.clock;
  create function simulation.now() returns timestamptz stable language sql
    as $$ select to_timestamp(last_value / 1e6) from simulation.clock $$;
  do $$ begin
    execute format('alter database %I set search_path = public, simulation, pg_catalog', current_database());
  end $$`

/** Makes the tables of an empty database whose clock is a simulation's. To be called in real time. */
export async function prepareDatabase(url: string): Promise<void> {
  const first = openPostgres({ url })
  await first.run(statement(clockSql))
  await first.close()
  const database = openPostgres({ url })
  await makeTables(database)
  await database.close()
}

/**
 * Opens a database that {@link prepareDatabase} made. What it answers is handed on in the order in which it was asked, once
 * everything that was asked is answered or waits for a lock; the server decides whose turn a lock is.
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
  /** One thing after the other. */
  function watch(text: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    const answered = lastWatch.then(() => watcher.query(text, [...parameters]))
    lastWatch = answered.catch(() => undefined)
    return answered
  }
  let wake = () => {}
  let told: number | undefined

  /** From here on time stands still; the function that it answers waits for the turn of what was answered. */
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

  /** Time stands still while a connection is had, and while it is given back, and not while `work` waits for something else. */
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

  /** Lets go on whoever was first to ask of those that are answered; false where the others wait for locks. */
  async function handOn(): Promise<boolean> {
    for (;;) {
      const unanswered = [...asked].filter(({ isAnswered }) => !isAnswered).length
      if (unanswered === 0 || unanswered === (await waitingForLocks())) break
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), pauseOfTheMachine(lookMs)])
    }
    for (const question of asked) {
      if (!question.isAnswered) continue
      // Notices of what it committed come with it: the server has sent them by the time that it has answered this.
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
