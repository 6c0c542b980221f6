// Many charges against one allowance, on real PostgreSQL and several processes: never a cent above it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, startWorld, type World } from '../world.ts'

let world: World
let subscribers: Subscribers

beforeAll(async () => {
  world = await startWorld({ databaseUrl: await createPostgresDatabase() }, { WORKERS: '2' })
  subscribers = subscribersOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }
const statusesOf = (answers: readonly Answer[]) => answers.map(({ body }) => body.code ?? body.status)

it('of 100 charges at once as many are accepted as the allowance bears, and no other', async () => {
  const { id } = await subscribers.accepted({ amount: 100 })
  const answers = await Promise.all(Array.from({ length: 100 }, () => subscribers.charge(id, 3)))
  expect(statusesOf(answers).sort()).toEqual([...Array(67).fill(40013), ...Array(33).fill('NEW')])
  expect((await subscribers.charge(id, 1.01)).body).toMatchObject({ code: 40013 })
  expect((await subscribers.charge(id, 1)).status).toBe(200)
  const accepted = answers.filter(({ status }) => status === 200)
  for (const { body } of accepted) {
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'SUCCESS' })
  }
})

it('what failing charges give back is charged again, and never twice', async () => {
  const { id } = await subscribers.accepted({ amount: 50 }, cards.insufficientFunds)
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => subscribers.charge(id, 10)))
    const accepted = answers.filter(({ status }) => status === 200)
    expect(accepted.length).toBeGreaterThanOrEqual(5)
    for (const { body } of accepted) {
      expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'FAIL' })
    }
  }
})

it('one request_id sent by 50 at once makes one charge and 50 equal answers', async () => {
  const { id } = await subscribers.accepted()
  const body = { payment: { amount: 1, currency: 'EUR' }, request_id: randomUUID() }
  const path = `/api/v2/subscriptions/${id}/charge`
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.shop.post(path, body)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect((await world.shop.get(path)).body.total).toBe(1)
})

it('of many DELETEs at once one wins, and no charge is accepted after it', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = await subscribers.accepted()
    const [charges, deletes] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => subscribers.charge(id, 1))),
      Promise.all(Array.from({ length: 5 }, () => world.shop.delete(`/api/v2/subscriptions/${id}`))),
    ])
    expect(deletes.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect((await subscribers.charge(id, 1)).body).toMatchObject({ code: 10013 })
    for (const { status, body } of charges) {
      if (status !== 200) continue
      expect(['SUCCESS', 'FAIL']).toContain((await subscribers.processed(id, body.id)).status)
    }
  }
})

it('the merchant voids while the customer pays and accepts: both halves end alike', async () => {
  const payment = { amount: 5, currency: 'EUR' }
  for (let round = 0; round < 12; round++) {
    const checkout = await subscribers.checkout({}, { payment })
    const page = await openPage(checkout.url_redirect)
    const pause = new Promise((resolve) => setTimeout(resolve, round * 8))
    await Promise.all([
      submit(page, formTo(page, '/card'), typed),
      pause.then(() => world.shop.delete(`/api/v2/subscriptions/${checkout.subscription.id}`)),
    ])
    await world.eventually(async () => {
      const { status } = await world.operation(checkout.payment.id)
      const subscription = (await subscribers.read(checkout.subscription.id)).status
      const pairs = ['COMPLETED APPROVED', 'COMPLETED VOIDED', 'VOIDED VOIDED']
      return pairs.includes(`${status} ${subscription}`)
    })
  }
})
