// The gateway dies at any point of refunds and splits.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMortalWorld } from '../gateway-here.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, type Json, type World } from '../world.ts'
import { kills } from './kills.ts'

const refundsPerCrash = 12

let world: World
let token: string

beforeAll(async () => {
  world = await startMortalWorld()
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(() => world.stop())

it.each(kills.refunds)('killed at "%s" (%i) in a burst of refunds and a split', async (point, count) => {
  const split = ['Sub Shop A', 'Sub Shop B'].map((name) => ({
    merchant_wallet: world.merchant(name).public_id,
  }))
  const divided = await payByToken(world, token, { split })
  const byHand = await payByToken(world, token)
  await world.armCrash(point, count)
  const refunds = Array.from({ length: refundsPerCrash }, () =>
    world.shop.post(`/api/v2/operations/${divided.id}/refund`, { amount: 0.5 }),
  )
  const splits = [world.shop.post(`/api/v2/operations/${byHand.id}/split`, { split })]
  const answered = Promise.all([...refunds, ...splits].map((call) => call.catch(() => undefined)))
  await world.crashed()
  const completed = (await answered).filter((answer) => answer?.body?.type === 'REFUND')
  await world.restart()

  const made = await world.eventually(async () => {
    await world.advance('PT5M')
    const { elements } = (await world.shop.get('/api/v2/operations?type=REFUND&limit=30')).body
    const own = elements.filter(({ parent }: Json) => parent === divided.id)
    return own.every(({ status }: Json) => status !== 'PENDING') && own
  })
  for (const answer of completed) {
    expect(made).toContainEqual(expect.objectContaining({ id: answer?.body.id, status: 'COMPLETED' }))
  }
  const done = made.filter(({ status }: Json) => status === 'COMPLETED').length
  const rest = await world.shop.post(`/api/v2/operations/${divided.id}/refund`)
  expect(rest.body).toMatchObject({ status: 'COMPLETED', amount: (done * 50 - 1000) / 100 })
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})
