// Every step the database has gone through, in order. Steps are never changed once released; add another.
import { type Migration, sql } from 'kysely'
import * as ledgerAndOperations from './0002-ledger-and-operations.ts'
import * as requests from './0003-requests.ts'

const steps = {
  '0002-ledger-and-operations': ledgerAndOperations.sql,
  '0003-requests': requests.sql,
} as const

export const migrations: Record<string, Migration> = Object.fromEntries(
  Object.entries(steps).map(([name, text]) => [
    name,
    {
      up: async (db) => {
        await sql.raw(text).execute(db)
      },
    },
  ]),
)
