// Once per test run: a real PostgreSQL, a migrated database of each kind for worlds to start from as a copy, a browser.
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
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
    /** Where data folders of tests lie: in memory where there is enough of it. Gone after the run. */
    scratch: string
  }
}

const postgresTemplate = 'migrated'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(scratchParent(), 'comporta-tests-'))
  const pgliteTemplate = join(scratch, 'template')
  mkdirSync(pgliteTemplate)
  const [server] = await Promise.all([
    startServer(),
    openPglite(pgliteTemplate).then((database) => migrateAndClose(database)),
    // Unpacked once: two browsers that start at the same time would write the same file.
    chromium.executablePath(),
  ])
  project.provide('postgresUrl', server.url('postgres'))
  project.provide('postgresTemplate', postgresTemplate)
  project.provide('pgliteTemplate', pgliteTemplate)
  project.provide('scratch', scratch)
  return async () => {
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

const memoryFolder = '/dev/shm'
const scratchBytes = 4 * 1024 ** 3

/** An embedded database is 1500 files: copying them costs a tenth of the processor time where no disk is involved. */
function scratchParent(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize > scratchBytes ? memoryFolder : tmpdir()
  } catch {
    return tmpdir()
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
