// Brings a database to the shape this version needs; safe when several processes start at once.
import { setTimeout as pause } from 'node:timers/promises'
import { Migrator, sql } from 'kysely'
import { backoffMs } from '../kernel/time.ts'
import { type Database, statement } from './database.ts'
import { buildIndexes } from './indexes.ts'
import type { MigrationList } from './migration-list.ts'
import { coreMigrations } from './migrations/index.ts'

/**
 * Applies what is missing of `list`, and builds its indexes.
 *
 * @returns the names of the steps applied now; throws with the step's name when one fails, or when the database has
 * a step that this version does not know
 * @throws {@link OutdatedDatabase}
 */
export async function migrate(database: Database, list: MigrationList = coreMigrations): Promise<string[]> {
  const applied = await applySteps(database, list)
  if (list.indexes !== undefined) await buildIndexes(database, list.indexes)
  return applied
}

/**
 * Applies what is missing of the steps, in order, under the database's own lock. A step may have come after later ones were
 * applied: those who work at the same time number their steps before they know whose comes first.
 */
async function applySteps(database: Database, list: MigrationList): Promise<string[]> {
  const applied = (await hasSchema(database, list)) ? await appliedSteps(database, list) : undefined
  if (applied !== undefined && isOutdated(applied, list)) throw new OutdatedDatabase()
  // Looking needs two small statements; the migrator reads the catalog several times, at every start.
  if (applied !== undefined && isComplete(list, applied, 'exactly')) return []
  const steps = applied === undefined ? list.steps : await withTablesLocked(database, list, applied)
  for (let tries = 1; ; tries++) {
    const { error, results = [] } = await migratorOf(database, steps, list.schema).migrateToLatest()
    if (error === undefined) return results.map((result) => result.migrationName)
    const isConflict = lockConflicts.has((error as { code?: unknown }).code)
    if (isConflict && tries < triesMax) {
      await pause(backoffMs(pauseMsFirst, tries - 1, pauseMsMax))
      continue
    }
    const failed = results.find((result) => result.status === 'Error')
    const advice = isConflict ? `: its tables were in use each of ${tries} times, end what holds them` : ''
    if (failed !== undefined)
      throw new Error(`migration ${failed.migrationName} failed${advice}`, { cause: error })
    throw new Error(`the database cannot be migrated: ${(error as Error).message}`, { cause: error })
  }
}

/** The tables were made by a version before 0.1.0, whose steps no later version has. */
export class OutdatedDatabase extends Error {
  constructor() {
    super(
      'the database was made by a version before 0.1.0, which this version cannot update: name an empty database in DATABASE_URL, or an empty folder in DATA_DIR',
    )
    this.name = 'OutdatedDatabase'
  }
}

/** Whether a database that went through the steps `applied` lacks the first step of `list`. */
export function isOutdated(applied: Iterable<string>, list: MigrationList = coreMigrations): boolean {
  const [first] = Object.keys(list.steps)
  const names = [...applied]
  return names.length > 0 && first !== undefined && !names.includes(first)
}

/** A deadlock, or a lock that was not to be had in time. */
const lockConflicts: ReadonlySet<unknown> = new Set(['40P01', '55P03'])
/**
 * How long a step waits for a table: behind it waits everybody else who wants the table. Shorter than PostgreSQL looks
 * for deadlocks, so that the migration gives way.
 */
const lockMsMax = 500
/** All steps are one transaction: one that met with a conflict changed nothing. A dump that reads for ten minutes is waited for. */
const triesMax = 65
const pauseMsFirst = 500
const pauseMsMax = 10_000

function migratorOf(database: Database, steps: MigrationList['steps'], schema: string | undefined): Migrator {
  return new Migrator({
    db: database.kysely,
    provider: { getMigrations: async () => ({ ...steps }) },
    allowUnorderedMigrations: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
}

/** What payments write, in the order in which they do. */
const writtenTables = ['operations', 'postings', 'requests', 'events', 'deliveries']

const selectTables = statement<{ table: string }>(`
  select table_name as table from information_schema.tables
  where table_schema = current_schema() and table_name = any ($1::text[])
  order by array_position($1::text[], table_name::text)`)

/**
 * The steps, of which the first to be applied waits for the tables that payments write: while processes of the version
 * before go on working, steps that took them in an order of their own would meet those in a deadlock. None waits long for
 * a table that somebody reads, and nobody behind it.
 */
async function withTablesLocked(
  database: Database,
  { steps, schema }: MigrationList,
  applied: ReadonlySet<string>,
): Promise<MigrationList['steps']> {
  const first = Object.entries(steps).find(([name]) => !applied.has(name))
  if (first === undefined || schema !== undefined || database.kind !== 'postgres') return steps
  const tables = (await database.run(selectTables, [writtenTables])).map(({ table }) => table)
  if (tables.length === 0) return steps
  const [name, step] = first
  return {
    ...steps,
    [name]: {
      async up(db) {
        await sql.raw(`set local lock_timeout = ${lockMsMax}`).execute(db)
        await sql.raw(`lock table ${tables.join(', ')} in access exclusive mode`).execute(db)
        await step.up(db)
      },
    },
  }
}

const schemaFound = statement<{ found: boolean }>('select to_regclass($1) is not null as found')

/** Whether any step of `list` has ever been applied. */
export async function hasSchema(database: Database, list: MigrationList = coreMigrations): Promise<boolean> {
  const [row] = await database.run(schemaFound, [recordOf(list)])
  return row?.found === true
}

/** The names of the steps that this version knows. */
export const knownSteps: ReadonlySet<string> = new Set(Object.keys(coreMigrations.steps))

/** The names of the steps that the database has gone through. */
export async function appliedSteps(
  database: Database,
  list: MigrationList = coreMigrations,
): Promise<Set<string>> {
  const rows = await database.run(statement<{ name: string }>(`select name from ${recordOf(list)}`))
  return new Set(rows.map(({ name }) => name))
}

/** The table in which applied steps are written down. */
function recordOf({ schema }: MigrationList): string {
  return schema === undefined ? 'kysely_migration' : `${schema}.kysely_migration`
}

function isComplete(
  { steps }: MigrationList,
  applied: ReadonlySet<string>,
  how: 'exactly' | 'or newer',
): boolean {
  const own = Object.keys(steps)
  return own.every((name) => applied.has(name)) && (how === 'or newer' || applied.size === own.length)
}

/** Whether every step of this version has been applied; a newer version, run at the same time, may have applied more. */
export async function isCurrent(database: Database): Promise<boolean> {
  return isComplete(coreMigrations, await appliedSteps(database, coreMigrations), 'or newer')
}
