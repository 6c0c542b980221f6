// Many payments at once over two processes: together they take what a day allows, and not a cent more.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { cards, startWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld('postgres', { WORKERS: '2' })
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

it('takes what a day allows, and not a cent more', async () => {
  const token = await storeCard(world, cards.frictionless.number)
  const declined = await storeCard(world, cards.insufficientFunds.number)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--day-limit', '100')
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      askToPay(world, index % 4 === 0 ? declined : token, { amount: 9 }),
    ),
  )
  const taken = answers.filter(({ status }) => status === 200).length
  expect(answers.filter(({ body }) => body.code === 20011).length).toBeGreaterThan(0)
  expect(taken).toBeLessThanOrEqual(11)

  // What failed meanwhile leaves the day, and what is left is taken to the last cent.
  for (let payments = taken; payments < 11; payments++) await payByToken(world, token, { amount: 9 })
  await payByToken(world, token, { amount: 1 })
  const over = await askToPay(world, token, { amount: 0.01 })
  expect(over).toMatchObject({ status: 403, body: { code: 20011 } })
})
