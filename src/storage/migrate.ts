// Brings a database to the shape this version needs; safe when several processes start at once.
import { Migrator } from 'kysely'
import { type Database, statement } from './database.ts'
import { migrations } from './migrations/index.ts'

/**
 * Applies what is missing, in order, under the database's own lock. A step may have come after later ones were applied:
 * those who work at the same time number their steps before they know whose comes first.
 *
 * @returns the names of the steps applied now; throws with the step's name when one fails, or when the database has
 * a step that this version does not know
 */
export async function migrate(database: Database): Promise<string[]> {
  // Looking needs two small statements; the migrator reads the catalog several times, at every start.
  if ((await hasSchema(database)) && isComplete(await appliedSteps(database), 'exactly')) return []
  const migrator = new Migrator({
    db: database.kysely,
    provider: { getMigrations: async () => migrations },
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  const failed = results?.find((result) => result.status === 'Error')
  if (failed !== undefined) throw new Error(`migration ${failed.migrationName} failed`, { cause: error })
  if (error !== undefined) {
    throw new Error(`the database cannot be migrated: ${(error as Error).message}`, { cause: error })
  }
  return (results ?? []).map((result) => result.migrationName)
}

const schemaFound = statement<{ found: boolean }>(
  `select to_regclass('kysely_migration') is not null as found`,
)

/** Whether any step has ever been applied. */
export async function hasSchema(database: Database): Promise<boolean> {
  const [row] = await database.run(schemaFound)
  return row?.found === true
}

const selectSteps = statement<{ name: string }>('select name from kysely_migration')

async function appliedSteps(database: Database): Promise<Set<string>> {
  return new Set((await database.run(selectSteps)).map(({ name }) => name))
}

function isComplete(applied: ReadonlySet<string>, how: 'exactly' | 'or newer'): boolean {
  const own = Object.keys(migrations)
  return own.every((name) => applied.has(name)) && (how === 'or newer' || applied.size === own.length)
}

/** Whether every step of this version has been applied; a newer version, run beside it, may have applied more. */
export async function isCurrent(database: Database): Promise<boolean> {
  return isComplete(await appliedSteps(database), 'or newer')
}
