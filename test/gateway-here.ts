// Gateways in the process of the test.
import { pino } from 'pino'
import { openSandbox } from '../sandbox/index.ts'
import { runCommand } from '../src/cli/commands/commands.ts'
import type { CommandContext } from '../src/cli/context.ts'
import { composeGateway } from '../src/compose.ts'
import { type Config, loadConfig } from '../src/config.ts'
import { drain } from '../src/http/index.ts'
import { type Crash, type CrashPoint, watchCrashPoints } from '../src/kernel/crash-points.ts'
import { openGateway } from '../src/main.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import type { Database, Executor, Statement } from '../src/storage/index.ts'
import { batchedFind } from '../src/storage/reads/batched.ts'
import { runHere } from './command-here.ts'
import { type DatabaseKind, usualDatabase } from './database.ts'
import type { GatewayOptions, GatewayProcess } from './gateway-process.ts'
import { judgesTimes, patienceSeconds } from './patience.ts'
import { throughCells } from './through-cells.ts'
import { startWorld, type World } from './world.ts'

/** The time for event streams that a test left open. Tests close their other connections. */
const drainGraceMs = 100

/**
 * A world whose gateway runs in this process, which saves a second at the start. It cannot be killed: for that,
 * `startWorld` starts a process.
 * @param kind the database; PostgreSQL is faster
 */
export function openWorld(
  kind: DatabaseKind | { readonly databaseUrl: string } = usualDatabase,
  environment: Record<string, string> = {},
): Promise<World> {
  const start = process.env.THROUGH_CELLS === '1' ? throughCells(openGatewayHere) : openGatewayHere
  return startWorld(kind, { CRASH_AT: '', ...environment }, undefined, start)
}

async function openGatewayHere(options: GatewayOptions): Promise<GatewayProcess> {
  const config = configOf(options)
  const lines: string[] = []
  const logger = pino({ level: config.logLevel }, { write: (line: string) => void lines.push(line) })
  const gateway = await openGateway(config, logger)
  lines.push(`${(await gateway.commands.demo?.())?.text}\n`)
  const shop = await gateway.openShop?.()
  const app = gateway.createApp(shop?.url)
  await app.listen({ host: config.host, port: config.port })
  await gateway.startWork()
  let stopped: Promise<number> | undefined
  const stop = async () => {
    await drain(app, { graceMs: drainGraceMs })
    shop?.close()
    await gateway.close()
    return 0
  }
  const cannotDie = () => Promise.reject(new Error('a gateway in the process of the test cannot be killed'))
  return {
    baseUrl: gateway.runtime.baseUrl,
    output: () => lines.join(''),
    pid: process.pid,
    cli: (args) => runHere(args, settingsOf(options), gateway.commands),
    stop: () => {
      stopped ??= stop()
      return stopped
    },
    kill: cannotDie,
    armCrash: cannotDie,
    crashed: cannotDie,
  }
}

function settingsOf({ dataDir, port, databaseUrl, environment }: GatewayOptions) {
  return {
    LOG_LEVEL: 'warn',
    PORT: String(port),
    ...environment,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  }
}

function configOf(options: GatewayOptions): Config {
  const config = loadConfig(settingsOf(options))
  if (!config.ok) throw new Error(config.refusal.join('\n'))
  return config.value
}

const never = new Promise<never>(() => undefined)

/** Thrown at the crash point. Later code has no further effect. */
class Died extends Error {}

/** One life of a gateway. After its death, none of its calls has an effect. */
class Life {
  ended = false
  hasCrashed = false
  crash: Crash | undefined
  readonly #atEnd = new Set<() => void>()
  #reached = 0

  arm(crash: Crash): void {
    this.crash = crash
    this.#reached = 0
  }

  reach(point: CrashPoint): void {
    if (this.ended) throw new Died()
    if (this.crash?.point !== point) return
    this.#reached += 1
    if (this.#reached < this.crash.count) return
    this.hasCrashed = true
    this.end()
    throw new Died()
  }

  end(): void {
    this.ended = true
    for (const onEnd of this.#atEnd) onEnd()
  }

  atEnd(onEnd: () => void): void {
    if (this.ended) onEnd()
    else this.#atEnd.add(onEnd)
  }

  async ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.ended) return never
    try {
      const answer = await work()
      return this.ended ? never : answer
    } catch (error) {
      if (this.ended) return never
      throw error
    }
  }

