// Contents of the images, and a gateway in their folder.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { builtProgramFolder } from '../../bin/built-program.ts'
import { lockedPackages, runs } from '../../tools/dependencies/lock.ts'
import { createEmptyPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'comporta-image-'))
const homes = { production: join(folder, 'production'), sandbox: join(folder, 'sandbox') }
const packages = join(folder, 'node_modules')
const masterKey = join(folder, 'master.key')
const [, , run = '', sandbox = '', production = ''] = readFileSync(
  join(root, 'deploy/Dockerfile'),
  'utf8',
).split(/^FROM /m)

beforeAll(() => {
  for (const args of [[], ['--production']])
    execFileSync(process.execPath, ['tools/build-program.ts', ...args], { cwd: root })
  copyPackages()
  copyStages(homes.production, run + production)
  copyStages(homes.sandbox, run + sandbox)
  writeFileSync(masterKey, `1 ${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o400 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function copyPackages(): void {
  const locked = lockedPackages(root).filter(([path]) => path.startsWith('node_modules/'))
  for (const [path, one] of locked) {
    const isNested = path.lastIndexOf('node_modules/') > 0
    if (runs(one) && one.link !== true && !isNested)
      cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  for (const [path, one] of locked)
    if (!runs(one)) rmSync(join(folder, path), { recursive: true, force: true })
}

function copyStages(home: string, stages: string): void {
  for (const [, list = '', to = ''] of stages.matchAll(/^COPY --from=build (.+) (\S+)$/gm))
    for (const path of list.split(' ').map((each) => each.replace('/app/', ''))) {
      const copy = join(home, to, to.endsWith('/') ? basename(path) : '')
      if (path === 'node_modules') {
        mkdirSync(home, { recursive: true })
        symlinkSync(packages, copy)
      } else cpSync(join(root, path), copy, { recursive: true })
    }
  // An image must not contain a build of other sources.
  const builds = join(home, 'dist/program')
  for (const name of readdirSync(builds))
    if (name !== basename(builtProgramFolder())) rmSync(join(builds, name), { recursive: true })
}

const start = ['--max-semi-space-size=16', '--heap-growing-percent=100', 'bin/comporta.js', 'serve']
const settings = {
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  DATA_DIR: join(folder, 'data'),
  LOG_LEVEL: 'warn',
}

async function serve(home: string, environment: Record<string, string>) {
  const port = await freePort()
  const child = spawn(process.execPath, start, {
    cwd: home,
    env: { ...settings, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      printed += data
    })
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => printed,
    )
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  return statusOf
}

function programOf(home: string): string {
  const builds = join(home, 'dist/program')
  const files = readdirSync(builds, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  )
  return files.map((file) => readFileSync(join(builds, file), 'utf8')).join('\n')
}

it('for production: it serves, and contains no sandbox', async () => {
  const home = homes.production
  expect(production).toMatch(/^ENV MODE=production$/m)
  for (const absent of ['sandbox', 'examples', 'src', 'sdk', 'tools'])
    expect([absent, existsSync(join(home, absent))]).toEqual([absent, false])
  for (const words of ['/sandbox/assets/', 'createShop']) {
    expect(programOf(homes.sandbox)).toContain(words)
    expect(programOf(home).includes(words), words).toBe(false)
  }
  const statusOf = await serve(home, {
    MODE: 'production',
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: await createEmptyPostgresDatabase(),
    MASTER_KEY_FILE: masterKey,
    METRICS_TOKEN: 'x'.repeat(16),
  })
  expect(await statusOf('/backoffice')).toBe(200)
  expect(await statusOf('/sandbox/phone')).toBe(404)
})

it('for production: it refuses sandbox mode, and opens nothing', () => {
  const data = join(folder, 'none')
  const { status, stderr } = spawnSync(process.execPath, start, {
    cwd: homes.production,
    env: { ...settings, MODE: 'sandbox', DATA_DIR: data },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain('this build has no sandbox: set MODE=production')
  expect(existsSync(data)).toBe(false)
})

it('for the sandbox: it serves the sandbox, on the embedded database', async () => {
  const statusOf = await serve(homes.sandbox, {})
  expect(await statusOf('/sandbox/phone')).toBe(200)
  expect(await statusOf('/sandbox/assets/phone.css')).toBe(200)
})
