// One row of the bench: load, callbacks and cost.
import { setTimeout as pause } from 'node:timers/promises'
import { bareRequest } from '../test/bare-connection.ts'
import { countFeatures, type Features } from './features.ts'
import type { LoadResult } from './load.ts'
import { type CpuSeconds, cpuOf, idleSeconds, idleShareSince, type Machine, residentMb } from './machine.ts'
import { headersOf, type Shop } from './shop.ts'

export interface Measurement {
  readonly what: string
  readonly connections: number
  readonly perSecond: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Answers other than 2xx, and requests without an answer. */
  readonly failures?: number
  readonly memoryMb?: number
  readonly ratio?: number
  readonly limitRatio?: number
  readonly delivered?: Delivered
  readonly costs?: Costs
  readonly goal?: Goal
  readonly features?: Features
}

export interface Delivered {
  readonly perSecond: number
  readonly backlogSeconds: number
  /** Deliveries more than a second after their event; undefined if unknown. */
  readonly late?: number
  readonly missing: number
}

export interface Costs {
  readonly cpuMicros: CpuSeconds
  readonly walBytes?: number
  readonly commits?: number
  readonly statements?: number
  /** Share of heap-only updates of operations. */
  readonly hotShare?: number
  /** Share of the machine's processor time that was idle under load. */
  readonly idleShare?: number
}

export interface Goal {
  readonly text: string
  readonly met: boolean
}

export function requestText(method: 'GET' | 'POST', path: string, shop: Shop, body?: object): string {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return bareRequest(method, path, headersOf(shop), text).toString('latin1')
}

export interface Row {
  readonly what: string
  readonly connections: number
  readonly requests: readonly string[]
  readonly follow?: string
  readonly seconds?: number
  readonly total?: number
  /** The receiver's path, and the number of operations of each request that it hears of. */
  readonly callbacks?: { readonly path: string; readonly operations: number }
  readonly bare?: number | undefined
  readonly limit?: number | undefined
  readonly goal?: (measured: Measurement) => Goal
}

const deliveryMsMax = 30_000
const sampleMs = 200
const lateSeconds = 1

export async function measure(machine: Machine, row: Row): Promise<Measurement> {
  const { what, connections, requests, follow, seconds, total, callbacks, bare, limit } = row
  const featuresOf = machine.countsFeatures ? await countFeatures(machine) : undefined
  const before = await counters(machine)
  const cpuBefore = cpuOf(machine)
  const idleBefore = idleSeconds()
  const memory = watchMemory(machine.gateway.pid)
  const loaded = await machine.generator.run({
    port: machine.port,
    connections,
    requests,
    ...(follow === undefined ? {} : { follow }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(total === undefined ? {} : { total }),
  })
  const accepted = acceptedIn(loaded)
  const delivered = callbacks && (await untilDelivered(machine, callbacks, loaded, accepted))
  const idleShare = idleShareSince(idleBefore)
  const cpuAfter = cpuOf(machine)
  const memoryMb = memory.stop()
  const after = await counters(machine)
  const features = await featuresOf?.(Math.max(accepted, 1))
  const perSecond = accepted / loaded.seconds
  const measured: Measurement = {
    what,
    connections,
    perSecond,
    p50Ms: loaded.p50Ms,
    p99Ms: loaded.p99Ms,
    failures: Object.values(loaded.statuses).reduce((sum, count) => sum + count, 0) - accepted,
    memoryMb,
    ...(features === undefined ? {} : { features }),
    ...(bare === undefined ? {} : { ratio: (delivered?.perSecond ?? perSecond) / bare }),
    ...(limit === undefined ? {} : { limitRatio: (delivered?.perSecond ?? perSecond) / limit }),
    ...(delivered === undefined ? {} : { delivered }),
    costs: {
      ...costsOf(Math.max(accepted, 1), cpuBefore, cpuAfter, before, after),
      ...(idleShare === undefined ? {} : { idleShare }),
    },
  }
  return row.goal === undefined ? measured : { ...measured, goal: row.goal(measured) }
}

export function acceptedIn({ statuses }: LoadResult): number {
  return statuses['200'] ?? 0
}

export function watchMemory(pid: number): { stop(): number } {
  let largest = residentMb(pid)
  const sampling = setInterval(() => {
    largest = Math.max(largest, residentMb(pid))
  }, sampleMs)
  return {
    stop() {
      clearInterval(sampling)
      return Math.max(largest, residentMb(pid))
    },
  }
}

async function untilDelivered(
  machine: Machine,
  { path, operations: each }: { readonly path: string; readonly operations: number },
  { beganAt, seconds }: LoadResult,
  accepted: number,
): Promise<Delivered> {
  const expected = accepted * each
  const giveUpAt = Date.now() + deliveryMsMax
  let received = await machine.receiver.received(path)
  while (received.operations < expected && Date.now() < giveUpAt) {
    await pause(sampleMs / 4)
    received = await machine.receiver.received(path)
  }
  const untilLast = (received.lastAt - beganAt) / 1000
  const late = await lateOf(machine, path)
  return {
    perSecond: received.operations / each / untilLast,
    backlogSeconds: Math.max(0, untilLast - seconds),
    ...(late === undefined ? {} : { late }),
    missing: Math.max(0, expected - received.operations),
  }
}

async function lateOf({ postgres, receiver }: Machine, path: string): Promise<number | undefined> {
  if (postgres === undefined) return undefined
  const { rows } = await postgres.sql.query(
    `select count(*)::integer as late
    from deliveries join events on events.wallet_id = deliveries.wallet_id and events.id = deliveries.event_id
    where deliveries.url = $1
      and coalesce(deliveries.finished_at, now()) - events.created_at > $2 * interval '1 second'`,
    [receiver.url(path), lateSeconds],
  )
  return rows[0].late
}

interface Counters {
  readonly wal: number
  readonly commits: number
  readonly statements: number
  readonly updates: number
  readonly hotUpdates: number
}

/** A session of PostgreSQL reports its counters at most once a second. */
const reportMs = 1_100

async function counters({ postgres }: Machine): Promise<Counters | undefined> {
  if (postgres === undefined) return undefined
  await pause(reportMs)
  const { rows } = await postgres.sql.query(
    `select (pg_current_wal_lsn() - '0/0')::float8 as wal,
      (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits,
      (select sum(calls)::float8 from pg_stat_statements) as statements,
      (select n_tup_upd::float8 from pg_stat_user_tables where relname = 'operations' and schemaname = 'public') as updates,
      (select n_tup_hot_upd::float8 from pg_stat_user_tables where relname = 'operations' and schemaname = 'public') as "hotUpdates"`,
  )
  return rows[0]
}

function costsOf(
  each: number,
  cpuBefore: CpuSeconds,
  cpuAfter: CpuSeconds,
  before: Counters | undefined,
  after: Counters | undefined,
): Costs {
  const micros = (of: keyof CpuSeconds) => ((cpuAfter[of] - cpuBefore[of]) * 1e6) / each
  const cpuMicros = {
    gateway: micros('gateway'),
    postgres: micros('postgres'),
    generator: micros('generator'),
    receiver: micros('receiver'),
  }
  if (before === undefined || after === undefined) return { cpuMicros }
  const per = (of: keyof Counters) => (after[of] - before[of]) / each
  const updates = after.updates - before.updates
  return {
    cpuMicros,
    walBytes: per('wal'),
    commits: per('commits'),
    statements: per('statements'),
    ...(updates === 0 ? {} : { hotShare: (after.hotUpdates - before.hotUpdates) / updates }),
  }
}
