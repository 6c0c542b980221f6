// docs/inside/one-payment.md names existing files and all files of a payment.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crashPoints } from '../../src/kernel/crash-points.ts'
import { filesRunBy, inspected } from '../files-run.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, startWorld, type World } from '../world.ts'

const root = join(import.meta.dirname, '../..')
const filesMax = 40
const page = sectionOf(readFileSync(join(root, 'docs/inside/one-payment.md'), 'utf8'))
/** Rows `| [file](../../src/file) | function, function | explanation |`. */
const steps = [...page.matchAll(/^\| \[[^\]]+\]\(\.\.\/\.\.\/(src\/[^)]+)\) *\| ([^|]+)\|/gm)].map(
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
  it('names files that exist, once each, and functions in them', () => {
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

describe('a payment by token on a warm gateway', () => {
  let world: World
  let ran: string[]

  beforeAll(async () => {
    world = await startWorld('pglite', { RATE_LIMITS: 'on' }, inspected)
    const token = await storeCard(world, cards.frictionless.number)
    const pay = async () =>
      expect(await payByToken(world, token, { request_id: randomUUID() })).toMatchObject({
        status: 'COMPLETED',
      })
    for (let warm = 0; warm < 5; warm++) await pay()
    ran = await filesRunBy(world, 12, pay)
  })
  afterAll(() => world.stop())

  it(`runs through at most ${filesMax} files, those of the page`, () => {
    expect(ran).toEqual(steps.map(({ file }) => file).sort())
    expect(ran.length).toBeLessThanOrEqual(filesMax)
  })
})
