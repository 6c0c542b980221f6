// Once per test run: a real PostgreSQL, a migrated database of each kind for worlds to start from as a copy, a browser.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'
import { sandboxMigrations } from '../sandbox/migrations/index.ts'
import { type Database, migrate, openPglite, openPostgres } from '../src/storage/index.ts'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server's own database, to create others from. */
    postgresUrl: string
    /** The name of a migrated database on it, without rows and without connections. */
    postgresTemplate: string
    /** A folder with a migrated embedded database: making one anew costs seconds of processor time. */
    pgliteTemplate: string
  }
}

const postgresTemplate = 'migrated'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pgliteTemplate = mkdtempSync(join(tmpdir(), 'comporta-template-'))
  const [server] = await Promise.all([
    startServer(),
    openPglite(pgliteTemplate).then((database) => migrateAndClose(database)),
    // Unpacked once: two browsers that start at the same time would write the same file.
    chromium.executablePath(),
  ])
  project.provide('postgresUrl', server.url('postgres'))
  project.provide('postgresTemplate', postgresTemplate)
  project.provide('pgliteTemplate', pgliteTemplate)
  return async () => {
    await server.stop()
    rmSync(pgliteTemplate, { recursive: true, force: true })
  }
}

/**
 * The run makes some hundred databases and keeps none: copying one takes a sixth of the time without what a standby
 * or a crash of the machine would need, and autovacuum would visit each of them every minute.
 */
const serverSettings = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum_naptime=10min',
  'shared_buffers=64MB',
]

async function startServer() {
  const server = await startPostgres({ settings: serverSettings })
  await server.createDatabase(postgresTemplate)
  await migrateAndClose(openPostgres({ url: server.url(postgresTemplate) }))
  return server
}

async function migrateAndClose(database: Database): Promise<void> {
  await migrate(database)
  await migrate(database, sandboxMigrations)
  await database.close()
}
