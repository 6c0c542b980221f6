// Direct payments by phone: `POST /api/v2/payment`.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { newPhone, type Phone } from '../phone.ts'
import type { Answer, Json, World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const path = '/api/v2/payment'
const payment = { method: 'MBWAY', type: 'PAYMENT', amount: 10, currency: 'EUR' }

const pay = (phone: Phone, change: Record<string, unknown> = {}): Promise<Answer> =>
  world.shop.post(path, { ...payment, mbway: { phone: phone.number }, ...change })

async function mandateOf(phone: Phone, limit: number, type = 'ONECLICK'): Promise<string> {
  const { body } = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type })
  expect((await phone.approve(body.mandate_id, { amount_limit: limit })).status).toBe(200)
  return body.mandate_id
}

const mandate = async (id: string): Promise<Json> =>
  (await world.shop.get(`/api/v2/mandate/mbway/${id}`)).body

async function callbackOf(operationId: string): Promise<Json> {
  return world.eventually(async () =>
    world.receiver
      .received('/callbacks')
      .map(({ body }) => JSON.parse(body))
      .find(({ operation_id }) => operation_id === operationId),
  )
}

describe('a payment asked of a phone', () => {
  it('is PENDING, is shown on the phone, and is COMPLETED once approved', async () => {
    const phone = newPhone(world)
    const { status, body } = await pay(phone, {
      amount: '12.34',
      ext_invoiceid: 'P-1',
      client: { name: 'Rui' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'MBWAY',
      amount: 12.34,
      fee: -0.19,
      amount_net: 12.15,
      channel: 'API',
      mbway: { phone: phone.number },
      ext_invoiceid: 'P-1',
      client: { name: 'Rui', phone: phone.number },
      refundable: false,
    })
    const request = await phone.pending()
    expect(request).toMatchObject({
      kind: 'payment',
      amount: 12.34,
      currency: 'EUR',
      merchant: 'Demo Shop',
      state: 'PENDING',
    })
    expect(await phone.approve(request.id)).toMatchObject({ status: 200, body: { state: 'APPROVED' } })
    expect(await world.operation(body.id)).toMatchObject({
      status: 'COMPLETED',
      fee: -0.19,
      amount_net: 12.15,
      refundable: true,
    })
    expect(await callbackOf(body.id)).toMatchObject({ event: 'COMPLETED', method: 'MBWAY', amount: 12.34 })
  })

  it('fails when it is refused, and says why', async () => {
    const phone = newPhone(world)
    const { body } = await pay(phone)
    const { id } = await phone.pending()
    expect(await phone.refuse(id)).toMatchObject({ status: 200 })
    expect(await world.operation(body.id)).toMatchObject({ status: 'FAIL' })
    expect(await callbackOf(body.id)).toMatchObject({ event: 'FAIL', error: 'refused' })
    expect(await phone.approve(id)).toMatchObject({ status: 409, body: { code: 10013 } })
  })

  it('fails after 4 minutes, and cannot be approved then', async () => {
    const phone = newPhone(world)
    const { body } = await pay(phone)
    const { id } = await phone.pending()
    await world.advance('PT3M50S')
    expect(await world.operation(body.id)).toMatchObject({ status: 'PENDING' })
    await world.advance('PT10S')
    expect(await world.operation(body.id)).toMatchObject({ status: 'FAIL' })
    expect(await callbackOf(body.id)).toMatchObject({ error: 'expired' })
    expect(await phone.approve(id)).toMatchObject({ status: 409, body: { code: 10013 } })
  })

  it('of type AUTH holds the amount', async () => {
    const phone = newPhone(world)
    const { body } = await pay(phone, { type: 'auth' })
    const request = await phone.pending()
    expect(request).toMatchObject({ kind: 'authorization' })
    await phone.approve(request.id)
    expect(await world.operation(body.id)).toMatchObject({
      type: 'AUTH',
      status: 'COMPLETED',
      fee: 0,
      refundable: false,
    })
  })

  it('is reported to its own callback address', async () => {
    const phone = newPhone(world)
    const { body } = await pay(phone, { callback: world.receiver.url('/own') })
    await phone.approve((await phone.pending()).id)
    const [callback] = await world.receiver.waitFor('/own', 1)
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({ operation_id: body.id, event: 'COMPLETED' })
  })

  it('is asked once per request id, and found by its phone', async () => {
    const phone = newPhone(world)
    const request_id = randomUUID()
    const answers = await Promise.all([pay(phone, { request_id }), pay(phone, { request_id })])
    expect(answers[1]?.text).toBe(answers[0]?.text)
    expect(await phone.requests()).toHaveLength(1)
    expect(await pay(phone, { request_id, amount: 11 })).toMatchObject({ status: 422, body: { code: 10015 } })
    const list = (query: string) => world.shop.get(`/api/v2/operations?${query}`)
    const encoded = encodeURIComponent(phone.number)
    expect((await list(`method=MBWAY&phone=${encoded}`)).body).toMatchObject({
      total: 1,
      elements: [{ id: answers[0]?.body.id }],
    })
    expect((await list(`phone=${encoded}`)).body).toMatchObject({ total: 1 })
    const byCard = await list(`method=CC&phone=${encoded}`)
    expect(byCard).toMatchObject({ status: 400, body: { code: 10002 } })
  })

  it.each([
    ['another method', { method: 'CC' }, 400, 10002, 'method must be MBWAY'],
    ['no type', { type: undefined }, 400, 10001, 'type is required'],
    ['another type', { type: 'REFUND' }, 400, 10002, 'type must be PAYMENT or AUTH'],
    ['no phone', { mbway: undefined }, 400, 10001, 'mbway.phone or mandate_id is required'],
    ['nothing in mbway', { mbway: {} }, 400, 10001, 'mbway.phone or mandate_id is required'],
    ['a number that is no phone', { mbway: { phone: 12 } }, 400, 10002, 'mbway.phone must be a phone number'],
    ['no phone number', { mbway: { phone: '912' } }, 400, 10002, 'mbway.phone must be a phone number'],
    ['nobody’s number', { mbway: { phone: '+351912345699' } }, 400, 10002, 'is not registered'],
    ['phone and mandate', { mandate_id: randomUUID() }, 400, 10002, 'exactly one of'],
    ['no amount', { amount: null }, 400, 10002, 'amount must be'],
    ['three decimals', { amount: 1.001 }, 400, 10002, 'amount must have at most 2 decimals'],
    ['nothing to pay', { amount: 0 }, 400, 40009, 'amount must be at least 0.01'],
    ['too much', { amount: 100000 }, 400, 40012, 'amount must be at most 99999.99'],
    ['dollars', { currency: 'USD' }, 400, 10002, 'currency must be EUR'],
    ['a strange store', { store: 999999 }, 400, 10002, 'store must be one of'],
    ['no address', { callback: 'x' }, 400, 10002, 'callback must be'],
    ['an unknown mandate', { mbway: { mandate_id: randomUUID() } }, 404, 10004, 'there is no mandate'],
    ['a mandate that is no UUID', { mbway: null, mandate_id: 'x' }, 400, 10002, 'mandate_id'],
  ])('refuses %s', async (_, change, status, code, reason) => {
    const before = (await world.shop.get('/api/v2/operations')).body.total
    expect(await pay(newPhone(world), change)).toMatchObject({
      status,
      body: { code, reason: expect.stringContaining(reason) },
    })
    expect((await world.shop.get('/api/v2/operations')).body.total).toBe(before)
  })

  it('needs the method to be active', async () => {
    const plain = world.merchant('Plain Shop')
    await world.cli('merchant', 'set', String(plain.wallet_id), '--methods', 'CC')
    expect(await plain.post(path, { ...payment, mbway: { phone: newPhone(world).number } })).toMatchObject({
      status: 403,
      body: { code: 20002 },
    })
  })
})

describe('a payment under a mandate', () => {
  it('asks no customer, as long as the month allows it', async () => {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 25)
    const first = await world.shop.post(path, { ...payment, mandate_id: id })
    expect(first).toMatchObject({ status: 200, body: { status: 'PENDING', client: { phone: phone.number } } })
    expect(await world.operation(first.body.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await mandate(id)).toMatchObject({ amount_limit: 25, amount_available: 15 })
    const second = await pay(phone)
    expect(await world.operation(second.body.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await mandate(id)).toMatchObject({ amount_available: 5 })

    const third = await pay(phone)
    expect(await world.operation(third.body.id)).toMatchObject({ status: 'PENDING' })
    expect(await mandate(id)).toMatchObject({ amount_available: 5 })
    const request = await phone.pending()
    await phone.approve(request.id)
    expect(await world.operation(third.body.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await mandate(id)).toMatchObject({ amount_available: 5 })
    expect(await world.shop.post(path, { ...payment, mandate_id: id })).toMatchObject({
      status: 409,
      body: { code: 40013 },
    })
  })

  it('is allowed again in the next month of Lisbon', async () => {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 10)
    await pay(phone)
    expect(await mandate(id)).toMatchObject({ amount_available: 0 })
    await world.advance('P1M')
    expect(await mandate(id)).toMatchObject({ amount_available: 10 })
    const { body } = await pay(phone)
    expect(await world.operation(body.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it.each([
    ['is suspended', 'suspend', 'SUSPENDED'],
    ['was cancelled', 'cancel', 'VOIDED'],
  ] as const)('that %s pays nothing: the phone is asked', async (_, change, state) => {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 50)
    await phone.change(id, change)
    expect(await world.shop.post(path, { ...payment, mandate_id: id })).toMatchObject({
      status: 409,
      body: { code: 10013, reason: `mandate_id must be an ACTIVE mandate; this one is ${state}` },
    })
    await pay(phone)
    expect(await phone.pending()).toMatchObject({ kind: 'payment' })
  })

  it('with a limit below the used amount has nothing left', async () => {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 50)
    await pay(phone)
    await phone.change(id, 'update', { amount_limit: 5 })
    expect(await mandate(id)).toMatchObject({ amount_limit: 5, amount_available: 0 })
    await pay(phone, { amount: 1 })
    expect(await phone.pending()).toMatchObject({ amount: 1 })
  })

  it('of a subscription is not for single payments', async () => {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 50, 'SUBSCRIPTION')
    expect(await world.shop.post(path, { ...payment, mandate_id: id })).toMatchObject({
      status: 400,
      body: { code: 10002 },
    })
    await pay(phone)
    expect(await phone.pending()).toMatchObject({ kind: 'payment' })
  })

  it('is not used by a key that may not use mandates: the phone is asked', async () => {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 50)
    const wallet = String(world.shop.wallet_id)
    const key = (await world.cli('key', 'create', wallet, '--permissions', 'checkout')).json.api_key
    const send = (body: unknown) =>
      world.request(path, {
        method: 'POST',
        headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect(await send({ ...payment, mandate_id: id })).toMatchObject({ status: 403, body: { code: 20002 } })
    expect(await send({ ...payment, mbway: { phone: phone.number } })).toMatchObject({ status: 200 })
    expect(await phone.pending()).toMatchObject({ amount: 10 })
  })
})

describe('a phone with three unanswered questions of a merchant', () => {
  it('is asked no more until one of them is over', async () => {
    const phone = newPhone(world)
    const first = { request_id: randomUUID() }
    const opened = [await pay(phone, first), await pay(phone, { type: 'AUTH' })]
    const mandate = { phone: phone.number, type: 'ONECLICK' }
    expect(await world.shop.post('/api/v2/mandate/mbway', mandate)).toMatchObject({ status: 200 })
    for (const refused of [
      await pay(phone, { request_id: randomUUID() }),
      await world.shop.post('/api/v2/mandate/mbway', mandate),
    ]) {
      expect(refused).toMatchObject({ status: 429, body: { code: 10029 } })
      expect(refused.body.reason).toContain('3 unanswered requests')
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(200)
      expect(wait).toBeLessThanOrEqual(240)
    }
    expect(await phone.requests()).toHaveLength(3)
    const list = `/api/v2/operations?method=MBWAY&phone=${encodeURIComponent(phone.number)}`
    expect((await world.shop.get(list)).body.total).toBe(2)

    expect((await pay(phone, first)).text).toBe(opened[0]?.text)
    expect((await pay(newPhone(world))).status).toBe(200)
    await phone.refuse((await phone.pending()).id)
    expect((await pay(phone)).status).toBe(200)
    expect((await pay(phone)).status).toBe(429)
    await world.advance('PT4M')
    expect((await pay(phone)).status).toBe(200)
  })

  it('still pays under a mandate', async () => {
    const phone = newPhone(world)
    const id = await mandateOf(phone, 15)
    for (let times = 0; times < 3; times++) await pay(phone, { amount: 20 })
    expect((await pay(phone, { amount: 20 })).status).toBe(429)
    const { body } = await pay(phone)
    expect(await world.operation(body.id)).toMatchObject({ status: 'COMPLETED' })
    expect((await pay(phone)).status).toBe(429)
    expect((await mandate(id)).amount_available).toBe(5)
  })
})
