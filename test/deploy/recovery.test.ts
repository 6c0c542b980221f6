// Restore drill of docs/deploying.md: backup and log to any moment.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { giveToPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

const folder = mkdtempSync(join(tmpdir(), 'comporta-recovery-'))
const archive = join(folder, 'archive')
const base = join(folder, 'base')
const scripts = join(import.meta.dirname, '../../deploy/postgresql')

/** Settings of deploy/postgresql/comporta.conf with another archive and less memory. */
const settings = readFileSync(join(scripts, 'comporta.conf'), 'utf8')
  .split('\n')
  .filter((line) => /^\w/.test(line))
  .map((line) => line.replace(/ = /, '=').replace(/='(.*)'$/, '=$1'))
  .map((setting) => setting.replaceAll(/\/archive\b/g, archive))
  .filter((setting) => !/^(listen_addresses|shared_buffers)=/.test(setting))

let server: PostgresServer
let restored: PostgresServer | undefined
let world: World

beforeAll(async () => {
  mkdirSync(archive)
  giveToPostgres(folder)
  server = await startPostgres({ settings })
  await server.createDatabase('comporta')
  world = await startWorld({ databaseUrl: server.url('comporta') })
})
afterAll(async () => {
  await world.stop()
  await restored?.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(url: string, sql: string): Promise<Json[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A script in place of pg_basebackup, which the package of the test server lacks. */
async function takeBaseBackup(into: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  await client.query(`select pg_backup_start('drill', fast => true)`)
  const left = /\/(pg_wal|pg_replslot|pg_stat_tmp)\/.+|\/postmaster\.(pid|opts)$|\/pg_internal\.init/
  cpSync(server.dataFolder, into, { recursive: true, filter: (path) => !left.test(path) })
  const { rows } = await client.query('select labelfile from pg_backup_stop()')
  writeFileSync(join(into, 'backup_label'), rows[0].labelfile)
  await client.end()
}

function restore(data: string, moment: string, from = base) {
  const args = [join(scripts, 'restore.sh'), from, archive, data, moment]
  const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' })
  return { status, stderr }
}

it('the database is as it was at that moment: all before it, nothing after it', async () => {
  const token = await storeCard(world, cards.frictionless.number)
  await takeBaseBackup(base)
  const kept = await payByToken(world, token)
  await world.receiver.waitFor('/operation', 1)
  const [{ moment }] = await ask(server.url('postgres'), 'select clock_timestamp()::text as moment')
  const lost = await payByToken(world, token)
  const [{ segment }] = await ask(
    server.url('postgres'),
    'select pg_walfile_name(pg_switch_wal()) as segment',
  )
  await expect.poll(() => readdirSync(archive).includes(`${segment}.gz`)).toBe(true)

  restored = await startPostgres({
    // A practice restore must not write to the archive.
    settings: [...settings.filter((setting) => !setting.startsWith('archive_mode=')), 'archive_mode=off'],
    fill: (data) => expect(restore(data, moment)).toEqual({ status: 0, stderr: '' }),
  })
  const url = restored.url('comporta')
  await expect
    .poll(async () => (await ask(url, 'select pg_is_in_recovery() as recovers'))[0].recovers)
    .toBe(false)
  const operations = (await ask(url, 'select id from operations')).map(({ id }) => id)
  expect(operations).toContain(kept.id)
  expect(operations).not.toContain(lost.id)

  expectCleanBooks(url)
})

function expectCleanBooks(url: string): void {
  const environment = { PATH: process.env.PATH ?? '', DATA_DIR: world.dataDir, DATABASE_URL: url }
  const audit = spawnSync(process.execPath, ['bin/comporta.js', 'audit', '--json'], {
    cwd: join(import.meta.dirname, '../..'),
    env: environment,
    encoding: 'utf8',
  })
  expect(audit.status, audit.stdout + audit.stderr).toBe(0)
}

it('a file can be archived twice, but another one of its name is refused', async () => {
  const url = server.url('postgres')
  const archiver = async () => (await ask(url, 'select * from pg_stat_archiver'))[0]
  // PostgreSQL does not switch an empty segment.
  const next = async () => {
    await ask(url, `select pg_logical_emit_message(true, 'test', '')`)
    return (await ask(url, 'select pg_walfile_name(pg_switch_wal()) as segment'))[0].segment
  }
  const segment = await next()
  await expect.poll(async () => (await archiver()).last_archived_wal).toBe(segment)
  // Makes the state after a crash between the copy of a segment and its record.
  const status = join(server.dataFolder, 'pg_wal/archive_status', segment)
  expect((await archiver()).failed_count).toBe('0')
  renameSync(`${status}.done`, `${status}.ready`)
  await next()
  await expect.poll(() => existsSync(`${status}.done`)).toBe(true)
  expect((await archiver()).failed_count).toBe('0')
  const copy = join(archive, `${segment}.gz`)
  writeFileSync(copy, gzipSync('another log'))
  renameSync(`${status}.done`, `${status}.ready`)
  await next()
  await expect.poll(async () => (await archiver()).failed_count).not.toBe('0')
  expect(existsSync(`${status}.ready`)).toBe(true)
  // Without the wrong copy, PostgreSQL archives this segment and the next ones.
  rmSync(copy)
  await next()
  await expect.poll(() => existsSync(`${status}.done`)).toBe(true)
})

it('the script overwrites nothing, and accepts only a backup', () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'file'), '')
  expect(restore(other, '')).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') })
  const args = [join(scripts, 'restore.sh'), other, archive, join(folder, 'fresh')]
  expect(spawnSync('sh', args, { encoding: 'utf8' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has no backup_label'),
  })
})

it('both scripts run in a plain shell', () => {
  for (const script of ['restore.sh', 'base-backup.sh'])
    expect(execFileSync('sh', ['-n', join(scripts, script)], { encoding: 'utf8' })).toBe('')
})

function payMeanwhile(token: string) {
  let stopped = false
  const answered: string[] = []
  const customers = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const answer = await askToPay(world, token).catch(() => undefined)
      if (answer?.status === 200 && answer.body.status === 'COMPLETED') answered.push(answer.body.id)
    }
  })
  return {
    answered,
    async stop() {
      stopped = true
      await Promise.all(customers)
    },
  }
}

