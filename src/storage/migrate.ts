// Migrations, safe for several processes that start at once.
import { setTimeout as pause } from 'node:timers/promises'
import { Migrator, sql } from 'kysely'
import { backoffMs } from '../kernel/time.ts'
import { type Database, statement } from './database.ts'
import { buildIndexes } from './indexes.ts'
import { coreMigrations, type MigrationList } from './migrations/index.ts'

/** Applies missing steps and builds indexes. Throws for an unknown step, and {@link OutdatedDatabase}. */
export async function migrate(database: Database, list: MigrationList = coreMigrations): Promise<string[]> {
  const applied = await applySteps(database, list)
  if (list.indexes !== undefined) await buildIndexes(database, list.indexes)
  return applied
}

/** Runs under the database's lock. Steps may be out of order: parallel work numbers them in advance. */
async function applySteps(database: Database, list: MigrationList): Promise<string[]> {
  const applied = (await hasSchema(database, list)) ? await appliedSteps(database, list) : undefined
  if (applied !== undefined && isOutdated(applied, list)) throw new OutdatedDatabase()
  // This check is cheap. The migrator would read the catalog several times at every start.
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
    const advice = isConflict
      ? `: its tables were locked in all ${tries} tries: end the transactions that hold them`
      : ''
    if (failed !== undefined)
      throw new Error(`migration ${failed.migrationName} failed${advice}`, { cause: error })
    throw new Error(`the database cannot be migrated: ${(error as Error).message}`, { cause: error })
  }
}

export class OutdatedDatabase extends Error {
  constructor() {
    super(
      'the database is older than 0.1.0 and cannot be updated: set DATABASE_URL to an empty database, or DATA_DIR to an empty folder',
    )
    this.name = 'OutdatedDatabase'
  }
}

export function isOutdated(applied: Iterable<string>, list: MigrationList = coreMigrations): boolean {
  const [first] = Object.keys(list.steps)
  const names = [...applied]
  return names.length > 0 && first !== undefined && !names.includes(first)
}

const lockConflicts: ReadonlySet<unknown> = new Set(['40P01', '55P03'])
/** This wait is shorter than the deadlock timeout: all later lock requests wait for the migration's request. */
const lockMsMax = 500
/** All steps are one transaction, so a conflict changes nothing. The tries outlast a dump of ten minutes. */
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

const writtenTables = ['operations', 'postings', 'requests', 'events', 'deliveries']

const selectTables = statement<{ table: string }>(`
  select table_name as table from information_schema.tables
  where table_schema = current_schema() and table_name = any ($1::text[])
  order by array_position($1::text[], table_name::text)`)

/** Locks the tables of payments first: steps lock in another order, and a deadlock could follow. */
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

export async function hasSchema(database: Database, list: MigrationList = coreMigrations): Promise<boolean> {
  const [row] = await database.run(schemaFound, [recordOf(list)])
  return row?.found === true
}

export const knownSteps: ReadonlySet<string> = new Set(Object.keys(coreMigrations.steps))

export async function appliedSteps(
  database: Database,
  list: MigrationList = coreMigrations,
): Promise<Set<string>> {
  const rows = await database.run(statement<{ name: string }>(`select name from ${recordOf(list)}`))
  return new Set(rows.map(({ name }) => name))
}

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

/** True if all steps are applied. A newer version may have applied more. */
export async function isCurrent(database: Database): Promise<boolean> {
  return isComplete(coreMigrations, await appliedSteps(database, coreMigrations), 'or newer')
}
