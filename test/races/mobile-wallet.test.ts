// Races on the mobile wallet: allowances, approvals, ends.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { askedOnPhone, newPhone, type Phone } from '../phone.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import type { Json, World } from '../world.ts'

let world: World
let database: pg.Client
let subscribers: Subscribers
beforeAll(async () => {
  world = await openWorld('postgres')
  database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
  subscribers = subscribersOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await database.end()
  await world.stop()
})

const path = '/api/v2/mandate/mbway'

async function requestedMandate(phone: Phone): Promise<string> {
  const { body } = await world.shop.post(path, {
    phone: phone.number,
    type: 'ONECLICK',
    url_callback: world.receiver.url(`/mandates/${phone.number}`),
  })
  return body.mandate_id
}

async function mandateOf(phone: Phone, limit: number): Promise<string> {
  const id = await requestedMandate(phone)
  await phone.approve(id, { amount_limit: limit })
  return id
}

const read = async (id: string): Promise<Json> => (await world.shop.get(`${path}/${id}`)).body
const statusesOf = async (operations: readonly string[]): Promise<string[]> =>
  (await Promise.all(operations.map((id) => world.operation(id)))).map(({ status }) => status).sort()

it('two checkouts race for the rest of an allowance: one pays, the other asks for approval', async () => {
  for (let round = 0; round < 5; round++) {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 15)
    const payment = { amount: 10, currency: 'EUR', client: { phone: phone.number } }
    const checkouts = [await world.createCheckout({ payment }), await world.createCheckout({ payment })]
    await Promise.all(
      checkouts.map(async ({ url_redirect }) => {
        const page = await openPage(url_redirect)
        await submit(page, formTo(page, '/mbway'), { phone: phone.number })
      }),
    )
    expect(await statusesOf(checkouts.map(({ payment }) => payment.id))).toEqual(['COMPLETED', 'PENDING'])
    expect(await read(id)).toMatchObject({ amount_available: 5 })
    const asked = await phone.pending()
    await phone.refuse(asked.id)
    expect(await read(id)).toMatchObject({ amount_available: 5 })
  }
})

it('twenty direct payments at once reach the mandate’s limit to the cent', async () => {
  const phone = newPhone(world)
  const id = await mandateOf(phone, 35)
  const payment = { method: 'MBWAY', type: 'PAYMENT', amount: 5, currency: 'EUR', mandate_id: id }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => world.shop.post('/api/v2/payment', payment)),
  )
  const paid = answers.filter(({ status }) => status === 200)
  expect(paid).toHaveLength(7)
  expect(answers.filter(({ body }) => body.code === 40013)).toHaveLength(13)
  expect(new Set(await statusesOf(paid.map(({ body }) => body.id)))).toEqual(new Set(['COMPLETED']))
  expect(await read(id)).toMatchObject({ amount_available: 0 })
})

it('a payment and the end of its mandate at once: paid under it, or a request on the phone', async () => {
  for (let round = 0; round < 5; round++) {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 50)
    const payment = {
      method: 'MBWAY',
      type: 'PAYMENT',
      amount: 5,
      currency: 'EUR',
      mbway: { phone: phone.number },
    }
    const [paid, ended] = await Promise.all([
      world.shop.post('/api/v2/payment', payment),
      round % 2 === 0 ? world.shop.delete(`${path}/${id}`) : phone.change(id, 'cancel'),
    ])
    expect(ended.status).toBe(200)
    const { status } = await world.operation(paid.body.id)
    const [request] = await phone.requests()
    expect([status, request?.state]).toEqual(
      status === 'COMPLETED' ? ['COMPLETED', 'APPROVED'] : ['PENDING', 'PENDING'],
    )
    expect(await read(id)).toMatchObject({ state: 'VOIDED', amount_available: 0 })
  }
})

it('approval and deletion of a mandate at once have one winner, also in the callbacks', async () => {
  for (let round = 0; round < 8; round++) {
    const phone = newPhone(world)
    const id = await requestedMandate(phone)
    const [approved, deleted] = await Promise.all([phone.approve(id), world.shop.delete(`${path}/${id}`)])
    expect(approved.status).toBe(200)
    const { state } = await read(id)
    expect(state).toBe(deleted.status === 200 ? 'VOIDED' : 'ACTIVE')
    if (deleted.status !== 200) expect(deleted.body.code).toBe(10013)
    const events = deleted.status === 200 ? ['APPROVED', 'VOIDED'] : ['APPROVED']
    const callbacks = await world.receiver.waitFor(`/mandates/${phone.number}`, events.length)
    expect(callbacks.map(({ body }) => JSON.parse(body).event).sort()).toEqual(events)
  }
})

