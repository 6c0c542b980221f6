// Charges of several processes against one allowance.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { type Money, moneyOf } from '../money.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, startWorld, type World } from '../world.ts'

let world: World
let database: pg.Client
let subscribers: Subscribers
let money: Money

beforeAll(async () => {
  const databaseUrl = await createPostgresDatabase()
  world = await startWorld({ databaseUrl }, { WORKERS: '2' })
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  subscribers = subscribersOf(world)
  money = moneyOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await database.end()
  await world.stop()
})

const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }
const statusesOf = (answers: readonly Answer[]) => answers.map(({ body }) => body.code ?? body.status)

it('of 100 charges at once as many are accepted as the allowance permits', async () => {
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

it('a card approved after another attempt was chosen is refunded, and does not become the subscription’s card', async () => {
  const checkout = await subscribers.checkout({}, { payment: { amount: 5, currency: 'EUR' } })
  await world.payOnPage(checkout, { number: cards.silentThenApproved.number, expiry: '12 / 27' })
  // Changes the row as if a process abandoned the attempt while the acquirer still has it.
  await database.query(
    'update operations set attempt_id = gen_random_uuid(), under_approval = false, method = null where id = $1',
    [checkout.payment.id],
  )
  await world.eventually(async () => {
    await world.advance('PT1M')
    const late = 'select from attempts where operation_id = $1'
    return (await database.query(late, [checkout.payment.id])).rowCount === 1
  })
  await world.payOnPage(checkout, cards.frictionless)
  const { status, end_date } = await subscribers.read(checkout.subscription.id)
  // With the late card, the subscription would end in the last month of that card.
  expect({ status, end_date }).toEqual({ status: 'APPROVED', end_date: '2030-12-31' })
})

it('amounts of failed charges are charged again, but never twice', async () => {
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

it('charges of many sizes, among failing ones, are accepted or refused and nothing else', async () => {
  const sizes = [7, 13, 0.01, 33.33, 100]
  for (let round = 0; round < 3; round++) {
    const { id } = await subscribers.accepted({ amount: 100 }, cards.insufficientFunds)
    const answers = await Promise.all(
      Array.from({ length: 250 }, (_, index) => subscribers.charge(id, sizes[index % sizes.length])),
    )
    expect(new Set(statusesOf(answers))).toEqual(new Set(['NEW', 40013]))
    for (const { status, body } of answers) {
      if (status === 200) await subscribers.processed(id, body.id)
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
    // Each round waits for another time, because no single moment separates the two requests.
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

it('the merchant voids while the customer accepts by card: it is voided, for any answer of the card', async () => {
  for (let round = 0; round < 12; round++) {
    const { subscription, url_redirect } = await subscribers.checkout()
    const page = await openPage(url_redirect)
    // Each round waits for another time, because no single moment separates the two requests.
    const pause = new Promise((resolve) => setTimeout(resolve, round * 8))
    const [, voided] = await Promise.all([
      submit(page, formTo(page, '/card'), typed),
      pause.then(() => world.shop.delete(`/api/v2/subscriptions/${subscription.id}`)),
    ])
    expect(voided.body).toMatchObject({ status: 'VOIDED' })
    expect((await subscribers.read(subscription.id)).status).toBe('VOIDED')
    expect((await subscribers.charge(subscription.id, 1)).body).toMatchObject({ code: 10013 })
  }
})

it('of 100 charges at once to one balance those that fit succeed, once each, and it is never negative', async () => {
  const { email, pin } = await money.consumer(100)
  const checkout = await subscribers.checkout({ amount: 1000 })
  await money.pay(checkout, 'wallet', { email, pin })
  const { id } = checkout.subscription
  const answers = await Promise.all(Array.from({ length: 100 }, () => subscribers.charge(id, 3)))
  expect(new Set(statusesOf(answers))).toEqual(new Set(['NEW']))
  const orders = await Promise.all(answers.map(({ body }) => subscribers.processed(id, body.id)))
  expect(orders.filter(({ status }) => status === 'SUCCESS')).toHaveLength(33)
  expect(orders.filter(({ status }) => status === 'FAIL')).toHaveLength(67)
  expect(await money.balanceOf(email)).toBe(1)
  expect((await subscribers.charge(id, 901.01)).body).toMatchObject({ code: 40013 })
  expect((await subscribers.charge(id, 901)).status).toBe(200)
})

it('the merchant voids while the customer pays and accepts by WALLET: both halves end alike, and the money with them', async () => {
  const { email, pin } = await money.consumer(60)
  let left = 60
  for (let round = 0; round < 12; round++) {
    const unit = { payment: { amount: 5, currency: 'EUR' } }
    const { payment, subscription, url_redirect } = await subscribers.checkout({}, unit)
    const page = await openPage(url_redirect)
    // Each round waits for another time, because no single moment separates the two requests.
    const pause = new Promise((resolve) => setTimeout(resolve, round * 12))
    const [, voiding] = await Promise.all([
      submit(page, formTo(page, '/wallet'), { email, pin }),
      pause.then(() => world.shop.delete(`/api/v2/subscriptions/${subscription.id}`)),
    ])
    const { status } = await world.operation(payment.id)
    const pair = `${status} ${(await subscribers.read(subscription.id)).status}`
    // At the moment of acceptance the gateway refuses a DELETE, and the merchant may repeat it.
    const pairs = voiding.status === 200 ? ['COMPLETED VOIDED', 'VOIDED VOIDED'] : ['COMPLETED APPROVED']
    expect(pairs).toContain(pair)
    if (status === 'COMPLETED') left -= 5
    expect(await money.balanceOf(email)).toBe(left)
  }
})

it('charges and payments of one balance at once: those that fit succeed, and no balance becomes negative', async () => {
  const { email, pin } = await money.consumer(40)
  const unit = { payment: { amount: 4, currency: 'EUR' } }
  const accepted = await subscribers.checkout({ amount: 1000 })
  await money.pay(accepted, 'wallet', { email, pin })
  const checkouts = await Promise.all(Array.from({ length: 8 }, () => subscribers.checkout({}, unit)))
  const { id } = accepted.subscription
  const [charges] = await Promise.all([
    Promise.all(Array.from({ length: 8 }, () => subscribers.charge(id, 4))),
    Promise.all(checkouts.map((checkout) => money.pay(checkout, 'wallet', { email, pin }))),
  ])
  const orders = await Promise.all(charges.map(({ body }) => subscribers.processed(id, body.id)))
  const pairs = await Promise.all(
    checkouts.map(
      async ({ payment, subscription: { id: subscriptionId } }) =>
        `${(await world.operation(payment.id)).status} ${(await subscribers.read(subscriptionId)).status}`,
    ),
  )
  const taken = orders.filter(({ status }) => status === 'SUCCESS').length
  const paid = pairs.filter((pair) => pair === 'COMPLETED APPROVED').length
  expect(pairs.filter((pair) => pair === 'PENDING NEW')).toHaveLength(8 - paid)
  expect(taken + paid).toBe(10)
  expect(await money.balanceOf(email)).toBe(0)
})
