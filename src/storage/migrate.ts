// Brings a database to the shape this version needs; safe when several processes start at once.
import { Migrator } from 'kysely'
import { type Database, statement } from './database.ts'
import type { MigrationList } from './migration-list.ts'
import { coreMigrations } from './migrations/index.ts'

/**
 * Applies what is missing of `list`, in order, under the database's own lock. A step may have come after later ones were
 * applied: those who work at the same time number their steps before they know whose comes first.
 *
 * @returns the names of the steps applied now; throws with the step's name when one fails, or when the database has
 * a step that this version does not know
 */
export async function migrate(database: Database, list: MigrationList = coreMigrations): Promise<string[]> {
  const { steps, schema } = list
  // Looking needs two small statements; the migrator reads the catalog several times, at every start.
  if ((await hasSchema(database, list)) && isComplete(list, await appliedSteps(database, list), 'exactly')) {
    return []
  }
  const migrator = new Migrator({
    db: database.kysely,
    provider: { getMigrations: async () => ({ ...steps }) },
    allowUnorderedMigrations: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
  const { error, results } = await migrator.migrateToLatest()
  const failed = results?.find((result) => result.status === 'Error')
  if (failed !== undefined) throw new Error(`migration ${failed.migrationName} failed`, { cause: error })
  if (error !== undefined) {
    throw new Error(`the database cannot be migrated: ${(error as Error).message}`, { cause: error })
  }
  return (results ?? []).map((result) => result.migrationName)
}

const schemaFound = statement<{ found: boolean }>('select to_regclass($1) is not null as found')

/** Whether any step of `list` has ever been applied. */
export async function hasSchema(database: Database, list: MigrationList = coreMigrations): Promise<boolean> {
  const [row] = await database.run(schemaFound, [recordOf(list)])
  return row?.found === true
}

async function appliedSteps(database: Database, list: MigrationList): Promise<Set<string>> {
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