  /** After the death, the work gives its connection back and is rolled back. */
  whileAlive<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.atEnd(() => reject(new Died()))
      work.then(resolve, reject)
    })
  }
}

/**
 * A gateway in this process that can die at a crash point and restarts quickly. `npm run prove` kills real processes
 * instead. Tests of locks and half-written files call `startWorld`.
 */
export function startMortalWorld(kind: DatabaseKind = usualDatabase): Promise<World> {
  return judgesTimes ? startWorld(kind) : startWorldHere(kind)
}

export async function startWorldHere(kind: DatabaseKind = 'pglite'): Promise<World> {
  let runtime: Runtime | undefined
  const world = await startWorld(kind, { CRASH_AT: '' }, undefined, async (options) => {
    runtime ??= await openRuntime(configOf(options), pino({ level: 'silent' }))
    return startLife(runtime)
  })
  return {
    ...world,
    async stop() {
      await world.stop()
      await runtime?.close()
      watchCrashPoints(() => undefined)
    },
  }
}

async function startLife(shared: Runtime): Promise<GatewayProcess> {
  const life = new Life()
  watchCrashPoints((point) => life.reach(point))
  const opened = { ...shared, database: databaseOf(life, shared.database), close: async () => undefined }
  const sandbox = await openSandbox(opened)
  const gateway = composeGateway({ ...opened, clock: sandbox.clock }, sandbox.rails)
  const { clock, routes } = sandbox.mount(gateway, { authScheme: 'Comporta' })
  await gateway.demo()
  const app = gateway.createApp(routes('http://127.0.0.1:9'))
  const { host, port } = shared.config
  await app.listen({ host, port })
  await gateway.startWork()

  const dead = new Promise<void>((resolve) =>
    life.atEnd(() => {
      app.server.close(() => resolve())
      app.server.closeAllConnections()
    }),
  )
  async function kill(): Promise<void> {
    if (!life.ended) life.end()
    await dead
  }
  const commands: CommandContext = { ...gateway.commands, demo: gateway.demo, clock }
  return {
    baseUrl: shared.baseUrl,
    output: () => '',
    pid: process.pid,
    async cli(args) {
      const { json, exitCode } = await life.whileAlive(runCommand(commands, args))
      return { code: exitCode, text: JSON.stringify(json) }
    },
    kill,
    async stop() {
      await kill()
      return 0
    },
    async armCrash(point, count = 1) {
      life.arm({ point, count })
    },
    async crashed() {
      const late = setTimeout(kill, patienceSeconds * 1000)
      await dead
      clearTimeout(late)
      if (!life.hasCrashed)
        throw new Error(`the gateway did not come to the crash point "${life.crash?.point}"`)
    },
  }
}

function databaseOf(life: Life, shared: Database): Database {
  const read: Database['read'] = (text, parameters) => life.ask(() => shared.read(text, parameters))
  const within = (db: Executor): Executor => ({
    run: (statement, parameters) => life.ask(() => db.run(statement, parameters)),
    find: (lookup, key) => life.ask(() => db.find(lookup, key)),
  })
  return {
    ...shared,
    read,
    run: <Row>(statement: Statement<Row>, parameters?: readonly unknown[]) =>
      life.ask(() => shared.run(statement, parameters)),
    find: batchedFind(shared.kind, read),
    transaction: (work) => life.ask(() => shared.transaction((tx) => life.whileAlive(work(within(tx))))),
    connected: (work) => life.ask(() => shared.connected((db) => life.whileAlive(work(within(db))))),
    listen: (channel, onNotice) => shared.listen(channel, (payload) => life.ended || onNotice(payload)),
    notify: (channel, payload) => life.ask(() => shared.notify(channel, payload)),
    ping: () => life.ask(() => shared.ping()),
  }
}
