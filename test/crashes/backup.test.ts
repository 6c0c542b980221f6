// Backup and restore of the embedded database under payments and kills.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { programVersion } from '../../src/kernel/project-root.ts'
import { startCommand } from '../cli/command.ts'
import { freePort } from '../free-port.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'
import { kills } from './kills.ts'

const folder = mkdtempSync(join(inject('scratch'), 'comporta-backup-'))
const backup = join(folder, 'first.tar.gz')
let world: World
let token: string
const before: Json[] = []
const meanwhile: Json[] = []

beforeAll(async () => {
  world = await startWorld('pglite')
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

function newDataDir(): string {
  const dataDir = join(folder, randomUUID())
  mkdirSync(dataDir, { mode: 0o700 })
  copyFileSync(join(world.dataDir, 'master.key'), join(dataDir, 'master.key'))
  return dataDir
}

async function comporta(dataDir: string, args: readonly string[], environment: Record<string, string> = {}) {
  const command = startCommand([...args, '--json'], { DATA_DIR: dataDir, ...environment })
  const code = await command.ended
  return {
    code,
    said: command.said(),
    json: command.lines().length === 0 ? undefined : JSON.parse(command.lines().join('')),
  }
}

function text(): string {
  const path = join(folder, 'letter.tar.gz')
  writeFileSync(path, 'Dear Ana')
  return path
}

const refusal = (reason: RegExp) => ({
  code: 1,
  json: { error: { kind: 'backup', reason: expect.stringMatching(reason) } },
})

it('is made during payments, and contains every payment answered before', async () => {
  const pay = async (kept: Json[]) => kept.push(await payByToken(world, token))
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 4 }, () => pay(before)))
  let taken = false
  const taking = world.cli('backup', backup).finally(() => {
    taken = true
  })
  while (!taken) await Promise.all(Array.from({ length: 4 }, () => pay(meanwhile)))
  const { code, json } = await taking
  expect(code).toBe(0)
  expect(json).toMatchObject({ file: backup, keys: ['1'], bytes: statSync(backup).size })
  expect(json.counts.operations).toBeGreaterThanOrEqual(before.length)
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  expect(meanwhile.length).toBeGreaterThan(0)
  const names = execFileSync('tar', ['-tzf', backup], { encoding: 'utf8' })
  expect(names).toContain('database/backup_label')
  expect(names).not.toContain('master.key')
})

it('restores a gateway with these payments, new payments and correct books', async () => {
  const dataDir = newDataDir()
  expect(await comporta(dataDir, ['restore', backup])).toMatchObject({
    code: 0,
    json: { version: programVersion() },
  })
  const gateway = await startGatewayProcess({ dataDir, port: await freePort() })
  try {
    const restored = { ...world, shop: { ...world.shop, post: viaOf(gateway.baseUrl) } }
    const found = async ({ id }: Json) =>
      (
        await fetch(`${gateway.baseUrl}/api/v2/operations/${id}`, {
          headers: { authorization: `Comporta ${world.shop.api_key}` },
        })
      ).status
    expect(await Promise.all(before.map(found))).toEqual(before.map(() => 200))
    const next = await payByToken(restored as World, token)
    expect([...before, ...meanwhile].map(({ id }) => id)).not.toContain(next.id)
    expect(await comporta(dataDir, ['audit'])).toMatchObject({ code: 0, json: { ok: true, problems: [] } })
    expect(await comporta(dataDir, ['restore', backup, '--replace'])).toMatchObject(
      refusal(/in use by process/),
    )
  } finally {
    await gateway.stop()
  }
  mkdirSync(join(dataDir, 'database', 'lost+found'))
  writeFileSync(join(dataDir, 'database', 'made-by.hand'), 'Ana')
  const second = join(folder, 'stopped.tar.gz')
  expect(await comporta(dataDir, ['backup', second])).toMatchObject({ code: 0 })
  expect(await comporta(dataDir, ['restore', second])).toMatchObject(
    refusal(/there is a database in .*--replace/),
  )
  const { json } = await comporta(dataDir, ['restore', second, '--replace'])
  expect(json.counts.operations).toBeGreaterThan(before.length)
  expect(readdirSync(json.replaced)).toEqual(expect.arrayContaining(['PG_VERSION', 'lost+found']))
  const restored = readdirSync(join(dataDir, 'database'))
  expect(restored).toContain('made-by.hand')
  expect(restored).not.toContain('lost+found')
})

