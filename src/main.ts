// Starts and stops the gateway, in one process or several.
import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { stopFirst } from './cells/index.ts'
import { runCommand } from './cli/commands/commands.ts'
import type { CommandContext } from './cli/context.ts'
import { serveControlSocket } from './cli/control-socket.ts'
import { composeGateway, type Gateway } from './compose.ts'
import type { Config } from './config.ts'
import type { Driver } from './connections/index.ts'
import { type App, drain } from './http/index.ts'
import { armCrashPoint, listenForCrashPoints } from './kernel/crash-points.ts'
import { programVersion } from './kernel/project-root.ts'
import { backoffMs, minute, second } from './kernel/time.ts'
import { checkProduction, openProduction, servedInWords } from './production.ts'
import { CannotStart, openRuntime, type Runtime } from './runtime.ts'
import { type Database, startWatchdog } from './storage/index.ts'

const drainGraceMs = 10_000
/**
 * A stop takes this long at most, even if the database or a rail is silent. Nothing is lost, as in a crash.
 */
const stopMsMax = 25 * second
const connectionsToAcceptMax = 4096
const restartPauseMs = 1 * second
const restartPauseMsMax = 30 * second
const livesLongMs = minute
const shopUrlVariable = 'COMPORTA_SHOP_URL'

export interface OpenOptions {
  readonly create: boolean
  /** Called only in the process that was started, not in its workers. */
  readonly onListening?: () => void
  readonly drivers?: readonly Driver[] | undefined
}

export async function serve(config: Config, options: OpenOptions = { create: true }): Promise<number> {
  const logger = createLogger(config)
  try {
    const settled = { ...config, port: config.port === 0 ? await freePort(config.host) : config.port }
    if (config.workers > 1 && cluster.isPrimary) return await serveByWorkers(settled, logger, options)
    return await serveHere(settled, logger, options)
  } catch (error) {
    if (!(error instanceof CannotStart) && !isPortTaken(error)) throw error
    process.stderr.write(`comporta cannot start: ${(error as Error).message}\n`)
    return 1
  } finally {
    // The channel to the primary would keep a worker alive.
    cluster.worker?.disconnect()
  }
}

async function serveHere(config: Config, logger: Logger, options: OpenOptions): Promise<number> {
  const stopped = untilStopSignal()
  armCrash(config)
  // Telemetry starts before anything is composed. Its libraries are loaded only if it is configured.
  const telemetry = config.telemetry && (await startTelemetry(config.telemetry, logger))
  const gateway = await openGateway(config, logger, options)
  const watchdog = watchdogOf(config, gateway.runtime.database)
  let app: App | undefined
  let control: { close(): Promise<void> } | undefined
  let shop: DemoShop | undefined
  const stopping = new AbortController()
  const { backup, ...commands } = gateway.commands
  const stoppable = {
    ...commands,
    // This process has read the number already.
    cell: { ...commands.cell, set: async () => stopFirst },
    ...(backup && { backup: (file: string) => backup(file, stopping.signal) }),
  }
  try {
    if (cluster.isPrimary) await gateway.introduce()
    let shopUrl = process.env[shopUrlVariable]
    if (shopUrl === undefined) {
      shop = await gateway.openShop?.()
      shopUrl = shop?.url
    }
    app = gateway.createApp(shopUrl)
    // The socket opens before the gateway is ready, so that the next command finds it.
    if (config.databaseUrl === undefined) {
      control = await serveControlSocket({
        dataDir: config.dataDir,
        runCommand: (args) => runCommand(stoppable, args),
      })
    }
    await app.listen({ host: config.host, port: config.port, backlog: connectionsToAcceptMax })
    await gateway.startWork()
    telemetry?.sendMetrics(gateway.metrics)
    logger.info({ url: gateway.runtime.baseUrl, mode: config.mode }, 'comporta is ready')
    if (cluster.isPrimary) options.onListening?.()
    const reason = await stopped
    logger.info({ reason }, 'comporta is stopping')
  } finally {
    stopping.abort()
    if (app !== undefined) await drain(app, { graceMs: drainGraceMs })
    shop?.close()
    await control?.close()
    // The last metrics need the database. The last spans end with the callbacks.
    await telemetry?.stopMetrics()
    await gateway.close()
    await telemetry?.stop()
    await watchdog?.stop()
    // Without this, a request to a silent collector would keep the process alive.
    if (telemetry) setTimeout(() => process.exit(), 1 * second).unref()
  }
  logger.info('comporta has stopped')
  return 0
}

async function startTelemetry(settings: NonNullable<Config['telemetry']>, logger: Logger) {
  const library = await import('./telemetry/index.ts')
  return library.startTelemetry(settings, programVersion(), (problem) =>
    logger.warn({ problem }, 'telemetry could not be sent'),
  )
}

function armCrash({ crashAt }: Config): void {
  if (crashAt === 'parent') listenForCrashPoints()
  else if (crashAt !== undefined) armCrashPoint(crashAt)
}

/** Only the embedded database can block this process. PostgreSQL cannot. */
function watchdogOf({ databaseUrl, watchdogSeconds: seconds }: Config, database: Database) {
  if (databaseUrl !== undefined || seconds === 0) return undefined
  return startWatchdog(
    seconds,
    `comporta has made no progress for ${seconds} seconds and stops: check the disk, then start it again\n`,
    () => database.ping(),
  )
}

