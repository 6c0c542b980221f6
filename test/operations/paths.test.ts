// docs/inside/paths.md lists the files of four requests. `vitest -u` updates it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { filesRunBy, inspected } from '../files-run.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, startWorld, type World } from '../world.ts'

/** A file is on the path if it runs in each of these requests. */
const times = 8
const warmUps = 3
/** A contributor must read all these files, so a longer path needs a reason. */
const filesMax = { 'token payment': 40, refund: 40, 'hosted card': 110, charge: 40 }

/** A worker may process the charge before the test has the answer, so its files do not count. */
const ofTheWorker = /subscriptions\/charging\/process|methods\/cards\//

let world: World
const paths: Record<string, string[]> = {}

beforeAll(async () => {
  world = await startWorld('pglite', { RATE_LIMITS: 'on' }, inspected)
  const token = await storeCard(world, cards.frictionless.number)
  const pay = () => payByToken(world, token, { request_id: randomUUID() })
  const payments: string[] = []
  for (let payment = 0; payment < times + warmUps; payment++) payments.push((await pay()).id)
  const subscribers = subscribersOf(world)
  const subscription = await subscribers.accepted({ amount: 500 })
  const asked: Record<keyof typeof filesMax, () => Promise<void>> = {
    'token payment': async () => {
      expect(await pay()).toMatchObject({ status: 'COMPLETED' })
    },
    refund: async () => {
      const { body } = await world.shop.post(`/api/v2/operations/${payments.pop()}/refund`, { amount: 1 })
      expect(body).toMatchObject({ status: 'COMPLETED' })
    },
    'hosted card': async () => {
      const page = await world.payOnPage(await world.createCheckout(), cards.frictionless)
      expect(page.text).toContain('Payment made')
    },
    charge: async () => {
      const { body } = await subscribers.charge(subscription.id, 1)
      expect(body).toMatchObject({ id: expect.any(String) })
    },
  }
  for (const [name, ask] of Object.entries(asked)) {
    for (let warm = 0; warm < warmUps; warm++) await ask()
    const files = await filesRunBy(world, times, ask)
    paths[name] = files.filter((file) => name !== 'charge' || !ofTheWorker.test(file))
  }
}, 120_000)
afterAll(() => world.stop())

it.each(Object.entries(filesMax))('a %s runs through at most %i files', (name, max) => {
  expect(paths[name]?.length).toBeLessThanOrEqual(max)
})

it('the page lists them', async () => {
  const sections = Object.entries(paths).map(
    ([name, files]) =>
      `## ${name[0]?.toUpperCase()}${name.slice(1)}: ${files.length} files\n\n${files.map((file) => `- [${file.slice(4)}](../../${file})`).join('\n')}\n`,
  )
  const head =
    '# Files of four requests\n\nA test records the files of `src` that run for each request. `npx vitest run test/operations/paths.test.ts -u` writes this page.\n'
  await expect([head, ...sections].join('\n')).toMatchFileSnapshot('../../docs/inside/paths.md')
})
