// The steps that a set of tables has gone through: those of the gateway, or of a driver with tables of its own.
import { type Migration, sql } from 'kysely'
import type { OnlineIndexes } from './indexes.ts'
import { migrationPlanningSql } from './postgres/planning.ts'

export interface MigrationList {
  readonly steps: Readonly<Record<string, Migration>>
  /** Where the tables lie, and the record of the steps that were applied; undefined: in the gateway's own schema. */
  readonly schema?: string
  /** Built after the steps, beside those who work: of tables that grow. */
  readonly indexes?: OnlineIndexes
}

/** @param steps the SQL of each, by name, in order; none is changed once it was released */
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