it('approving and refusing at once, and two deletions at once, have one winner each', async () => {
  for (let round = 0; round < 5; round++) {
    const phone = newPhone(world)
    const id = await requestedMandate(phone)
    const answers = await Promise.all([phone.approve(id), phone.refuse(id), phone.approve(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    if (answers[1]?.status === 200) {
      expect(await read(id)).toMatchObject({ state: 'EXPIRED' })
      continue
    }
    const deleted = await Promise.all([1, 2].map(() => world.shop.delete(`${path}/${id}`)))
    expect(deleted.map(({ status }) => status).sort()).toEqual([200, 409])
    const callbacks = await world.receiver.waitFor(`/mandates/${phone.number}`, 2)
    expect(callbacks.map(({ body }) => JSON.parse(body).event).sort()).toEqual(['APPROVED', 'VOIDED'])
  }
})

it('approval on the phone and the end of its 4 minutes at once settle the payment once', async () => {
  for (let round = 0; round < 4; round++) {
    const phone = newPhone(world)
    const { body } = await world.shop.post('/api/v2/payment', {
      method: 'MBWAY',
      type: 'PAYMENT',
      amount: 3,
      currency: 'EUR',
      mbway: { phone: phone.number },
      callback: world.receiver.url(`/payments/${phone.number}`),
    })
    const { id } = await phone.pending()
    const [approved] = await Promise.all([phone.approve(id), world.advance('PT4M')])
    const { status } = await world.operation(body.id)
    expect(status).toBe(approved.status === 200 ? 'COMPLETED' : 'FAIL')
    const callbacks = await world.receiver.waitFor(`/payments/${phone.number}`, 1)
    expect(callbacks.map((callback) => JSON.parse(callback.body).event)).toEqual([status])
  }
})

it('one request id asks a phone once, also in many copies at once', async () => {
  const phone = newPhone(world)
  const body = { phone: phone.number, type: 'ONECLICK', request_id: randomUUID() }
  const answers = await Promise.all(Array.from({ length: 10 }, () => world.shop.post(path, body)))
  expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
  expect(await phone.requests()).toHaveLength(1)
})

it('a charge that may be on its way keeps its part of the limit of a suspended mandate', async () => {
  const checkout = await subscribers.checkout({ amount: 120 })
  const { phone, request } = await askedOnPhone(world, checkout)
  await phone.approve(request.id, { amount_limit: 100 })
  const { id } = checkout.subscription
  const is = (state: string) => world.eventually(async () => (await read(request.id)).state === state)
  await is('ACTIVE')
  await world.eventually(async () => (await subscribers.read(id)).status === 'APPROVED')
  const down = { rail: 'mobile_wallet', trouble: 'down' }
  await world.request('/sandbox/api/chaos', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(down),
  })
  const charge = (await subscribers.charge(id, 60)).body
  const tries = async (): Promise<number> => {
    const { rows } = await database.query(
      'select tries from attempts join charges on charges.operation_id = attempts.id where charges.id = $1',
      [charge.id],
    )
    return rows[0]?.tries ?? 0
  }
  const askedAbout = (times: number) =>
    world.eventually(async () => {
      await world.advance('PT11S')
      return (await tries()) >= times
    })
  await askedAbout(1)
  await world.request('/sandbox/api/chaos', { method: 'DELETE' })
  await phone.change(request.id, 'suspend')
  await is('SUSPENDED')
  // The second inquiry sends the charge again, and the third follows it.
  await askedAbout(3)
  await phone.change(request.id, 'resume')
  await is('ACTIVE')
  expect(await read(request.id)).toMatchObject({ amount_available: 40 })
  await world.advance('PT2M')
  expect(await subscribers.processed(id, charge.id)).toMatchObject({ status: 'SUCCESS' })
  expect(await read(request.id)).toMatchObject({ amount_available: 40 })
  expect((await subscribers.charge(id, 60)).body).toMatchObject({ code: 40013 })
})

it('a charge with an approval on the phone uses nothing of the limit', async () => {
  const phone = newPhone(world)
  const { body } = await world.shop.post(path, { phone: phone.number, type: 'SUBSCRIPTION' })
  const { mandate_id: id, subscription_id: subscription } = body
  await phone.approve(id, { amount_limit: 100 })
  // Changes the row as if the network suspended the mandate and the notice has not arrived.
  const setState = (state: string) =>
    database.query('update sandbox.phone_mandates set state = $2 where key = $1', [id, state])
  await setState('suspended')
  const payment = { amount: 40, currency: 'EUR' }
  const charge = await world.shop.post(`/api/v2/subscriptions/${subscription}/charge`, { payment })
  const asked = await world.eventually(() => phone.pending().catch(() => undefined))
  await setState('active')
  await phone.approve(asked.id)
  expect(await subscribers.processed(subscription, charge.body.id)).toMatchObject({ status: 'SUCCESS' })
  expect(await read(id)).toMatchObject({ amount_available: 100 })
})

it('a payment that is sent again in the next month is counted there', async () => {
  const phone = newPhone(world)
  const id = await mandateOf(phone, 100)
  await world.eventually(async () => (await read(id)).state === 'ACTIVE')
  const pay = async (amount: number) => {
    const asked = { method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mandate_id: id }
    return (await world.shop.post('/api/v2/payment', asked)).body
  }
  await world.advance(`PT${(await secondsOfMonth()) - 45}S`)
  const down = { rail: 'mobile_wallet', trouble: 'down' }
  await world.request('/sandbox/api/chaos', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(down),
  })
  const payment = await pay(60)
  expect(await read(id)).toMatchObject({ amount_available: 40 })
  await world.advance('PT1M')
  expect(await read(id)).toMatchObject({ amount_available: 100 })
  await world.request('/sandbox/api/chaos', { method: 'DELETE' })
  await world.eventually(async () => {
    await world.advance('PT5S')
    return (await world.operation(payment.id)).status === 'COMPLETED'
  })
  expect(await read(id)).toMatchObject({ amount_available: 40 })
  expect(await pay(41)).toMatchObject({ code: 40013 })
})

async function secondsOfMonth(): Promise<number> {
  const now = await subscribers.now()
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const hourInLisbon = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Lisbon', hour: '2-digit' }).format(end),
  )
  return Math.floor((end.getTime() - now.getTime()) / 1000) - hourInLisbon * 3600
}
