// The runtime: the data folder, the database, the keys and the clock that every module works with.
import { existsSync, mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { finishRestore } from './backups/index.ts'
import { continueEventOrder } from './callbacks/index.ts'
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
  lookAtFreeSpace,
  migrate,
  OutdatedDatabase,
  openPglite,
  openPostgres,
} from './storage/index.ts'

/** A reason not to start, printed in one line and without a stack. */
export class CannotStart extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'CannotStart'
  }
}

/** Of a process that ends itself because it cannot go on. */
const brokenExitCode = 1

/** What every module and every driver works with. */
export interface Runtime {
  readonly config: Config
  readonly baseUrl: string
  readonly database: Database
  readonly keyring: LiveKeyring
  /** The machine's, or one that can be moved for tests. */
  readonly clock: Clock
  readonly random: Randomness
  readonly logger: Logger
  /** Logs what failed while nobody waited for it. */
  onError(error: unknown): void
  close(): Promise<void>
}

/**
 * Takes the data folder, opens and migrates the database, loads the keys. Without `create` a
 * PostgreSQL that holds no schema yet is left as it is.
 *
 * @throws {@link CannotStart} in words a person can act on
 */
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
  try {
    await reach(database)
    if (!create && !(await hasSchema(database))) {
      throw new CannotStart(`DATABASE_URL names a database without Comporta's tables; ${createHint}`)
    }
    // One object a gateway: the ids that are made with it grow.
    const random: Randomness = { ...systemRandomness }
    // First: a gateway that cannot start leaves the database as it was, for the version that runs on it.
    const keyring = await loadKeyring(config.masterKeyFile, { generate: config.generatesMasterKey, random })
    if (!keyring.ok) throw new CannotStart(keyring.refusal)
    const applied = await migrate(database).catch((error) => {
      throw error instanceof OutdatedDatabase ? new CannotStart(error.message) : error
    })
    if (applied.length > 0) logger.info({ applied }, 'database migrated')
    if (await continueEventOrder(database)) logger.info('events go on after those of the restored copy')
    const baseUrl = config.baseUrl ?? `${urlOf(config.host)}:${config.port}`
    const clock = systemClock
    const onError = (error: unknown) => {
      // A database that cannot be reached is logged once, when that begins; what waits for it is retried.
      const isLoggedAlready = database.kind === 'postgres' && error instanceof DatabaseUnavailable
      if (!isLoggedAlready) logger.error({ err: error }, 'work in the background failed')
    }
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
    return { database: openPostgres({ url: config.databaseUrl, onReach }) }
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

/** Refuses to start on a disk that is nearly full; later the database only reads, and if it fails the process ends. */
async function openEmbedded({ dataDir, diskFreeMinMb }: Config, logger: Logger): Promise<Database> {
  const freeBytesMin = diskFreeMinMb * bytesPerMebibyte
  const { freeBytes, short } = await lookAtFreeSpace(dataDir, freeBytesMin)
  if (short) {
    const free = Math.floor(freeBytes / bytesPerMebibyte)
    throw new CannotStart(
      `the disk of ${dataDir} has ${free} MiB free and DISK_FREE_MIN_MB asks for ${diskFreeMinMb}: make room there`,
    )
  }
  const folder = embeddedDatabaseIn(dataDir)
  finishRestore(folder, restoredDatabaseIn(dataDir))
  if (!existsSync(folder)) logger.info({ dataDir }, 'making the database, which takes some seconds')
  return openPglite(folder, {
    freeBytesMin,
    vacuumEveryMs: 5 * second,
    onFreeSpace: ({ freeBytes, short }) => {
      const details = { dataDir, freeMb: Math.floor(freeBytes / bytesPerMebibyte), neededMb: diskFreeMinMb }
      if (short) logger.error(details, 'the disk is nearly full: writes are refused until there is room')
      else logger.warn(details, 'there is room on the disk again: writes are accepted')
    },
    onBroken: (error) => {
      logger.fatal({ err: error }, 'the embedded database has stopped: comporta ends, to be started again')
      process.exit(brokenExitCode)
    },
  })
}
