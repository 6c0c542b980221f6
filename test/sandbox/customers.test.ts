// Mistakes of sandbox customers, and later clawbacks, by JSON.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import { newPhone } from '../phone.ts'
import { askToPay, storeCard } from '../stored-cards.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import type { Answer, Json, World } from '../world.ts'

let world: World
let money: Money
let subscribers: Subscribers

beforeAll(async () => {
  world = await openWorld()
  money = moneyOf(world)
  subscribers = subscribersOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const askPhone = (phone: string, change: Json = {}): Promise<Answer> =>
  world.shop.post('/api/v2/payment', {
    ...{ method: 'MBWAY', type: 'PAYMENT', amount: 10, currency: 'EUR', mbway: { phone } },
    ...change,
  })

describe('a phone', () => {
  it('is found by its number with the country and without, with + and without', async () => {
    const { number } = newPhone(world)
    const { body: asked } = await askPhone(number)
    for (const written of [number, encodeURIComponent(number), number.slice(1), number.slice(4)]) {
      const { body } = await world.request(`/sandbox/api/phones/${written}`)
      expect([written, body.requests]).toMatchObject([written, [{ id: asked.id, state: 'PENDING' }]])
    }
    const { body } = await world.request('/sandbox/api/phones/912345699')
    expect(body).toMatchObject({
      code: 10004,
      reason: expect.stringContaining('912345699 is not registered'),
    })
  })

  it('is locked by the third wrong PIN, refuses requests, and is unlocked again', async () => {
    const phone = newPhone(world)
    const lock = (method = 'GET') => world.request(`/sandbox/api/phones/${phone.number}/lock`, { method })
    const type = (id: string, pin: string) => phone.approve(id, { pin } as object)
    const asked = (await askPhone(phone.number)).body
    const { id } = await phone.pending()

    expect((await type(id, '0000')).body).toMatchObject({
      code: 10002,
      reason: expect.stringContaining('2 more'),
    })
    expect((await lock()).body).toEqual({ locked: false, pin_tries_left: 2 })
    expect((await type(id, '0000')).body).toMatchObject({
      code: 10002,
      reason: expect.stringContaining('1 more'),
    })
    expect(await type(id, '0000')).toMatchObject({ status: 403, body: { code: 20009 } })
    expect((await lock()).body).toEqual({ locked: true, pin_tries_left: 0 })
    expect(await world.operation(asked.id)).toMatchObject({ status: 'FAIL' })
    expect(await phone.requests()).toMatchObject([{ id, state: 'REFUSED' }])
    // The lock also holds for the right PIN and for another payment.
    expect((await type(id, '1234')).body).toMatchObject({ code: 20009 })
    const second = (await askPhone(phone.number)).body
    await world.eventually(async () => (await world.operation(second.id)).status === 'FAIL')

    expect((await lock('DELETE')).body).toEqual({ locked: false, pin_tries_left: 3 })
    const third = (await askPhone(phone.number)).body
    expect((await type((await phone.pending()).id, '1234')).status).toBe(200)
    expect(await world.operation(third.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('forgets wrong PINs after the right one, and needs no PIN if the test gives none', async () => {
    const phone = newPhone(world)
    for (const pins of [['1', '2', '1234'], ['3', '4', '1234'], [undefined]]) {
      await askPhone(phone.number)
      const { id } = await phone.pending()
      const answers = []
      for (const pin of pins) answers.push((await phone.approve(id, { pin } as object)).status)
      expect(answers.at(-1)).toBe(200)
    }
  })

  it('that is locked refuses mandates too', async () => {
    const phone = newPhone(world)
    await askPhone(phone.number)
    const { id } = await phone.pending()
    for (const pin of ['1', '2', '3']) await phone.approve(id, { pin } as object)
    const path = '/api/v2/mandate/mbway'
    const { body } = await world.shop.post(path, { name: 'Ana', phone: phone.number, type: 'ONECLICK' })
    await world.eventually(async () => {
      await world.advance('PT30S')
      return (await world.shop.get(`${path}/${body.mandate_id}`)).body.state === 'EXPIRED'
    })
    expect(await phone.requests()).toMatchObject([{ state: 'REFUSED' }, { state: 'REFUSED' }])
  })
})

describe('a card that is lost after it was stored', () => {
  const lost = { number: '4000000000009987' }

  it('is stored, pays with its holder present, and is declined as lost when charged by its token', async () => {
    const token = await storeCard(world, lost.number)
    const { status, body } = await askToPay(world, token)
    expect(status).toBe(402)
    expect(body).toMatchObject({ code: 30007, reason: expect.stringContaining('lost') })
    expect(await world.operation(body.operation_id)).toMatchObject({ status: 'FAIL' })
    const page = await world.payOnPage(await world.createCheckout(), lost)
    expect(page.text).toContain('Payment made')
  })

  it('fails the charge of a subscription, and frees the allowance', async () => {
    const { id } = await subscribers.accepted({}, lost)
    const { body } = await subscribers.charge(id, 12)
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'FAIL' })
    await subscribers.callbackOf('charge_order_id', body.id, 'FAIL')
  })
})

describe('a clawback of the online wallet', () => {
  async function paid(): Promise<string> {
    const { payment, ...checkout } = await world.createCheckout()
    await money.pay(checkout, 'paypal')
    await money.sandbox(`online-wallet/${payment.id}/approve`)
    expect((await world.operation(payment.id)).status).toBe('COMPLETED')
    const refund = { type: 'partial', amount: 3 }
    expect((await world.shop.post(`/api/v2/operations/${payment.id}/refund`, refund)).status).toBe(200)
    return payment.id
  }

  it('is booked once as a refund of the rest, reported, and returned if the merchant wins', async () => {
    const id = await paid()
    const before = await money.funds()
    const reverse = () => money.sandbox(`online-wallet/${id}/reverse`, { reason: 'unauthorised' })
    expect((await reverse()).body).toEqual({
      ...{ operation_id: id, state: 'reversed', amount: 7, reason: 'unauthorised' },
    })
    expect((await reverse()).status).toBe(200)
    const callback = await world.eventually(async () =>
      world.receiver
        .received('/callbacks')
        .map(({ body }): Json => (body === '' ? {} : JSON.parse(body)))
        .find((body) => body.parent_operation_id === id && body.error === 'unauthorised'),
    )
    expect(callback).toMatchObject({ type: 'REFUND', event: 'COMPLETED', amount: -7 })
    expect(Number((await money.funds()).balance)).toBeCloseTo(Number(before.balance) - 7)
    expect(await world.operation(id)).toMatchObject({ refundable: false })

    expect((await money.sandbox(`online-wallet/${id}/reinstate`)).body).toMatchObject({ state: 'reinstated' })
    expect(Number((await money.funds()).balance)).toBeCloseTo(Number(before.balance))
    expect((await reverse()).body).toMatchObject({ code: 10013 })
  })

  it('is refused for an unknown, unpaid or fully refunded payment', async () => {
    const id = await paid()
    await world.shop.post(`/api/v2/operations/${id}/refund`)
    const open = await world.createCheckout()
    await money.pay(open, 'paypal')
    const reverse = (of: string, body = {}) => money.sandbox(`online-wallet/${of}/reverse`, body)
    expect((await reverse(id)).body).toMatchObject({ code: 10013 })
    expect((await reverse(open.payment.id)).body).toMatchObject({ code: 10013 })
    expect((await reverse('01991234-5678-7000-8000-000000000000')).body).toMatchObject({ code: 10004 })
    expect((await reverse(id, { reason: 'No!' })).body).toMatchObject({ code: 10002 })
    expect((await money.sandbox(`online-wallet/${id}/reinstate`)).body).toMatchObject({ code: 10013 })
  })
})
