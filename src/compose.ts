// Wires every room: what each needs from beside or above it is handed in here, and nowhere else.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { callbackChecks, createCallbacks } from './callbacks/index.ts'
import { attemptChecks, createCards } from './cards/index.ts'
import { createCheckoutPages, createCheckouts } from './checkouts/index.ts'
import type { AuditReport, CommandContext } from './cli/context.ts'
import type { Config } from './config.ts'
import { type App, createApp, serveAssets } from './http/index.ts'
import { type Randomness, systemRandomness } from './kernel/random.ts'
import type { Keyring } from './kernel/sealing.ts'
import { type Clock, type Instant, systemClock } from './kernel/time.ts'
import { createLedger, ledgerChecks, openAccount } from './ledger/index.ts'
import { createOperations, operationChecks, topUpConsumer } from './operations/index.ts'
import { createSandbox, createSandboxClock, type SandboxClock } from './sandbox/index.ts'
import {
  type AuditCheck,
  createRequestsPurge,
  type Database,
  isCurrent,
  loadKeyring,
  lockDataDir,
  migrate,
  openPglite,
  openPostgres,
  recallRequest,
  rememberAnswer,
} from './storage/index.ts'
import { createWallets, type DemoWorld, type Wallets } from './wallets/index.ts'

/** A reason not to start, told in one line and without a stack. */
export class CannotStart extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'CannotStart'
  }
}

/** The browser files, built from `web/`. */
const builtWebFolder = join(import.meta.dirname, '..', 'dist', 'web')

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  version: string
}

/** What everything stands on. */
interface Ground {
  readonly config: Config
  readonly baseUrl: string
  readonly database: Database
  readonly keyring: Keyring
  readonly clock: Clock
  /** The same clock where it can be moved. */
  readonly sandboxClock?: SandboxClock | undefined
  readonly random: Randomness
  readonly logger: Logger
  close(): Promise<void>
}

/**
 * Takes the data folder, opens and migrates the database, loads the keys.
 *
 * @throws {@link CannotStart} in words a person can act on
 */
