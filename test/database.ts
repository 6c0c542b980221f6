// Databases for tests. Each is a copy of a template that the run has made.
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openPglite, openPostgres, statement } from '../src/storage/index.ts'

export const databaseKinds = ['pglite', 'postgres'] as const
export type DatabaseKind = (typeof databaseKinds)[number]

/** Tests use PostgreSQL, which is faster, unless `DATABASE=pglite`. */
export const usualDatabase: DatabaseKind = process.env.DATABASE === 'pglite' ? 'pglite' : 'postgres'

/** The given database, or both with `DATABASES=both`. For long tests that do not depend on the kind of database. */
export function databasesOr(kind: DatabaseKind): readonly DatabaseKind[] {
  return process.env.DATABASES === 'both' ? databaseKinds : [kind]
}

/** The background work of each test database, which must end first. */
const workOn = new WeakMap<Database, (() => Promise<void>)[]>()

export async function openTestDatabase(kind: DatabaseKind): Promise<Database> {
  const opened =
    kind === 'pglite' ? await openPgliteCopy() : openPostgres({ url: await createPostgresDatabase() })
  const work: (() => Promise<void>)[] = []
  const database: Database = {
    ...opened,
    close: async () => {
      await Promise.all(work.map((stop) => stop()))
      await opened.close()
    },
  }
  workOn.set(database, work)
  return database
}

export function stopBeforeClose(database: Database, stop: () => Promise<void>): void {
  const work = workOn.get(database)
  if (work === undefined) throw new Error('open the database with openTestDatabase')
  work.push(stop)
}

export function copyPgliteTemplate(folder: string): void {
  cpSync(inject('pgliteTemplate'), folder, { recursive: true })
}

async function openPgliteCopy(): Promise<Database> {
  const folder = mkdtempSync(join(inject('scratch'), 'pglite-'))
  copyPgliteTemplate(folder)
  const database = await openPglite(folder)
  return {
    ...database,
    close: async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function waitingFor(database: Database): Promise<number> {
  const [row] = await database.run(waitingStatements)
  return Number(row?.count ?? 0)
}

const waitingStatements = statement<{ count: bigint }>(`
  select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)

export async function createPostgresDatabase(): Promise<string> {
  return createDatabaseFrom(inject('postgresTemplate'))
}

export async function createEmptyPostgresDatabase(): Promise<string> {
  return createDatabaseFrom('template1')
}

async function createDatabaseFrom(template: string): Promise<string> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  await client.end()
  return server.replace(/\/postgres$/, `/${name}`)
}