function viaOf(baseUrl: string): World['shop']['post'] {
  return async (path, body, headers) => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Comporta ${world.shop.api_key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
}

describe('a restore that is not possible', () => {
  let dataDir: string
  beforeAll(() => {
    dataDir = newDataDir()
    mkdirSync(join(dataDir, 'database'))
    writeFileSync(join(dataDir, 'database', 'PG_VERSION'), 'old')
  })

  function changed(change: (archive: Buffer) => Buffer): string {
    const path = join(folder, `${randomUUID()}.tar.gz`)
    writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(backup))), { level: 1 }))
    return path
  }
  const replacing = (from: string, to: string) =>
    changed((archive) => {
      const at = archive.indexOf(from)
      expect(at).toBeGreaterThan(0)
      archive.write(to, at)
      return archive
    })
  const ofSteps = (steps: string) =>
    changed((archive) => {
      const [start, block] = [archive.indexOf('{"format"'), 512]
      const end = archive.indexOf(0, start)
      const text = archive.toString('utf8', start, end).replace('"0001-baseline"', steps)
      expect(text.length).toBeLessThan(block)
      archive.fill(0, start, start + block).write(text, start)
      const head = archive.subarray(start - block, start)
      head.write(text.length.toString(8).padStart(11, '0'), 124)
      head.fill(' ', 148, 156)
      const sum = head.reduce((total, byte) => total + byte, 0)
      head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
      return archive
    })
  function cut(): string {
    const path = join(folder, 'cut.tar.gz')
    copyFileSync(backup, path)
    truncateSync(path, Math.floor(statSync(path).size / 2))
    return path
  }

  it.each([
    ['of a file that is not there', () => join(folder, 'nowhere.tar.gz'), /cannot be found: name a file/],
    ['of a folder', () => folder, /is a folder: name a file/],
    ['of a text', text, /is damaged, or is not a backup/],
    ['of a file that was cut', cut, /ends too early: copy the whole file/],
    ['of another archive', () => changed(() => Buffer.alloc(1024)), /is not a complete backup/],
    [
      'of a file that ends after a table',
      () => changed((all) => all.subarray(0, 512 * 4_000)),
      /is not a complete backup/,
    ],
    [
      'of a file with another byte',
      () => changed((all) => all.fill(7, all.length - 400_000, all.length - 399_999)),
      /is not a complete backup/,
    ],
    [
      'of a file that leads elsewhere',
      () => replacing('database/PG_VERSION', 'database/../../x'),
      /is not a complete backup/,
    ],
    [
      'of a file whose header lacks something',
      () => replacing('"keys"', '"kexs"'),
      /is not a complete backup/,
    ],
    [
      'of a newer version',
      () => ofSteps('"0001-baseline","0002-of-a-newer-version"'),
      /which is newer than this version/,
    ],
    ['of a version before 0.1.0', () => ofSteps('"0001-wallets"'), /made by a version before 0\.1\.0/],
  ])('%s is refused, and the old data stays', async (_, file, reason) => {
    expect(await comporta(dataDir, ['restore', file(), '--replace'])).toMatchObject(refusal(reason))
    expect(readdirSync(dataDir).sort()).toEqual(['database', 'lock', 'lock.pid', 'master.key'])
    expect(readFileSync(join(dataDir, 'database', 'PG_VERSION'), 'utf8')).toBe('old')
  })

  it('is refused before unpacking, without its master key or with another one', async () => {
    const other = newDataDir()
    writeFileSync(join(other, 'master.key'), `1 ${Buffer.alloc(32, 7).toString('base64')}\n`)
    expect(await comporta(other, ['restore', backup])).toMatchObject(
      refusal(/lacks the master key .*version 1/),
    )
    rmSync(join(other, 'master.key'))
    expect(await comporta(other, ['restore', backup])).toMatchObject(refusal(/master\.key cannot be read/))
    expect(readdirSync(other)).not.toContain('database')
  })

  it('on PostgreSQL names the right tool', async () => {
    const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    expect(await comporta(dataDir, ['restore', backup], environment)).toMatchObject({
      code: 1,
      json: { error: { kind: 'embedded_only', reason: expect.stringMatching(/pg_basebackup/) } },
    })
  })

  it('is refused if the disk has no room', async ({ skip }) => {
    const disk = mountSmallDisk(10)
    if (disk === undefined) return skip()
    onTestFinished(() => disk.remove())
    copyFileSync(join(world.dataDir, 'master.key'), join(disk.folder, 'master.key'))
    expect(await comporta(disk.folder, ['restore', backup])).toMatchObject(
      refusal(/MiB free, and the database needs/),
    )
    const file = join(disk.folder, 'too-large.tar.gz')
    expect(await world.cli('backup', file)).toMatchObject(refusal(/DISK_FREE_MIN_MB is 128/))
    expect(readdirSync(disk.folder)).not.toContain('too-large.tar.gz.part')
  })
})

