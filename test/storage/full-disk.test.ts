// On a full disk no answered payment is lost, the gateway refuses early, and nothing hangs.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { copyPgliteTemplate, createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { folderOnRealDisk, mountSmallDisk } from '../small-disk.ts'
import { type Answer, startWorld, type World } from '../world.ts'

const nobody = 65534
/** A fresh database takes 60 MiB of it. */
const smallDiskMb = 160
const marginMb = 40
const secondsToEnd = 60

/** A large body that does not compress. */
function largeCheckout(): Record<string, unknown> {
  const items = Array.from({ length: 60 }, () => ({ descr: randomBytes(700).toString('base64'), qt: 1 }))
  return {
    payment: { amount: 10, currency: 'EUR', items },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  }
}

const unavailable = (reason: string | RegExp) => ({
  status: 503,
  body: { code: 20008, reason: expect.stringMatching(reason) },
})

/** Returns the created ids and the first refusal. */
async function createUntilRefused(world: World): Promise<{ made: string[]; refused: Answer | undefined }> {
  const made: string[] = []
  for (;;) {
    const answer = await world.shop.post('/api/v2/checkout', largeCheckout()).catch(() => undefined)
    if (answer?.status !== 200) return { made, refused: answer }
    made.push(answer.body.id)
  }
}

describe('the embedded database', () => {
  it('refuses writes and serves reads while its disk is nearly full', async () => {
    const disk = mountSmallDisk(smallDiskMb) ?? folderOnRealDisk()
    vi.stubEnv('TMPDIR', disk.folder)
    const floorMb = disk.freeMb() < 2 * smallDiskMb ? marginMb : disk.freeMb() - 4 * marginMb
    const world = await startWorld('pglite', { DISK_FREE_MIN_MB: String(floorMb) })
    vi.unstubAllEnvs()
    const reason = /^the disk of the embedded database is nearly full: \d+ MiB are free, and writes need \d+$/
    try {
      const before = await world.createCheckout()
      disk.fillTo(floorMb - marginMb / 2)
      await world.eventually(async () => (await world.request('/readyz')).status === 503)
      expect(await world.request('/readyz')).toMatchObject(unavailable(reason))
      expect(await world.shop.post('/api/v2/checkout', largeCheckout())).toMatchObject(unavailable(reason))
      expect(await world.shop.get(`/api/v2/checkout/${before.id}`)).toMatchObject({ status: 200 })
      expect(await world.request('/healthz')).toMatchObject({ status: 200 })
      expect(world.output()).toContain('the disk is nearly full: writes are refused until space is free')

      disk.empty()
      await world.eventually(async () => (await world.request('/readyz')).status === 200)
      const { id } = await world.createCheckout()
      expect(await world.shop.get(`/api/v2/checkout/${id}`)).toMatchObject({ status: 200 })
    } finally {
      await world.stop()
      disk.remove()
    }
  })

  it('is not opened on a disk that is nearly full', async () => {
    const disk = folderOnRealDisk()
    const starting = startGatewayProcess({
      dataDir: join(disk.folder, 'data'),
      port: await freePort(),
      environment: { DISK_FREE_MIN_MB: '1000000000' },
    })
    await expect(starting).rejects.toThrow(
      /comporta cannot start: the disk of \S+ has \d+ MiB free and DISK_FREE_MIN_MB asks for 1000000000: make room/,
    )
    disk.remove()
  })

  it('that was stopped by a full disk ends its process, and has all that was answered when it starts again', async (context) => {
    const world = await startWorld('pglite', { DISK_FREE_MIN_MB: '0' })
    await world.kill()
    // Only the write-ahead log is on the small disk: its next segment of 16 MiB does not fit.
    const log = join(world.dataDir, 'database', 'pg_wal')
    const kept = `${log}-kept`
    cpSync(log, kept, { recursive: true })
    const disk = mountSmallDisk(smallDiskMb, log)
    if (disk === undefined) {
      await world.stop()
      return context.skip()
    }
    cpSync(kept, log, { recursive: true })
    disk.fillTo(8)
    try {
      await world.restart()
      const { made } = await createUntilRefused(world)
      await world.eventually(
        async () =>
          world.output().includes('the embedded database has stopped: comporta stops too, start it again'),
        secondsToEnd,
      )
      await expect(world.request('/healthz')).rejects.toThrow()
      disk.empty()
      await world.restart()
      expect(made.length).toBeGreaterThan(0)
      for (const id of made)
        expect(await world.shop.get(`/api/v2/checkout/${id}`)).toMatchObject({ status: 200 })
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    } finally {
      // The folder of the mount must be empty.
      await world.kill()
      disk.remove()
      await world.stop()
    }
  })
})

