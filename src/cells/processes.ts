// Live processes of the gateway, their clocks, and failovers of the database.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Counter, Gauge } from 'prom-client'
import { randomId } from '../kernel/random.ts'
import { type Instant, second } from '../kernel/time.ts'
import type { Core, Module } from '../module.ts'
import {
  createPeriodicWorker,
  DatabaseUnavailable,
  findFirst,
  hasRows,
  statement,
  timelineSql,
} from '../storage/index.ts'

import { databaseTimelines, gatewayProcesses, isLiveSql } from './model.ts'
import { readCell } from './number.ts'

const beatMs = 10 * second
/** A rail call lasts 8 s, and the next inquiry begins after 10 s: the difference must fit in between. */
const clockDifferenceMsMax = 2 * second

/** Processes report by the database's clock, because the clocks of machines differ. */
const beat = statement<{ now: Instant; others: number }>(`
  with own as (
    insert into gateway_processes (id, outbox, seen_at) values ($1, $2, clock_timestamp())
    on conflict (id) do update set seen_at = excluded.seen_at
  ),
  dead as (
    delete from gateway_processes where seen_at < clock_timestamp() - interval '1 minute' and id <> $1
  ),
  timeline as (
    insert into database_timelines (timeline, seen_at) values (${timelineSql}, clock_timestamp())
    on conflict (timeline) do nothing
  )
  select clock_timestamp() as now, (
    select count(*)::integer from gateway_processes
    where id <> $1 and ${isLiveSql}
  ) as others`)

const findOtherOutbox = findFirst(gatewayProcesses, (id: string, outbox: string) => [id, outbox])`
  select ${gatewayProcesses.list()} from gateway_processes where id <> $1 and outbox <> $2 and ${isLiveSql} limit 1`

/** The first timeline is no failover: it was recorded by the installation or by this version's first start. */
const findFailover = findFirst(databaseTimelines, () => [])`
  select ${databaseTimelines.list()} from database_timelines
  where seen_at > clock_timestamp() - interval '7 days' and seen_at > (select min(seen_at) from database_timelines)
  order by seen_at desc limit 1`

const leave = hasRows((id: string) => [id])`delete from gateway_processes where id = $1 returning id`

export interface LiveProcesses {
  readonly count: number
}

export interface Processes extends Module {
  /** Live processes that share the database, with this one. */
  readonly live: LiveProcesses
  /** The last failover of the database in the last seven days. */
  lastFailover(): Promise<Instant | undefined>
  /** Throws if the clock of this machine is too far from the database's. */
  checkClock(): void
}

export interface ProcessesDeps
  extends Pick<Core, 'database' | 'clock' | 'random' | 'mode' | 'metrics' | 'onError'> {
  /** The folder of scheduled files for the bank; undefined if there is no schedule. */
  readonly outbox?: string | undefined
}

/** Several processes need PostgreSQL. With the embedded database this process is alone. */
export function createProcesses({ database, clock, random, mode, ...deps }: ProcessesDeps): Processes {
  const { metrics, onError, outbox } = deps
  const id = randomId(random)
  let outboxId: string | undefined
  const live = { count: 1 }
  let differenceMs = 0

  const failovers = new Counter({
    name: 'comporta_database_failovers_total',
    help: 'Times that another database server took over while this process ran',
    registers: [metrics],
  })
  database.onFailover(() => {
    failovers.inc()
    onError(new Error('another database server has taken over'))
  })
  const gauge = (name: string, help: string, measure: () => number) =>
    new Gauge({
      ...{ name, help, registers: [metrics] },
      collect() {
        this.set(measure())
      },
    })
  gauge('comporta_processes_live', 'Live processes that share the database', () => live.count)
  gauge(
    'comporta_clock_difference_seconds',
    'Seconds between the clocks of this machine and of the database',
    () => differenceMs / second,
  )

  async function run(): Promise<void> {
    const sent = clock.now()
    const [seen] = await database.run(beat, [id, outboxId ?? null])
    const received = clock.now()
    if (seen === undefined) return
    live.count = seen.others + 1
    // Subtracts the time of the answer. The sandbox's clock differs on purpose.
    if (mode === 'production')
      differenceMs = sent > seen.now ? sent - seen.now : Math.min(0, received - seen.now)
  }
  const worker = createPeriodicWorker({ name: 'live processes', database, pollMs: beatMs, run, onError })

  return {
    live,
    lastFailover: async () => (await findFailover(database))?.seenAt,
    checkClock() {
      if (Math.abs(differenceMs) <= clockDifferenceMsMax) return
      const seconds = (Math.abs(differenceMs) / second).toFixed(1)
      throw new DatabaseUnavailable(
        undefined,
        `the clock of this machine is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's: synchronize both with a time server (NTP)`,
      )
    },
    ...(database.kind === 'postgres' && {
      workers: { live_processes: worker },
      async start() {
        if (outbox !== undefined) outboxId = await idOfFolder(outbox, id)
        // First: the number cannot change while a process is alive.
        await run()
        const number = await readCell(database)
        if (number !== (random.cell ?? 0))
          throw new Error(`the number of this cell became ${number} during the start: start again`)
        if (outbox === undefined || outboxId === undefined) return
        if ((await findOtherOutbox(database, id, outboxId)) !== undefined)
          onError(
            new Error(
              `BANK_OUTBOX (${outbox}) is not the folder of the other processes: let all use one shared folder`,
            ),
          )
      },
      async stop() {
        await leave(database, id).catch(onError)
      },
    }),
  }
}

/** Reads the id in a file of the folder. A new folder gets the id `fresh`. */
async function idOfFolder(folder: string, fresh: string): Promise<string> {
  const file = join(folder, '.comporta-outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, fresh, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(file, 'utf8')).trim()
}
