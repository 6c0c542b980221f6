// `npm start` in a fresh clone.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../test/free-port.ts'

const root = join(import.meta.dirname, '..', '..')
const minute = 60_000
const clone = mkdtempSync(join(tmpdir(), 'comporta-clone-'))
let baseUrl: string
const started: ChildProcess[] = []

beforeAll(async () => {
  const listed = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], { cwd: root })
  for (const path of listed.toString().split('\0').filter(Boolean))
    cpSync(join(root, path), join(clone, path), { force: true })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  baseUrl = `http://127.0.0.1:${await freePort()}`
})

afterAll(async () => {
  await Promise.all(started.map(stop))
  rmSync(clone, { recursive: true, force: true })
})

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  process.kill(-(child.pid as number), 'SIGTERM')
  await ended
}

function npmStart() {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: new URL(baseUrl).port }
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      printed += data
    })
  return { child, printed: () => printed }
}

const statusOf = (path: string) => fetch(`${baseUrl}${path}`).then(({ status }) => status)

it(
  'builds only the payment pages before it listens, and nothing the second time',
  async () => {
    const first = npmStart()
    await expect.poll(first.printed, { timeout: 5 * minute, interval: 100 }).toContain('Building the guides')
    const steps = [
      'Building the program',
      'Building the checkout pages',
      'creating the database',
      'comporta is ready',
      'Building the backoffice',
      'Building the guides',
    ]
    const places = steps.map((step) => first.printed().indexOf(step))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
    for (const path of ['/backoffice', '/docs/'])
      await expect.poll(() => statusOf(path), { timeout: 5 * minute, interval: 500 }).toBe(200)
    await stop(first.child)

    const second = npmStart()
    await expect.poll(second.printed, { timeout: 5 * minute, interval: 100 }).toContain('comporta is ready')
    expect(await statusOf('/readyz')).toBe(200)
    expect(await statusOf('/backoffice')).toBe(200)
    expect(second.printed()).not.toContain('Building')
  },
  15 * minute,
)