it.each([
  ['that is there', () => backup, /exists already: name another file/],
  [
    'in a folder that is not',
    () => join(folder, 'none', 'x.tar.gz'),
    /cannot be found: name a file in a folder/,
  ],
  [
    'below a file',
    () => join(text(), 'x.tar.gz'),
    /letter\.tar\.gz is not a folder: name a file in a folder/,
  ],
  [
    'within the database',
    () => join(world.dataDir, 'database', 'x.tar.gz'),
    /is inside the database folder: name a file in another folder/,
  ],
])('is not written to a file %s', async (_, file, reason) => {
  const size = statSync(backup).size
  expect(await world.cli('backup', file())).toMatchObject(refusal(reason))
  expect(statSync(backup).size).toBe(size)
})

it('is not written to a read-only disk', async ({ skip }) => {
  const disk = mountSmallDisk(10)
  if (disk === undefined) return skip()
  onTestFinished(() => disk.remove())
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  expect(await world.cli('backup', join(disk.folder, 'x.tar.gz'))).toMatchObject(
    refusal(new RegExp(`the disk of ${disk.folder} is read-only`)),
  )
  expect(readdirSync(disk.folder)).toEqual([])
})

it.each(kills.backups)(
  'killed at "%s" (%i), leaves a draft, which the next one replaces',
  async (point, count) => {
    const file = join(folder, 'killed.tar.gz')
    await world.armCrash(point, count)
    const taking = world.cli('backup', file).catch(() => undefined)
    await world.crashed()
    await taking
    expect(existsSync(file)).toBe(false)
    await world.restart()
    expect(await world.cli('backup', file)).toMatchObject({ code: 0 })
    expect(existsSync(`${file}.part`)).toBe(false)
    expect(await comporta(newDataDir(), ['restore', file])).toMatchObject({ code: 0 })
  },
)

it.each(kills.restores)(
  'a restore killed at "%s" (%i) leaves the old database, or the new one',
  async (point, count) => {
    const dataDir = newDataDir()
    const database = join(dataDir, 'database')
    mkdirSync(database)
    writeFileSync(join(database, 'PG_VERSION'), 'old')
    const args = ['restore', backup, '--replace']
    const killed = await comporta(dataDir, args, { CRASH_AT: `${point}:${count}` })
    expect(killed).toMatchObject({ code: null, said: expect.stringContaining(point) })
    if (point === 'backup unpacked, not in its place') {
      expect(readFileSync(join(database, 'PG_VERSION'), 'utf8')).toBe('old')
      expect(await comporta(dataDir, args)).toMatchObject({ code: 0 })
    } else {
      expect(existsSync(database)).toBe(false)
      expect(await comporta(dataDir, ['restore', text(), '--replace'])).toMatchObject(refusal(/is damaged/))
      expect(await comporta(dataDir, ['audit'])).toMatchObject({ code: 0, json: { ok: true } })
    }
  },
)
