// Brings a database to the shape this version needs; safe when several processes start at once.
import { Migrator } from 'kysely'
import { type Database, statement } from './database.ts'
import { migrations } from './migrations/index.ts'

/**
 * Applies what is missing, in order, under the database's own lock.
 *
 * @returns the names of the steps applied now; throws with the step's name when one fails
 */
export async function migrate(database: Database): Promise<string[]> {
  const migrator = new Migrator({
    db: database.kysely,
    provider: { getMigrations: async () => migrations },
  })
  const { error, results } = await migrator.migrateToLatest()
  const failed = results?.find((result) => result.status === 'Error')
  if (error !== undefined) {
    throw new Error(`migration ${failed?.migrationName ?? ''} failed`, { cause: error })
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

const appliedCount = statement<{ applied: bigint }>('select count(*) as applied from kysely_migration')

/** Whether every step has been applied. */
export async function isCurrent(database: Database): Promise<boolean> {
  const [row] = await database.run(appliedCount)
  return row !== undefined && Number(row.applied) >= Object.keys(migrations).length
}
