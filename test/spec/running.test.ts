// Gateway processes on PostgreSQL, and production mode.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { programVersion } from '../../src/kernel/project-root.ts'
import { hasSchema, openPostgres, statement } from '../../src/storage/index.ts'
import { formTo, openPage } from '../browserless.ts'
import { runHere } from '../cli/run-here.ts'
import { createEmptyPostgresDatabase, createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { startPostgres } from '../postgres-server.ts'
import { cards, startWorld } from '../world.ts'

const cli = join(import.meta.dirname, '..', '..', 'bin', 'comporta.js')
const masterKey = `1 ${Buffer.alloc(32, 7).toString('base64')}\n`

it('pays whichever process took the card, got the answer of the issuer, or serves the next page', async () => {
  const world = await startWorld('postgres', { WORKERS: '3' })
  try {
    const checkouts = await Promise.all(Array.from({ length: 6 }, () => world.createCheckout()))
    await Promise.all(checkouts.map((checkout) => world.payOnPage(checkout, cards.challenge)))
    for (const { payment } of checkouts) {
      await world.eventually(async () => (await world.operation(payment.id)).status === 'COMPLETED')
      await world.eventually(async () =>
        world.receiver.received('/callbacks').some(({ body }) => body.includes(payment.id)),
      )
    }
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  } finally {
    await world.stop()
  }
})

it('starts in production without a connection to any provider, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-production-'))
  const keyFile = join(folder, 'master.key')
  writeFileSync(keyFile, masterKey, { mode: 0o600 })
  const environment = {
    ...{ MODE: 'production', BASE_URL: 'https://pay.example.com', MASTER_KEY_FILE: keyFile },
    RAILS: 'stripe, bank-files',
  }
  const databaseUrl = await createPostgresDatabase()
  const all = { ...environment, PATH: process.env.PATH ?? '', DATA_DIR: folder, DATABASE_URL: databaseUrl }
  expect((await serveToItsEnd({ ...all, PORT: '0', RAILS: 'stripe,nobody' })).stderr).toMatch(
    /RAILS must be a comma list of drivers \(bank-files, .*stripe\), not "nobody"/,
  )
  const gateway = await startGatewayProcess({
    ...{ dataDir: folder, port: await freePort(), environment, databaseUrl },
  })
  expect(gateway.output()).toContain('No provider is connected')
  const listed = execFileSync(process.execPath, [cli, 'rails', 'list', '--json'], { env: all })
  const nothingSaid = { last_answer: null, last_error: null }
  expect(JSON.parse(String(listed))).toEqual({
    drivers: [
      {
        driver: 'bank-files',
        methods: ['SEPA', 'BANK'],
        configured: false,
        driver_is: 'proven',
        ...nothingSaid,
      },
      {
        driver: 'stripe',
        methods: ['CC', 'MB', 'MBWAY', 'SEPA'],
        configured: false,
        driver_is: 'unproven',
        ...nothingSaid,
      },
    ],
    connections: [],
  })
  await signInFirst(gateway.baseUrl, environment.BASE_URL, all)
  expect((await fetch(`${gateway.baseUrl}/sandbox`)).status).toBe(404)
  expect((await fetch(`${gateway.baseUrl}/sandbox/shop`)).status).toBe(404)
  const asked = ['trigger', 'payment.completed', '--url', gateway.baseUrl, '--key', 'any']
  expect((await runHere(asked, {})).json.error.reason).toContain('works in a sandbox only')
  expect(await gateway.stop()).toBe(0)
  rmSync(folder, { recursive: true })
})

