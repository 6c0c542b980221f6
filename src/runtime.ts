// The runtime: data folder, database, keys, clock.
import { existsSync, mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { finishRestore } from './backups/index.ts'
import { continueEventOrder } from './callbacks/index.ts'
import { readCell } from './cells/index.ts'
import { type Config, createHint, embeddedDatabaseIn, restoredDatabaseIn } from './config.ts'
import { urlOf } from './http/index.ts'
import { type Randomness, systemRandomness } from './kernel/random.ts'
import { type Clock, second, systemClock } from './kernel/time.ts'
import {
  bytesPerMebibyte,
  type Database,
  DatabaseUnavailable,
  hasSchema,
  type LiveKeyring,
  loadKeyring,
  lockDataDir,
  measureFreeSpace,
  migrate,
  OutdatedDatabase,
  openPglite,
  openPostgres,
} from './storage/index.ts'

/** A reason why the gateway cannot start. It is printed without a stack. */
export class CannotStart extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'CannotStart'
  }
}

const brokenExitCode = 1

export interface Runtime {
  readonly config: Config
  readonly baseUrl: string
  readonly database: Database
  readonly keyring: LiveKeyring
  readonly clock: Clock
  readonly random: Randomness
  readonly logger: Logger
  onError(error: unknown): void
  close(): Promise<void>
}

/** Without `create` an empty PostgreSQL stays empty. Throws {@link CannotStart}. */
export async function openRuntime(
  config: Config,
  logger: Logger,
  { create } = { create: true },
): Promise<Runtime> {
  const { lock, database } = await openDatabase(config, logger)
  const close = async () => {
    await database.close()
    lock?.release()
  }
  const onError = (error: unknown) => {
    // An unavailable database is logged once elsewhere, and the work is tried again.
    const isLoggedAlready = database.kind === 'postgres' && error instanceof DatabaseUnavailable
    if (!isLoggedAlready) logger.error({ err: error }, 'background work failed')
  }
  try {
    await reach(database)
    if (!create && !(await hasSchema(database))) {
      throw new CannotStart(`DATABASE_URL names a database without Comporta's tables; ${createHint}`)
    }
    // The keys are first: if this fails, the running version still has the database to itself.
    const keyring = await loadKeyring(config.masterKeyFile, {
      generate: config.generatesMasterKey,
      random: systemRandomness,
    })
    if (!keyring.ok) throw new CannotStart(keyring.refusal)
    const applied = await migrate(database).catch((error) => {
      throw error instanceof OutdatedDatabase ? new CannotStart(error.message) : error
    })
    if (applied.length > 0) logger.info({ applied }, 'database migrated')
    if (await continueEventOrder(database))
      logger.info('new events continue after those of the restored copy')
    database.onFailover(() => void continueEventOrder(database).catch(onError))
    const baseUrl = config.baseUrl ?? `${urlOf(config.host)}:${config.port}`
    const clock = systemClock
    // Each gateway needs an object of its own, because the ids of one source grow.
    const random: Randomness = { ...systemRandomness, cell: await readCell(database) }
    return { config, baseUrl, database, keyring: keyring.value, clock, random, logger, onError, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function reach(database: Database): Promise<void> {
  try {
    await database.ping()
  } catch (error) {
    const reason = ((error as Error).cause ?? error) as Error & { code?: string }
    throw new CannotStart(`the database cannot be used: ${reason.message || reason.code}`)
  }
}

async function openDatabase(config: Config, logger: Logger) {
  if (config.databaseUrl !== undefined) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    const onReach = (usable: boolean, reason: string) =>
      usable
        ? logger.info('the database can be used again')
        : logger.error({ reason }, 'the database cannot be used')
    const { databaseUrl: url, databaseConnections: connectionsMax } = config
    return { database: openPostgres({ url, connectionsMax, onReach }) }
  }
  const lock = lockDataDir(config.dataDir)
  if ('heldBy' in lock) {
    throw new CannotStart(
      `${config.dataDir} is in use by ${lock.heldBy}: stop it, or set DATA_DIR to another folder`,
    )
  }
  try {
    return { lock, database: await openEmbedded(config, logger) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Refuses to start if the disk is nearly full. If it fills later, the database becomes read-only. */
async function openEmbedded({ dataDir, diskFreeMinMb }: Config, logger: Logger): Promise<Database> {
  const freeBytesMin = diskFreeMinMb * bytesPerMebibyte
  const { freeBytes, short } = await measureFreeSpace(dataDir, freeBytesMin)
  if (short) {
    const free = Math.floor(freeBytes / bytesPerMebibyte)
    throw new CannotStart(
      `the disk of ${dataDir} has ${free} MiB free and DISK_FREE_MIN_MB asks for ${diskFreeMinMb}: make room there`,
    )
  }
  const folder = embeddedDatabaseIn(dataDir)
  finishRestore(folder, restoredDatabaseIn(dataDir))
  if (!existsSync(folder)) logger.info({ dataDir }, 'creating the database; this takes some seconds')
  return openPglite(folder, {
    freeBytesMin,
    vacuumEveryMs: 5 * second,
    onFreeSpace: ({ freeBytes, short }) => {
      const details = { dataDir, freeMb: Math.floor(freeBytes / bytesPerMebibyte), neededMb: diskFreeMinMb }
      if (short) logger.error(details, 'the disk is nearly full: writes are refused until space is free')
      else logger.warn(details, 'the disk has free space again: writes are accepted')
    },
    onBroken: (error) => {
      logger.fatal({ err: error }, 'the embedded database has stopped: comporta stops too, start it again')
      process.exit(brokenExitCode)
    },
  })
}