async function completedIn(url: string): Promise<Set<string>> {
  await expect
    .poll(async () => (await ask(url, 'select pg_is_in_recovery() as recovers'))[0].recovers)
    .toBe(false)
  const rows = await ask(url, `select id from operations where status = 'COMPLETED'`)
  return new Set(rows.map(({ id }) => id))
}

it('the server loses its disk under load: the archive is complete to its end, the synchronous standby has every answered payment', async () => {
  const url = server.url('comporta')
  const token = await storeCard(world, cards.frictionlessMastercard.number)
  const paying = payMeanwhile(token)
  const many = () => expect.poll(() => paying.answered.length, { interval: 20 })
  await many().toBeGreaterThan(10)

  // From now on every commit waits for the standby.
  await ask(url, `select pg_create_physical_replication_slot('standby', true)`)
  const second = join(folder, 'second')
  await takeBaseBackup(second)
  const { port } = new URL(url)
  const standby = await startPostgres({
    settings: [
      `primary_conninfo=host=127.0.0.1 port=${port} user=postgres application_name=standby`,
      'primary_slot_name=standby',
    ],
    fill(data) {
      cpSync(second, data, { recursive: true })
      chmodSync(data, 0o700)
      writeFileSync(join(data, 'standby.signal'), '')
    },
  })
  onTestFinished(() => standby.stop())
  await ask(url, `alter system set synchronous_standby_names = 'standby'`)
  await ask(url, 'select pg_reload_conf()')
  const state = async () => (await ask(url, 'select sync_state from pg_stat_replication'))[0]?.sync_state
  await expect.poll(state).toBe('sync')
  const synchronousFrom = paying.answered.length

  // The end of the archive: a switched and archived segment.
  await many().toBeGreaterThan(synchronousFrom + 20)
  const archived = [...paying.answered]
  const [{ segment }] = await ask(url, 'select pg_walfile_name(pg_switch_wal()) as segment')
  await expect.poll(() => readdirSync(archive).includes(`${segment}.gz`)).toBe(true)
  await many().toBeGreaterThan(archived.length + 20)

  // The gateway stops too. Otherwise the customers would wait for its next try.
  await server.kill()
  await world.kill()
  await paying.stop()
  rmSync(server.dataFolder, { recursive: true, force: true, maxRetries: 10 })

  await ask(standby.url('postgres'), 'select pg_promote()')
  const kept = await completedIn(standby.url('comporta'))
  expect(paying.answered.slice(synchronousFrom).filter((id) => !kept.has(id))).toEqual([])
  expectCleanBooks(standby.url('comporta'))

  const latest = await startPostgres({
    settings: [...settings.filter((setting) => !setting.startsWith('archive_mode=')), 'archive_mode=off'],
    fill: (data) => expect(restore(data, '', second)).toEqual({ status: 0, stderr: '' }),
  })
  onTestFinished(() => latest.stop())
  const found = await completedIn(latest.url('comporta'))
  expect(archived.filter((id) => !found.has(id))).toEqual([])
  expectCleanBooks(latest.url('comporta'))
})
