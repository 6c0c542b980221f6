// Fresh databases for tests: PGlite in memory, or a new database on the run's real PostgreSQL.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, migrate, openPglite, openPostgres } from '../src/storage/index.ts'

export const databaseKinds = ['pglite', 'postgres'] as const
export type DatabaseKind = (typeof databaseKinds)[number]

/** An empty, migrated database of its own. The caller closes it. */
export async function openTestDatabase(kind: DatabaseKind): Promise<Database> {
  const database =
    kind === 'pglite' ? await openPglite() : openPostgres({ url: await createPostgresDatabase() })
  await migrate(database)
  return database
}

/** The address of a new, empty database on the run's PostgreSQL, for several processes or pools to share. */
export async function createPostgresDatabase(): Promise<string> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return server.replace(/\/postgres$/, `/${name}`)
}
