// The gateway dies twice on one path. The second death comes during the recovery from the first.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest'
import { startWorldHere } from '../gateway-here.ts'
import { storeCard } from '../stored-cards.ts'
import { cards, type Json, type World } from '../world.ts'
import { explainedSites, isExplained } from './gaps/explained.ts'
import { type Gap, recordGaps } from './gaps/recorder.ts'
import { pairsOf } from './pairs.ts'
import { dieAt, paths, walkToItsEnd } from './paths/walk.ts'

let world: World
let token: string
const gaps: Gap[] = []
const paid: string[] = []

beforeAll(async () => {
  recordGaps((gap) => gaps.push(gap))
  world = await startWorldHere()
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', 'PT50000201231234567890154')
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(() => world.stop())

it.each(pairsOf(process.env.PAIRS ?? '1'))('%s: "%s", then "%s"', async (name, first, again) => {
  onTestFailed(async () => {
    await world.kill()
    await world.restart()
  })
  const path = paths[name]
  const walk = await path.begin(world, token)
  expect(await dieAt(world, path, walk, first)).toBe(true)
  await dieAt(world, path, walk, again)
  await walkToItsEnd(world, path, walk)
  if (walk.pays !== undefined) paid.push(walk.pays)
})

it('the books agree', async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})

it('each payment has a callback', async () => {
  await world.advance('P3D')
  await world.eventually(async () => {
    const callbacks: Json[] = world.receiver.received('/callbacks').map(({ body }) => JSON.parse(body))
    const completed = new Set(
      callbacks.filter(({ event }) => event === 'COMPLETED').map(({ operation_id }) => operation_id),
    )
    return paid.every((id) => completed.has(id))
  })
})

it('any two effects on the path have a crash point between them, or an explanation', () => {
  expect(gaps.filter((gap) => !isExplained(gap))).toEqual([])
  // The run also met gaps that are explained, so the recorder works.
  expect(gaps).not.toEqual([])
})

it('each explanation is of code that exists', () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('{src,sandbox}/**/*.ts', { cwd: root }).map((path) => path.replace(/^src\//, ''))
  const isOfNone = (site: string) => !files.some((file) => file.startsWith(site.split(' ')[0] ?? site))
  expect(explainedSites.filter(isOfNone)).toEqual([])
})