it('a process whose event loop hangs ends itself', async () => {
  const disk = folderOnRealDisk()
  copyPgliteTemplate(join(disk.folder, 'database'))
  const gateway = await startGatewayProcess({
    dataDir: disk.folder,
    port: await freePort(),
    environment: { WATCHDOG_SECONDS: '2', NODE_OPTIONS: '--inspect-port=0' },
  })
  process.kill(gateway.pid, 'SIGUSR1')
  const addressIn = (text: string) => /ws:\/\/127\.0\.0\.1:\S+/.exec(text)?.[0]
  await expect.poll(() => addressIn(gateway.output())).toBeDefined()
  const inspector = new WebSocket(addressIn(gateway.output()) ?? '')
  inspector.onopen = () =>
    inspector.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'for (;;);' } }))
  await expect.poll(gateway.output).toContain('comporta has made no progress for 2 seconds and stops')
  await expect(fetch(`${gateway.baseUrl}/healthz`)).rejects.toThrow()
  disk.remove()
})

it('a process whose embedded database hangs ends itself', async () => {
  const disk = folderOnRealDisk()
  const folder = join(disk.folder, 'database')
  copyPgliteTemplate(folder)
  const storage = new URL('../../src/storage/index.ts', import.meta.url).href
  const program = `
    const { openPglite, startWatchdog, statement } = await import('${storage}')
    const database = await openPglite('${folder}')
    startWatchdog(3, 'has not moved', () => database.ping())
    // Each answer shows the watchdog that the database is not stuck, so the process continues.
    for (let time = 0; time < 4; time++) await database.run(statement('select pg_sleep(1)'))
    process.stderr.write('was slow, and ')
    await database.run(statement('select pg_sleep(600)'))`
  writeFileSync(join(disk.folder, 'program.mjs'), program)
  const child = spawn(process.execPath, [join(disk.folder, 'program.mjs')])
  let output = ''
  child.stderr.on('data', (text) => {
    output += text
  })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  expect(output).toBe('was slow, and has not moved')
  disk.remove()
})

it('a PostgreSQL whose disk is full is unavailable, reads on, and takes writes again when there is room', async (context) => {
  const disk = mountSmallDisk(smallDiskMb)
  if (disk === undefined) return context.skip()
  chownSync(disk.folder, nobody, nobody)
  const databaseUrl = await createPostgresDatabase()
  const name = new URL(databaseUrl).pathname.slice(1)
  await onServer(databaseUrl, `create tablespace small_disk location '${disk.folder}'`)
  await onServer(databaseUrl, `alter database ${name} set tablespace small_disk`)
  const world = await startWorld({ databaseUrl })
  try {
    const before = await world.createCheckout()
    disk.fillTo(1)
    const { refused } = await createUntilRefused(world)
    expect(refused).toMatchObject(unavailable('the disk of the database is full'))
    await world.eventually(async () => (await world.request('/readyz')).status === 503)
    expect(await world.request('/readyz')).toMatchObject(unavailable('the disk of the database is full'))
    expect(await world.shop.get(`/api/v2/checkout/${before.id}`)).toMatchObject({ status: 200 })

    disk.empty()
    await world.eventually(async () => (await world.request('/readyz')).status === 200)
    await world.createCheckout()
  } finally {
    await world.stop()
    await onServer(databaseUrl, `alter database ${name} set tablespace pg_default`)
    await onServer(databaseUrl, 'drop tablespace small_disk')
    disk.remove()
  }
})

async function onServer(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl.replace(/\/[^/]*$/, '/postgres') })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
