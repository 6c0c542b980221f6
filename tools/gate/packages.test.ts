// The packages of the program, the SDK and the plugin work in empty folders.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../test/free-port.ts'
import { cards, type Json, payOnPage } from '../../test/world.ts'

const root = join(import.meta.dirname, '..', '..')
const minute = 60_000
const packedBytesMax = 15 * 1024 ** 2

const folder = mkdtempSync(join(tmpdir(), 'comporta-packages-'))
let gateway: ChildProcess | undefined
const { PATH = '', HOME = '' } = process.env
/** The environment of a user: it has no module of this project, and no setting of the test runner. */
const env = {
  HOME,
  PATH: PATH.split(':')
    .filter((part) => !part.includes('node_modules'))
    .join(':'),
  npm_config_loglevel: 'error',
}

beforeAll(() => {
  run(root, 'npm', 'pack', '--pack-destination', folder)
  run(root, 'npm', 'pack', '--workspace', 'sdk', '--pack-destination', folder)
}, 10 * minute)

afterAll(async () => {
  if (gateway?.exitCode === null) {
    const ended = once(gateway, 'exit')
    process.kill(-(gateway.pid as number), 'SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

function run(cwd: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function install(name: string, tarball: string): string {
  const target = join(folder, name)
  mkdirSync(target)
  run(target, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball))
  return target
}

it(
  'the program runs from its package alone, and takes a payment in the sandbox',
  async () => {
    const tarball = 'comporta-0.1.0.tgz'
    expect(statSync(join(folder, tarball)).size).toBeLessThan(packedBytesMax)
    const home = install('program', tarball)
    for (const absent of ['vite', 'vitest', 'react', 'typescript', '@comporta/sdk'])
      expect([absent, existsSync(join(home, 'node_modules', absent))]).toEqual([absent, false])

    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const inbox = join(home, 'inbox')
    gateway = spawn('npx', ['comporta', 'serve'], {
      cwd: home,
      env: { ...env, PORT: new URL(baseUrl).port, LOG_LEVEL: 'warn', BANK_INBOX: inbox },
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const isReady = () =>
      fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady, { timeout: 2 * minute, interval: 200 }).toBe(true)

    const { merchants } = JSON.parse(readFileSync(join(home, 'data', 'demo.json'), 'utf8')) as Json
    const headers = {
      authorization: `Comporta ${merchants[0].api_key}`,
      'content-type': 'application/json',
    }
    const ask = async (path: string, init: RequestInit = {}) =>
      (await (await fetch(`${baseUrl}${path}`, { headers, ...init })).json()) as Json
    const url = `${baseUrl}/sandbox/thanks`
    const body = JSON.stringify({
      payment: { amount: 10, currency: 'EUR', client: { name: 'Ana Silva', email: 'ana@example.com' } },
      url_confirm: url,
      url_cancel: url,
    })
    const checkout = await ask('/api/v2/checkout', { method: 'POST', body })
    await payOnPage(checkout.url_redirect, cards.frictionless)
    const { payment } = await ask(`/api/v2/checkout/${checkout.id}`)
    expect(payment).toMatchObject({ status: 'COMPLETED', amount: 10 })

    writeFileSync(join(inbox, 'empty.xml'), '<Document/>')
    const reason = join(inbox, 'refused', 'empty.xml.txt')
    await expect.poll(() => existsSync(reason), { timeout: minute, interval: 200 }).toBe(true)
    expect(readFileSync(reason, 'utf8')).toContain('Document is empty')

    for (const path of ['/backoffice', '/docs/', '/docs/checkout', '/docs/api/', '/sandbox/phone']) {
      const answer = await fetch(`${baseUrl}${path}`)
      const text = await answer.text()
      expect([path, answer.status]).toEqual([path, 200])
      const files = [...text.matchAll(/(?:src|href)="(\/(?:assets|docs\/assets)\/[^"]+)"/g)]
      for (const [, file = ''] of files)
        expect([file, (await fetch(`${baseUrl}${file}`)).status]).toEqual([file, 200])
    }
  },
  10 * minute,
)

it(
  'the SDK is installed and used from its package',
  () => {
    const home = install('sdk', 'comporta-sdk-0.1.0.tgz')
    writeFileSync(
      join(home, 'use.mjs'),
      "import { Comporta, fromCents } from '@comporta/sdk'\nnew Comporta({ apiKey: 'cmp_test_1', baseUrl: 'http://127.0.0.1:1' })\nconsole.log(fromCents(1050n))\n",
    )
    expect(run(home, process.execPath, 'use.mjs')).toBe('10.50\n')
  },
  10 * minute,
)

it('the plugin is a zip of its folder, for WordPress to unpack', () => {
  run(root, process.execPath, 'tools/pack-plugin.ts', folder)
  const [zip = ''] = readdirSync(folder).filter((name) => name.endsWith('.zip'))
  expect(zip).toMatch(/^comporta-for-woocommerce-\d+\.\d+\.\d+\.zip$/)
  const packed = unzipSync(new Uint8Array(readFileSync(join(folder, zip))))
  const source = join(root, 'deploy', 'woocommerce')
  const files = globSync('comporta-for-woocommerce/**/*.*', { cwd: source }).sort()
  expect(files).toContain('comporta-for-woocommerce/comporta-for-woocommerce.php')
  expect(Object.keys(packed).sort()).toEqual(files)
  for (const file of files)
    expect([file, readFileSync(join(source, file)).equals(packed[file] ?? new Uint8Array())]).toEqual([
      file,
      true,
    ])
})