export async function openGround(config: Config, logger: Logger): Promise<Ground> {
  const { lock, database } = await openDatabase(config, logger)
  const close = async () => {
    await database.close()
    lock?.release()
  }
  try {
    const applied = await migrate(database)
    if (applied.length > 0) logger.info({ applied }, 'database migrated')
    const random = systemRandomness
    const keyring = await loadKeyring(config.masterKeyFile, { generate: config.generatesMasterKey, random })
    if (!keyring.ok) throw new CannotStart(keyring.refusal)
    const onError = (error: unknown) => logger.error({ err: error }, 'the sandbox clock could not be read')
    const sandboxClock =
      config.mode === 'sandbox'
        ? await createSandboxClock({ database, base: systemClock, onError })
        : undefined
    const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`
    const clock = sandboxClock ?? systemClock
    return { config, baseUrl, database, keyring: keyring.value, clock, sandboxClock, random, logger, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openDatabase(config: Config, logger: Logger) {
  if (config.databaseUrl !== undefined) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    const onConnectionError = (error: Error) => logger.warn({ err: error }, 'a database connection broke')
    return { database: openPostgres({ url: config.databaseUrl, onConnectionError }) }
  }
  const lock = lockDataDir(config.dataDir)
  if ('heldBy' in lock) {
    throw new CannotStart(
      `${config.dataDir} is in use by ${lock.heldBy}: stop it, or set DATA_DIR to another folder`,
    )
  }
  return { lock, database: await openPglite(join(config.dataDir, 'database')) }
}

/** The gateway without its address: every room, ready to serve and to work. */
export interface Gateway {
  readonly wallets: Wallets
  readonly commands: CommandContext
  /** Makes the demo world where it is missing, and writes demo.json. */
  demo(): Promise<DemoWorld>
  createApp(): App
  /** Begins to deliver, expire and resolve. */
  startWork(): Promise<void>
  /** Gives leases back and closes the database. */
  close(): Promise<void>
}

export function composeGateway(ground: Ground): Gateway {
  const { config, baseUrl, database, keyring, clock, random, logger } = ground
  const { mode } = config
  const sandboxClock = sandboxClockOf(ground)
  const metrics = new Registry()
  const onError = (error: unknown) => logger.error({ err: error }, 'work in the background failed')

  const ledger = createLedger({ database })
  const wallets = createWallets({
    database,
    clock,
    random,
    keyring,
    mode,
    openAccounts: async (tx, walletId, kind) => {
      await openAccount(tx, { walletId, kind })
    },
  })
  const callbacks = createCallbacks({
    database,
    clock,
    random,
    machineClock: systemClock,
    metrics,
    version,
    publicOnly: mode === 'production',
    endpointsOf: (walletId) => wallets.get(walletId),
    credentialsOf: (walletId) => wallets.callbackCredentials(walletId),
    onError,
  })
  const operations = createOperations({ database, clock, random, ledger, wallets, callbacks })
  const checkoutDeps = { database, clock, random, wallets, settle: operations.settle, baseUrl, mode, onError }
  const checkouts = createCheckouts(checkoutDeps)

  const due: { readonly kind: string; run(now: Instant): Promise<number> }[] = []
  const runDue = (now: Instant) => runEverythingDue(due, now)
  const sandbox = createSandbox({
    database,
    baseUrl,
    random,
    clock: sandboxClock,
    runDue,
    setCallbackUrls: (walletId, changes) => wallets.changeMerchant(walletId, changes),
    logger,
  })
  const cards = createCards({
    database,
    clock,
    random,
    keyring,
    acquirer: sandbox.acquirer,
    threeDSecure: sandbox.threeDSecure,
    baseUrl,
    owners: { checkout: checkouts.cardOwner },
    onError,
  })
  const purge = createRequestsPurge({ database, clock, onError })
  due.push(
    { kind: 'card_attempts', run: () => cards.resolver.runDue() },
    { kind: 'checkouts', run: () => checkouts.expiry.runDue() },
    { kind: 'callbacks', run: (now) => callbacks.runDue(now) },
    { kind: 'requests', run: () => purge.runDue() },
  )
  const manifestPath = join(builtWebFolder, 'manifest.json')
  const checks = [...ledgerChecks, ...operationChecks, ...attemptChecks, ...callbackChecks]

  function demo(): Promise<DemoWorld> {
    return wallets.createDemoWorld({
      dataDir: config.dataDir,
      baseUrl,
      authScheme: config.authSchemes[0] ?? 'Comporta',
      fundConsumer: (walletId, amount, operationId) =>
        topUpConsumer({ database, clock, random, ledger }, { walletId, amount, operationId }),
    })
  }

  return {
    wallets,
    commands: {
      wallets,
      audit: () => audit(database, checks),
      migrate: () => migrate(database),
      demo,
      clock: sandbox.commands,
    },
    demo,
    createApp() {
      const app = createApp({
        config: { baseUrl, mode, authSchemes: config.authSchemes, rateLimits: config.rateLimits },
        clock,
        random,
        authenticate: wallets.authenticate,
        ready: async () => {
          await database.ping()
          if (!(await isCurrent(database))) throw new Error('the database has migrations to come')
        },
        metrics,
        requests: {
          recall: (walletId, key) => recallRequest(database, walletId, key, clock.now()),
          remember: (walletId, id, answer) => rememberAnswer(database, walletId, id, answer),
        },
        logger,
      })
      const pages = createCheckoutPages({ ...checkoutDeps, cards, manifestPath })
      const rooms = [wallets, callbacks, operations, checkouts, cards, sandbox]
      for (const { routes } of rooms) routes(app)
      pages(app)
      serveAssets(app, { prefix: '/assets', root: builtWebFolder })
      return app
    },
    async startWork() {
      await wallets.start()
      await cards.listen()
      await Promise.all([cards.resolver.start(), checkouts.expiry.start(), purge.start(), callbacks.start()])
    },
    async close() {
      await Promise.all([cards.resolver.stop(), checkouts.expiry.stop(), purge.stop()])
      await cards.settled()
      await callbacks.stop()
      await ground.close()
    },
  }
}

/** The clock of the sandbox, which production has not: it refuses the sandbox's rails, and there are no others yet. */
function sandboxClockOf({ sandboxClock }: Ground): SandboxClock {
  if (sandboxClock !== undefined) return sandboxClock
  throw new CannotStart(
    'MODE=production needs rails to a real acquirer and 3-D Secure server; this version has only those of the sandbox',
  )
}

/** Runs all kinds until none has anything left: what one does may make another's work due. */
async function runEverythingDue(
  due: readonly { readonly kind: string; run(now: Instant): Promise<number> }[],
  now: Instant,
): Promise<Record<string, number>> {
  const ran: Record<string, number> = Object.fromEntries(due.map(({ kind }) => [kind, 0]))
  for (let worked = true; worked; ) {
    worked = false
    for (const { kind, run } of due) {
      const count = await run(now)
      ran[kind] = (ran[kind] ?? 0) + count
      worked ||= count > 0
    }
  }
  return ran
}

async function audit(database: Database, checks: readonly AuditCheck[]): Promise<AuditReport> {
  const report = {
    ok: true,
    checks: {} as Record<string, number>,
    problems: [] as AuditReport['problems'][number][],
  }
  for (const check of checks) {
    const { examined, findings } = await check.run(database)
    report.checks[check.name] = examined
    report.problems.push(...findings)
  }
  return { ...report, ok: report.problems.length === 0 }
}
