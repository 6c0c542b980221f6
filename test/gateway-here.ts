// The gateway in this process, on one embedded database: it dies at a crash point, and is started again, within a fraction of a second.
import { pino } from 'pino'
import { openSandbox } from '../sandbox/index.ts'
import { runCommand } from '../src/cli/commands/commands.ts'
import type { CommandContext } from '../src/cli/context.ts'
import { composeGateway } from '../src/compose.ts'
import { loadConfig } from '../src/config.ts'
import { type Crash, type CrashPoint, watchCrashPoints } from '../src/kernel/crash-points.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import type { Database, Executor, Statement } from '../src/storage/index.ts'
import { findTogether } from '../src/storage/reads/grouped.ts'
import type { GatewayOptions, GatewayProcess } from './gateway-process.ts'
import { startWorld, type World } from './world.ts'

/** Until a gateway that never comes to its crash point is given up. */
const crashSecondsMax = 30
const never = new Promise<never>(() => undefined)

/** Thrown at the crash point: what the code still does there reaches nothing. */
class Died extends Error {}

/** From the start of a gateway to its death: nothing that it asks for afterwards is done, or answered. */
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

  /** What has a connection gives it back at the end, and is rolled back. */
  whileAlive<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.atEnd(() => reject(new Died()))
      work.then(resolve, reject)
    })
  }
}

/** A world whose gateway lives in this process. Its commands run here too. */
export async function startWorldHere(): Promise<World> {
  let runtime: Runtime | undefined
  let running: Running | undefined
  const world = await startWorld('pglite', {}, undefined, async (options) => {
    runtime ??= await openHere(options)
    running = await startLife(runtime)
    return running.process
  })
  return {
    ...world,
    async cli(...args) {
      if (running === undefined) throw new Error('no gateway runs')
      const { json, text, exitCode } = await running.untilDeath(runCommand(running.commands, args))
      return { code: exitCode, json, text }
    },
    async stop() {
      await world.stop()
      await runtime?.close()
      watchCrashPoints(() => undefined)
    },
  }
}

function openHere({ dataDir, port, environment }: GatewayOptions): Promise<Runtime> {
  const config = loadConfig({ ...environment, CRASH_AT: '', DATA_DIR: dataDir, PORT: String(port) })
  if (!config.ok) throw new Error(config.refusal.join('\n'))
  return openRuntime(config.value, pino({ level: 'silent' }))
}

interface Running {
  readonly process: GatewayProcess
  readonly commands: CommandContext
  /** Rejects when the gateway dies. */
  untilDeath<T>(work: Promise<T>): Promise<T>
}

async function startLife(shared: Runtime): Promise<Running> {
  const life = new Life()
  watchCrashPoints((point) => life.reach(point))
  const opened = { ...shared, database: databaseOf(life, shared.database), close: async () => undefined }
  const sandbox = await openSandbox(opened)
  const gateway = composeGateway({ ...opened, clock: sandbox.clock }, sandbox.rails)
  const { clock, routes } = sandbox.attach(gateway, { authScheme: 'Comporta' })
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
  return {
    untilDeath: (work) => life.whileAlive(work),
    commands: { ...gateway.commands, demo: gateway.demo, clock },
    process: {
      baseUrl: shared.baseUrl,
      output: () => '',
      pid: process.pid,
      kill,
      async stop() {
        await kill()
        return 0
      },
      async armCrash(point, count = 1) {
        life.arm({ point, count })
      },
      async crashed() {
        const late = setTimeout(kill, crashSecondsMax * 1000)
        await dead
        clearTimeout(late)
        if (!life.hasCrashed)
          throw new Error(`the gateway did not come to the crash point "${life.crash?.point}"`)
      },
    },
  }
}

/** `shared`, as a gateway reaches it while it lives. */
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
    find: findTogether(shared.kind, read),
    transaction: (work) => life.ask(() => shared.transaction((tx) => life.whileAlive(work(within(tx))))),
    connected: (work) => life.ask(() => shared.connected((db) => life.whileAlive(work(within(db))))),
    listen: (channel, onNotice) => shared.listen(channel, (payload) => life.ended || onNotice(payload)),
    notify: (channel, payload) => life.ask(() => shared.notify(channel, payload)),
    ping: () => life.ask(() => shared.ping()),
  }
}
