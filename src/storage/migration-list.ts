// Migration steps of the gateway, or of a driver with its own tables.
import { type Migration, sql } from 'kysely'
import type { OnlineIndexes } from './indexes.ts'
import { migrationPlanningSql } from './postgres/planning.ts'

export interface MigrationList {
  readonly steps: Readonly<Record<string, Migration>>
  /** The schema of the tables and of the step record. Default: the gateway's. */
  readonly schema?: string
  readonly indexes?: OnlineIndexes
}

/** `steps` by name, in order. Never change a released step. */
export function migrationList(steps: Readonly<Record<string, string>>, schema?: string): MigrationList {
  const migrations = Object.entries(steps).map(([name, text]): [string, Migration] => [
    name,
    {
      up: async (db) => {
        await sql.raw(migrationPlanningSql + text).execute(db)
      },
    },
  ])
  return { steps: Object.fromEntries(migrations), ...(schema === undefined ? {} : { schema }) }
}