/** Follows docs/going-live.md: a command creates the first operator. The cookies of a session need https. */
async function signInFirst(baseUrl: string, origin: string, env: Record<string, string>): Promise<void> {
  const made = execFileSync(
    process.execPath,
    [cli, 'user', 'create', '--operator', '--email', 'ana@example.com', '--json'],
    { env },
  )
  const { url } = JSON.parse(made.toString()) as { url: string }
  expect(url).toMatch(/^https:\/\/pay\.example\.com\/backoffice\/join#\w{32}$/)
  const ask = (path: string, body: object) =>
    fetch(`${baseUrl}/backoffice/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(body),
    })
  const password = 'four plain words here'
  const joined = await ask('/join', { token: url.split('#')[1], name: 'Ana', password })
  expect(joined.status).toBe(200)
  const answer = await ask('/sign-in', { email: 'ana@example.com', password })
  expect(answer.headers.get('strict-transport-security')).toContain('max-age=31536000')
  const cookies = answer.headers.getSetCookie()
  expect(cookies.map((cookie) => cookie.split('=')[0]).sort()).toEqual([
    '__Host-comporta.device',
    '__Host-comporta.session_token',
    '__Host-comporta.signed_in',
  ])
  for (const cookie of cookies) {
    // A `__Host-` cookie must be Secure and valid for the whole host, and must have no domain.
    for (const part of ['Secure', 'SameSite=Strict', 'Path=/']) expect(cookie.split('; ')).toContain(part)
    // Scripts of a page may read only the cookie that shows that somebody is signed in.
    if (!cookie.startsWith('__Host-comporta.signed_in=yes;')) expect(cookie.split('; ')).toContain('HttpOnly')
    expect(cookie).not.toMatch(/domain=/i)
  }
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const session = await fetch(`${baseUrl}/backoffice/api/session`, { headers: { cookie } })
  expect(await session.json()).toMatchObject({ email: 'ana@example.com', operator: true, mode: 'production' })
}

it('does not start with a master key that others can read, and leaves the database as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-production-'))
  const keyFile = join(folder, 'master.key')
  writeFileSync(keyFile, masterKey, { mode: 0o644 })
  const databaseUrl = await createEmptyPostgresDatabase()
  const { code, stderr } = await serveToItsEnd({
    ...{ PATH: process.env.PATH ?? '', MODE: 'production', BASE_URL: 'https://pay.example.com' },
    ...{ MASTER_KEY_FILE: keyFile, DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0' },
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining(`run chmod 600 ${keyFile}`)])
  const database = openPostgres({ url: databaseUrl })
  expect(await hasSchema(database)).toBe(false)
  await database.close()
  rmSync(folder, { recursive: true })
})

it('does not start without its database, and says so in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-alone-'))
  const environment = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'error',
  }
  expect(await serveToItsEnd(environment)).toEqual({
    code: 1,
    stderr: 'comporta cannot start: the database cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
  })
  rmSync(folder, { recursive: true })
})

it('does not start on a database of a version before 0.1.0, and says what to do in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-older-'))
  const databaseUrl = await createPostgresDatabase()
  const database = openPostgres({ url: databaseUrl })
  await database.run(statement(`delete from kysely_migration where name <> '0001-baseline'`))
  await database.run(statement(`update kysely_migration set name = '0001-wallets'`))
  await database.close()
  const environment = {
    ...{ PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0' },
    LOG_LEVEL: 'error',
  }
  expect(await serveToItsEnd(environment)).toEqual({
    code: 1,
    stderr:
      'comporta cannot start: the database is older than 0.1.0 and cannot be updated: ' +
      'set DATABASE_URL to an empty database, or DATA_DIR to an empty folder\n',
  })
  rmSync(folder, { recursive: true })
})

it('creates a missing embedded database that only its owner can read', async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'comporta-first-')), 'data')
  mkdirSync(join(dataDir, 'database'), { recursive: true, mode: 0o755 })
  for (const file of ['lock', 'lock.pid']) writeFileSync(join(dataDir, file), '', { mode: 0o644 })
  const gateway = await startGatewayProcess({ dataDir, port: await freePort() })
  expect(await (await fetch(`${gateway.baseUrl}/readyz`)).json()).toMatchObject({ status: 'ready' })
  expect(openToOthers(dataDir)).toEqual([])
  expect(await gateway.stop()).toBe(0)
  rmSync(dirname(dataDir), { recursive: true })
})

it('answers about itself without loading the gateway, and never creates one by a slip', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-nowhere-'))
  const missing = join(folder, 'missing')
  const loaded = join(folder, 'loaded.mjs')
  writeFileSync(
    loaded,
    `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => {
      if (url.includes('/node_modules/')) process.stderr.write('loaded ' + url + '\\n')
      return next(url, context)
    } })`,
  )
  const ask = (...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env.PATH ?? '', DATA_DIR: missing }
      execFile(process.execPath, ['--import', loaded, cli, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
  expect(await ask('--version')).toEqual({ code: 0, stdout: `${programVersion()}\n`, stderr: '' })
  expect(await ask('merchant', 'set', '-h')).toMatchObject({ code: 0, stderr: '' })
  expect(await ask('aduit')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^unknown command "aduit"/),
  })
  for (const command of [
    ['audit'],
    ['merchant', 'set', '1000', '--name', 'Loja'],
    ['clock', '--advance', 'P1D'],
  ]) {
    expect(await ask(...command)).toEqual({
      code: 1,
      stdout: '',
      stderr: `there is no database in ${missing}: set DATA_DIR to the folder of your gateway; comporta serve, demo or migrate creates what is missing\n`,
    })
  }
  expect(existsSync(missing)).toBe(false)
  rmSync(folder, { recursive: true })
})

it('leaves a PostgreSQL without tables as it is, unless a command creates them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-tables-'))
  writeFileSync(join(folder, 'master.key'), masterKey, { mode: 0o600 })
  const env = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: folder,
    DATABASE_URL: await createEmptyPostgresDatabase(),
  }
  const ask = (command: string) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [cli, command], { env }, (error, _stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stderr }),
      )
    })
  const refused = {
    code: 1,
    stderr: expect.stringContaining("DATABASE_URL names a database without Comporta's tables"),
  }
  expect(await ask('audit')).toEqual(refused)
  expect(await ask('audit')).toEqual(refused)
  expect(await ask('migrate')).toMatchObject({ code: 0 })
  expect(await ask('audit')).toMatchObject({ code: 0 })
  rmSync(folder, { recursive: true })
})

/** Files and folders that other users can read or write. */
function openToOthers(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return ['.', ...inside].filter((path) => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
    return found !== undefined && (found.mode & 0o077) !== 0
  })
}

it('logs once that its database is away, once that it is back, and continues', async () => {
  const server = await startPostgres()
  await server.createDatabase('away')
  const databaseUrl = server.url('away')
  const world = await startWorld({ databaseUrl }, { LOG_LEVEL: 'info' })
  try {
    await server.interrupt()
    const interrupted = performance.now()
    await world.eventually(async () => (await world.request('/readyz')).status === 503)
    // Long enough for several polls of each worker.
    await world.eventually(async () => performance.now() - interrupted > 5000)
    await server.resume()
    await world.eventually(async () => (await world.request('/readyz')).status === 200)
    const checkout = await world.createCheckout()
    await world.payOnPage(checkout, cards.frictionless)
    await world.eventually(async () =>
      world.receiver.received('/callbacks').some(({ body }) => body.includes(checkout.payment.id)),
    )
    const problems = world
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: number; msg: string; err?: unknown })
      .filter(({ level, msg }) => level >= 40 || /database/.test(msg))
    expect(problems.map(({ msg }) => msg)).toEqual([
      'database migrated',
      'the database cannot be used',
      'the database can be used again',
    ])
    expect(problems.filter(({ err }) => err !== undefined)).toEqual([])
  } finally {
    await world.stop()
    await server.stop()
  }
})

it('drains three processes at SIGTERM and ends well', async () => {
  const gateway = await startGatewayProcess({
    dataDir: mkdtempSync(join(tmpdir(), 'comporta-drained-')),
    databaseUrl: await createEmptyPostgresDatabase(),
    environment: { WORKERS: '3' },
    port: await freePort(),
  })
  expect(await gateway.stop()).toBe(0)
})

it('ends at SIGTERM although its database no longer answers', async () => {
  const server = await startPostgres({ settings: ['fsync=off'] })
  await server.createDatabase('comporta')
  const gateway = await startGatewayProcess({
    dataDir: mkdtempSync(join(tmpdir(), 'comporta-frozen-')),
    databaseUrl: server.url('comporta'),
    port: await freePort(),
  })
  const [main = ''] = readFileSync(join(server.dataFolder, 'postmaster.pid'), 'utf8').split('\n')
  const ofMain = spawnSync('pgrep', ['-P', main], { encoding: 'utf8' }).stdout.trim().split('\n')
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [main, ...ofMain]) process.kill(Number(pid), name)
  }
  signal('SIGSTOP')
  try {
    const unanswered = fetch(`${gateway.baseUrl}/readyz`).catch(() => undefined)
    expect(await gateway.stop()).toBe(1)
    expect(gateway.output()).toContain('comporta could not stop within 25 seconds, and ends as it is')
    await unanswered
  } finally {
    signal('SIGCONT')
    await server.stop()
  }
})

it('replaces a worker that ended, ever more seldom while its database is away', async () => {
  const server = await startPostgres({ settings: ['fsync=off'] })
  await server.createDatabase('comporta')
  const gateway = await startGatewayProcess({
    dataDir: mkdtempSync(join(tmpdir(), 'comporta-replaced-')),
    databaseUrl: server.url('comporta'),
    environment: { WORKERS: '2' },
    port: await freePort(),
  })
  const pauses = () =>
    [...gateway.output().matchAll(/"pauseMs":(\d+)/g)].map(([, pauseMs]) => Number(pauseMs))
  try {
    await server.stop()
    // A process that was still starting may have ended already.
    spawnSync('pkill', ['-KILL', '-P', String(gateway.pid)])
    await expect.poll(() => pauses().length).toBeGreaterThanOrEqual(6)
    expect(pauses().slice(0, 6)).toEqual([1000, 1000, 2000, 2000, 4000, 4000])
  } finally {
    expect(await gateway.stop()).toBe(0)
  }
})

function serveToItsEnd(environment: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, 'serve'], { env: environment }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    )
  })
}

it.runIf(process.platform === 'linux')(
  'serves in the started process, with settings that return freed memory to the system',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'comporta-memory-'))
    const gateway = await startGatewayProcess({ dataDir: folder, port: await freePort(), asStarted: true })
    const variables = readFileSync(`/proc/${gateway.pid}/environ`, 'utf8').split('\0')
    expect(variables).toContain('MALLOC_ARENA_MAX=2')
    expect(variables).toContain('MALLOC_MMAP_THRESHOLD_=32768')
    expect(await gateway.stop()).toBe(0)
    rmSync(folder, { recursive: true })
  },
)

it('finishes a customer’s page while it stops', async () => {
  const world = await startWorld()
  const checkout = await world.createCheckout()
  const page = await openPage(checkout.url_redirect)
  const { action, fields } = formTo(page, '/card')
  // The page waits a moment for the acquirer, which does not answer.
  const card = { number: cards.silentThenApproved.number, name: 'Ana', expiry: '12/30', vcode: '123' }
  const answer = fetch(new URL(action, page.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, ...card }).toString(),
  })
  await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'PENDING')
  const stopped = world.stop()
  const { status, headers } = await answer
  expect(status).toBe(303)
  expect(headers.get('location')).toBe(`/checkout/${checkout.id}?lang=en`)
  expect(headers.get('connection')).toBe('close')
  await stopped
})