interface OpenGateway extends Pick<Gateway, 'startWork' | 'close' | 'metrics'> {
  readonly runtime: Runtime
  readonly commands: CommandContext
  introduce(): Promise<void>
  createApp(shopUrl: string | undefined): App
  openShop?(): Promise<DemoShop>
}

interface DemoShop {
  readonly url: string
  close(): void
}

/** Opens a gateway. The sandbox is loaded only in its mode. Throws {@link CannotStart}. */
export async function openGateway(
  config: Config,
  logger: Logger,
  options: OpenOptions = { create: true },
): Promise<OpenGateway> {
  // This is first, because a production build has no sandbox and refuses.
  const sandboxed = config.mode === 'sandbox' ? await import('../sandbox/index.ts') : undefined
  const opened = await openRuntime(config, logger, options)
  try {
    if (sandboxed === undefined) {
      const drivers = options.drivers ?? (await import('../drivers/index.ts')).drivers
      return await openWithDrivers(opened, driversNamed(config.rails, drivers))
    }
    const sandbox = await sandboxed.openSandbox(opened)
    const runtime = { ...opened, clock: sandbox.clock }
    const gateway = composeGateway(runtime, sandbox.rails)
    const { clock, routes } = sandbox.mount(gateway, { authScheme: config.authSchemes[0] ?? 'Comporta' })
    const { commands, demo, startWork, close, metrics } = gateway
    return {
      runtime,
      commands: { ...commands, demo, clock },
      introduce: async () => show((await demo()).text),
      createApp: (shopUrl) => gateway.createApp(shopUrl === undefined ? undefined : routes(shopUrl)),
      openShop: () => sandboxed.openDemoShop({ ...runtime, demoFile: join(config.dataDir, 'demo.json') }),
      startWork,
      close,
      metrics,
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

function driversNamed(names: Config['rails'], drivers: readonly Driver[]): readonly Driver[] {
  if (names === undefined) return drivers
  const unknown = names.find((name) => drivers.every((driver) => driver.name !== name))
  if (unknown !== undefined || names.length === 0) {
    const known = drivers.map((driver) => driver.name).join(', ')
    throw new CannotStart(
      `RAILS must be a comma list of drivers (${known}), not ${JSON.stringify(unknown ?? '')}`,
    )
  }
  return drivers.filter((driver) => names.includes(driver.name))
}

async function openWithDrivers(runtime: Runtime, drivers: readonly Driver[]): Promise<OpenGateway> {
  const { createApp, commands, served, startWork, close, metrics } = await openProduction(runtime, drivers)
  return {
    runtime,
    commands,
    async introduce() {
      await checkProduction(runtime)
      const { gateway: methods, merchants } = served()
      runtime.logger.info(
        { served: [...methods], merchantsWithConnections: merchants.length },
        'available payment methods',
      )
      show(servedInWords(served()))
    },
    createApp,
    startWork,
    close,
    metrics,
  }
}

function show(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The primary creates the demo world, opens the shop and restarts workers. The workers serve. */
async function serveByWorkers(config: Config, logger: Logger, options: OpenOptions): Promise<number> {
  const stopped = untilStopSignal()
  const gateway = await openGateway(config, logger, options)
  await gateway.introduce()
  const shop = await gateway.openShop?.()
  await gateway.close()

  cluster.once('listening', () => options.onListening?.())
  let stopping = false
  let endedInARow = 0
  let lastEnd = performance.now()
  const environment = {
    ...process.env,
    PORT: String(config.port),
    ...(shop && { [shopUrlVariable]: shop.url }),
  }
  for (let count = 0; count < config.workers; count++) cluster.fork(environment)
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    if (performance.now() - lastEnd > livesLongMs) endedInARow = 0
    lastEnd = performance.now()
    // All workers may have ended for the same reason, so one end of each counts as one.
    const timesEach = Math.floor(endedInARow / config.workers)
    const pauseMs = backoffMs(restartPauseMs, timesEach, restartPauseMsMax)
    endedInARow += 1
    logger.error(
      { pid: worker.process.pid, code, signal, pauseMs },
      'a worker process has ended and is replaced',
    )
    setTimeout(() => stopping || cluster.fork(environment), pauseMs)
  })
  await stopped
  stopping = true
  const workers = Object.values(cluster.workers ?? {})
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          if (worker === undefined || worker.isDead()) return resolve()
          worker.once('exit', () => resolve())
          worker.process.kill('SIGTERM')
        }),
    ),
  )
  shop?.close()
  return 0
}

function untilStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (signal: string) => {
      setTimeout(endAsItIs, stopMsMax).unref()
      resolve(signal)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
  })
}

function endAsItIs(): never {
  process.stderr.write(`comporta could not stop within ${stopMsMax / second} seconds, and ends as it is\n`)
  process.exit(1)
}

const redacted = [
  'authorization',
  'proxy-authorization',
  'x-esb-token',
  'number',
  'vcode',
  'newCard',
  'apikey',
  'pin',
  'secret',
].flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`])

function createLogger({ logLevel }: Config): Logger {
  return pino({ level: logLevel, redact: redacted }, pino.destination({ dest: 1, sync: false }))
}

function isPortTaken(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL'
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
