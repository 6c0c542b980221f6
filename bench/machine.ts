// The processes of a measurement, and the processor time of each.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../test/free-port.ts'
import { type GatewayProcess, startGatewayProcess } from '../test/gateway-process.ts'
import { startPostgres } from '../test/postgres-server.ts'
import { type Generator, type Receiver, startCounter, startGenerator } from './load.ts'
import type { Shop } from './shop.ts'

export interface Machine {
  readonly gateway: GatewayProcess
  readonly port: number
  readonly dataDir: string
  readonly generator: Generator
  readonly receiver: Receiver
  readonly shops: readonly Shop[]
  readonly countsFeatures?: boolean
  readonly postgres: { readonly url: string; readonly sql: pg.Client; readonly pid: number } | undefined
}

export function firstShop({ shops }: Machine): Shop {
  const [shop] = shops
  if (shop === undefined) throw new Error('the demo world has no merchant')
  return shop
}

/** Sends some requests before the measurement, because the first use compiles code and plans statements. */
export async function warmUp({ generator, port }: Machine, requests: readonly string[], seconds = 1) {
  await generator.run({ port, connections: 32, requests, seconds })
}

const cleanUps: (() => unknown)[] = []
let starting: Promise<unknown> = Promise.resolve()
let cleaning: Promise<void> | undefined

/** Ends every process and removes every folder of the benchmark, the last one first. */
export async function cleanUp(): Promise<void> {
  cleaning ??= cleanAll()
  await cleaning
  cleaning = undefined
}

async function cleanAll(): Promise<void> {
  await starting.catch(() => undefined)
  for (let next = cleanUps.pop(); next !== undefined; next = cleanUps.pop()) await next()
}

export function startMachine(database: 'postgres' | 'pglite'): Promise<Machine> {
  const machine = start(database)
  starting = machine
  return machine
}

async function start(database: 'postgres' | 'pglite'): Promise<Machine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'comporta-bench-'))
  cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const { generator, stop: stopGenerator } = startGenerator()
  cleanUps.push(stopGenerator)
  const { receiver, stop: stopReceiver } = await startCounter()
  cleanUps.push(stopReceiver)
  const postgres = database === 'postgres' ? await startDatabase() : undefined
  const port = await freePort()
  const gateway = await startGatewayProcess({
    dataDir,
    port,
    databaseUrl: postgres?.url,
    environment: { RATE_LIMITS: 'off', REQUEST_LOG_DAYS: process.env.REQUEST_LOG_DAYS ?? '7' },
    asStarted: true,
  })
  cleanUps.push(() => gateway.stop())
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { merchants: Shop[] }
  const shops = demo.merchants.map((merchant) => ({ ...merchant, baseUrl: gateway.baseUrl }))
  return { gateway, port, dataDir, generator, receiver, shops, postgres }
}

async function startDatabase() {
  const preload = 'shared_preload_libraries=pg_stat_statements'
  const server = await startPostgres({ settings: ['shared_buffers=256MB', 'max_wal_size=4GB', preload] })
  cleanUps.push(() => server.stop())
  await server.createDatabase('bench')
  const url = server.url('bench')
  const sql = new pg.Client({ connectionString: url })
  await sql.connect()
  cleanUps.push(() => sql.end())
  await sql.query('create extension pg_stat_statements')
  const pid = Number(readFileSync(join(server.dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  return { url, sql, pid }
}

export interface CpuSeconds {
  readonly gateway: number
  readonly postgres: number
  readonly generator: number
  readonly receiver: number
}

/** Processor time of each process; 0 if the system does not report it. */
export function cpuOf({ gateway, postgres, generator, receiver }: Machine): CpuSeconds {
  return {
    gateway: cpuSeconds(gateway.pid),
    postgres: postgres === undefined ? 0 : cpuOfServer(postgres.pid),
    generator: cpuSeconds(generator.pid),
    receiver: cpuSeconds(receiver.pid),
  }
}

/** On every Linux, `/proc/<pid>/stat` counts in hundredths of a second. */
const ticksPerSecond = 100

interface Process {
  readonly parent: number
  readonly seconds: number
}

function statOf(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
    return { parent, seconds: ticks / ticksPerSecond }
  } catch {
    return undefined
  }
}

function cpuSeconds(pid: number): number {
  return statOf(pid)?.seconds ?? 0
}

function cpuOfServer(pid: number): number {
  let seconds = cpuSeconds(pid)
  try {
    for (const entry of readdirSync('/proc')) {
      const stat = /^\d+$/.test(entry) ? statOf(Number(entry)) : undefined
      if (stat?.parent === pid) seconds += stat.seconds
    }
  } catch {
    return 0
  }
  return seconds
}

export function residentMb(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}

export function idleSeconds(): readonly [idle: number, total: number] | undefined {
  try {
    const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const times = first.trim().split(/\s+/).slice(1, 9).map(Number)
    const [, , , idle = 0, waiting = 0] = times
    return [idle + waiting, times.reduce((sum, time) => sum + time, 0)]
  } catch {
    return undefined
  }
}

export function idleShareSince(before: readonly [number, number] | undefined): number | undefined {
  const now = idleSeconds()
  if (before === undefined || now === undefined || now[1] === before[1]) return undefined
  return (now[0] - before[0]) / (now[1] - before[1])
}
