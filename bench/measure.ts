// One row of the benchmark: load, callbacks and cost.
import { setTimeout as pause } from 'node:timers/promises'
import { bareRequest } from '../test/bare-connection.ts'
import { countFeatures, type Features } from './features.ts'
import type { Load, LoadResult } from './load.ts'
import { type CpuSeconds, cpuOf, idleSeconds, idleShareSince, type Machine, residentMb } from './machine.ts'
import { headersOf, type Shop } from './shop.ts'

export interface Measurement {
  readonly what: string
  readonly connections: number
  readonly perSecond: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Number of answers that are not 2xx, and of requests without an answer. */
  readonly failures?: number
  readonly memoryMb?: number
  readonly ratio?: number | undefined
  readonly limitRatio?: number | undefined
  readonly delivered?: Delivered | undefined
  readonly costs?: Costs
  readonly goal?: Goal | undefined
  readonly features?: Features | undefined
}

export interface Delivered {
  readonly perSecond: number
  readonly backlogSeconds: number
  /** Number of deliveries more than a second after their event. Undefined if nobody counted. */
  readonly late: number | undefined
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
  readonly idleShare?: number | undefined
}

export interface Goal {
  readonly text: string
  readonly met: boolean
}

export function requestText(method: 'GET' | 'POST', path: string, shop: Shop, body?: object): string {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return bareRequest(method, path, headersOf(shop), text).toString('latin1')
}

export interface Row extends Omit<Load, 'port'> {
  readonly what: string
  /** The receiver's path, and the number of operations of each request that send a callback there. */
  readonly callbacks?: { readonly path: string; readonly operations: number }
  readonly bare?: number | undefined
  readonly limit?: number | undefined
  readonly goal?: ((measured: Measurement) => Goal) | undefined
}

const deliveryMsMax = 30_000
const sampleMs = 200
const lateSeconds = 1

export async function measure(machine: Machine, row: Row): Promise<Measurement> {
  const { what, callbacks, bare, limit, goal, ...load } = row
  const featuresOf = machine.countsFeatures ? await countFeatures(machine) : undefined
  const before = await counters(machine)
  const cpuBefore = cpuOf(machine)
  const idleBefore = idleSeconds()
  const memory = watchMemory(machine.gateway.pid)
  const loaded = await machine.generator.run({ port: machine.port, ...load })
  const accepted = acceptedIn(loaded)
  const delivered = callbacks && (await untilDelivered(machine, callbacks, loaded, accepted))
  const idleShare = idleShareSince(idleBefore)
  const each = Math.max(accepted, 1)
  const cpuMicros = cpuMicrosSince(cpuBefore, cpuOf(machine), each)
  const memoryMb = memory.stop()
  const after = await counters(machine)
  const features = await featuresOf?.(each)
  const perSecond = accepted / loaded.seconds
  const reached = delivered?.perSecond ?? perSecond
  const measured: Measurement = {
    what,
    connections: load.connections,
    perSecond,
    p50Ms: loaded.p50Ms,
    p99Ms: loaded.p99Ms,
    failures: Object.values(loaded.statuses).reduce((sum, count) => sum + count, 0) - accepted,
    memoryMb,
    features,
    ratio: bare && reached / bare,
    limitRatio: limit && reached / limit,
    delivered,
    costs: { cpuMicros, ...databaseCosts(each, before, after), idleShare },
  }
  return { ...measured, goal: goal?.(measured) }
}

export async function measureEach(
  connections: readonly number[],
  one: (count: number) => Promise<Measurement>,
): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const count of connections) rows.push(await one(count))
  return rows
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
  return {
    perSecond: received.operations / each / untilLast,
    backlogSeconds: Math.max(0, untilLast - seconds),
    late: await lateOf(machine, path),
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

/** A session of PostgreSQL reports its counters at most once a second, so the measurement waits longer. */
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

export function cpuMicrosSince(before: CpuSeconds, after: CpuSeconds, each: number): CpuSeconds {
  const micros = (of: keyof CpuSeconds) => ((after[of] - before[of]) * 1e6) / each
  return {
    gateway: micros('gateway'),
    postgres: micros('postgres'),
    generator: micros('generator'),
    receiver: micros('receiver'),
  }
}

function databaseCosts(each: number, before: Counters | undefined, after: Counters | undefined) {
  if (before === undefined || after === undefined) return {}
  const per = (of: keyof Counters) => (after[of] - before[of]) / each
  const updates = after.updates - before.updates
  return {
    walBytes: per('wal'),
    commits: per('commits'),
    statements: per('statements'),
    ...(updates === 0 ? {} : { hotShare: (after.hotUpdates - before.hotUpdates) / updates }),
  }
}
