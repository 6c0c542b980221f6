// "One payment, from socket to commit" in docs/ARCHITECTURE.md is true: what it names exists, and a payment by token runs through these files alone.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crashPoints } from '../../src/kernel/crash-points.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, startWorld, type World } from '../world.ts'

const root = join(import.meta.dirname, '../..')
const filesMax = 44
const page = sectionOf(readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8'))
/** Rows `| [file](../src/file) | function, function | what happens |`. */
const steps = [...page.matchAll(/^\| \[[^\]]+\]\(\.\.\/(src\/[^)]+)\) *\| ([^|]+)\|/gm)].map(
  ([, file = '', functions = '']) => ({
    file,
    functions: [...functions.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }),
)

function sectionOf(text: string): string {
  const [, section = ''] = text.split('\n## One payment, from socket to commit\n')
  return section.split('\n## ')[0] ?? ''
}

describe('the page', () => {
  it('names files that exist, once each, and functions that they have', () => {
    expect(steps.length).toBeGreaterThan(20)
    expect(new Set(steps.map(({ file }) => file)).size).toBe(steps.length)
    const missing = steps.flatMap(({ file, functions }) => {
      if (!existsSync(join(root, file))) return [file]
      const text = readFileSync(join(root, file), 'utf8')
      return functions.filter((name) => !declares(text, name)).map((name) => `${file} ${name}`)
    })
    expect(missing).toEqual([])
  })

  it('names crash points that exist', () => {
    const named = [...page.matchAll(/^- _([^_]+)_/gm)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((name) => !(name in crashPoints))).toEqual([])
  })
})

function declares(text: string, name: string): boolean {
  return new RegExp(`(function|class|const) ${name}\\b|^ +(async )?${name}\\(|^ +${name}: `, 'm').test(text)
}

describe('a payment by token, of a gateway that is warm', () => {
  /** What sends the callback, and what writes the request down, run at the same time and are not waited for; `compose.ts` hands the first credentials. */
  const notOfThePayment =
    /^src\/(callbacks\/(sending\/|metrics\.ts|store\.ts)|compose\.ts|request-log\/|wallets\/keys\/callback-secrets\.ts)/
  const paymentsMeasured = 12
  let world: World
  let ran: Set<string>

  beforeAll(async () => {
    world = await startWorld('pglite', { RATE_LIMITS: 'on' }, [
      '--inspect=127.0.0.1:0',
      'src/cli.ts',
      'serve',
    ])
    const token = await storeCard(world, cards.frictionless.number)
    const pay = () => payByToken(world, token, { request_id: randomUUID() })
    for (let warm = 0; warm < 5; warm++) await pay()
    const coverage = await measure(world)
    const payments: Set<string>[] = []
    for (let payment = 0; payment < paymentsMeasured; payment++) {
      await coverage.take()
      expect(await pay()).toMatchObject({ status: 'COMPLETED' })
      payments.push(new Set(await coverage.take()))
    }
    coverage.close()
    // Workers that look for what is due run now and then, and not during each of them.
    const [first = new Set<string>(), ...others] = payments
    ran = new Set([...first].filter((file) => others.every((other) => other.has(file))))
  })
  afterAll(() => world.stop())

  it(`runs through at most ${filesMax} files, those of the page`, () => {
    const files = [...ran].filter((file) => file.startsWith('src/') && !notOfThePayment.test(file))
    expect(files.sort()).toEqual(steps.map(({ file }) => file).sort())
    expect(files.length).toBeLessThanOrEqual(filesMax)
  })
})

interface Coverage {
  /** The files of which a function ran since it was asked before. */
  take(): Promise<string[]>
  close(): void
}

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/** Counts calls of functions in the gateway's process, through Node's inspector. */
async function measure(world: World): Promise<Coverage> {
  const address = /ws:\/\/\S+/.exec(world.output())?.[0]
  if (address === undefined) throw new Error(`the inspector did not say where it listens: ${world.output()}`)
  const socket = new WebSocket(address)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let last = 0
  const waiting = new Map<number, (result: { result: readonly ScriptCoverage[] }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
  })
  const ask = (method: string, params: object = {}) =>
    new Promise<{ result: readonly ScriptCoverage[] }>((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await ask('Profiler.enable')
  await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const home = `file://${root}/`
  return {
    async take() {
      const { result } = await ask('Profiler.takePreciseCoverage')
      return result
        .filter(({ url }) => url.startsWith(home))
        .filter(({ functions }) =>
          functions.some(({ ranges: [own] }) => own && own.count > 0 && own.startOffset > 0),
        )
        .map(({ url }) => url.slice(home.length))
    },
    close: () => socket.close(),
  }
}
