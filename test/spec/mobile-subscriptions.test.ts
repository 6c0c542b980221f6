// Subscriptions with mandates of the mobile wallet.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { askedOnPhone, newPhone, type Phone } from '../phone.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import type { Json, World } from '../world.ts'

let world: World
let subscribers: Subscribers

beforeAll(async () => {
  world = await openWorld()
  subscribers = subscribersOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const statusOf = async (id: string) => (await subscribers.read(id)).status

async function outcome(id: string, amount: number): Promise<Json> {
  const { status, body, text } = await subscribers.charge(id, amount)
  if (status !== 200) throw new Error(text)
  return subscribers.processed(id, body.id)
}

/** A checkout with a request on the phone. */
async function asked(change: object = {}): Promise<{ checkout: Json; phone: Phone; mandateId: string }> {
  const checkout = await subscribers.checkout(change)
  const { phone, request } = await askedOnPhone(world, checkout)
  return { checkout, phone, mandateId: request.id }
}

describe('on the page', () => {
  it('is accepted on the phone, and charged without it, within both limits', async () => {
    const { checkout, phone, mandateId } = await asked({ end_date: '2040-01-01' })
    const { id } = checkout.subscription
    await phone.approve(mandateId, { amount_limit: 15, expiry_date: '2029-05-31' })
    expect(
      await subscribers.callbackOf('subscription_id', id, 'APPROVED', { type: 'SUBSCRIPTION' }),
    ).toMatchObject({
      subscription_end_date: '2029-05-31',
    })
    expect(await subscribers.callbackOf('mandate_id', mandateId, 'APPROVED')).toMatchObject({
      subscription_id: id,
      max_amount: 15,
    })
    expect(await subscribers.read(id)).toMatchObject({
      status: 'APPROVED',
      amount: 20,
      end_date: '2029-05-31',
      default_payment_method: 'WALLET',
      method: 'MBWAY',
    })
    const listed = (await world.shop.get('/api/v2/subscriptions?limit=30')).body.elements
    expect(listed.find(({ subscription }: Json) => subscription.id === id)).toMatchObject({
      subscription: { default_payment_method: 'WALLET', method: 'MBWAY' },
    })
    expect((await openPage(checkout.url_redirect)).text).toContain('Subscription accepted')
    expect(await outcome(id, 12)).toMatchObject({ status: 'SUCCESS' })
    const request_id = randomUUID()
    for (const amount of [5, 3.01])
      expect(await subscribers.charge(id, amount, { request_id })).toMatchObject({
        status: 409,
        body: {
          code: 40013,
          reason: expect.stringContaining('at most 3.00: the customer’s MB WAY limit for this month'),
        },
      })
    const { elements } = (await world.shop.get('/api/v2/operations?method=MBWAY&limit=30')).body
    expect(elements.map(({ status }: Json) => status)).toEqual(['COMPLETED'])
    // A refused charge reserves no allowance and no request id.
    await phone.change(mandateId, 'update', { amount_limit: 20 })
    await world.eventually(async () => (await subscribers.charge(id, 8, { request_id })).status === 200)
    const again = await subscribers.charge(id, 8, { request_id })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await subscribers.processed(id, again.body.id)).toMatchObject({ status: 'SUCCESS' })
    expect((await subscribers.charge(id, 0.01)).body).toMatchObject({ code: 40013 })
    const byPhone = `/api/v2/operations?method=MBWAY&phone=${encodeURIComponent(phone.number)}`
    expect((await world.shop.get(byPhone)).body.total).toBe(2)
  })

  it('refused on the phone, or not answered, it says so and waits for another attempt', async () => {
    const { checkout, phone, mandateId } = await asked()
    await phone.refuse(mandateId)
    const again = await openPage(checkout.url_redirect)
    expect(again.text).toContain('refused on the phone')
    await world.advance('PT5M')
    expect((await openPage(checkout.url_redirect)).text).toContain('refused on the phone')
    await askedOnPhone(world, checkout)
    await world.advance('PT5M')
    expect((await openPage(checkout.url_redirect)).text).toContain('time to approve is over')
    const second = newPhone(world)
    await submit(again, formTo(again, '/mbway'), { phone: second.number })
    await second.approve((await second.pending()).id, { amount_limit: 50 })
    await world.eventually(async () => (await statusOf(checkout.subscription.id)) === 'APPROVED')
  })
})

describe('opened by a mandate', () => {
  async function opened(terms: object = {}): Promise<{ id: string; mandateId: string; phone: Phone }> {
    const phone = newPhone(world)
    const body = { name: 'Ana Silva', phone: phone.number, type: 'SUBSCRIPTION' }
    const answer = (await world.shop.post('/api/v2/mandate/mbway', body)).body
    const { mandate_id: mandateId, subscription_id: id } = answer
    expect(await statusOf(id)).toBe('NEW')
    await phone.approve(mandateId, { amount_limit: 30, ...terms })
    await world.eventually(async () => (await statusOf(id)) === 'APPROVED')
    return { id, mandateId, phone }
  }

  it('allows what the customer set, per month of the calendar, and follows what they change', async () => {
    const { id, mandateId, phone } = await opened({ expiry_date: '2031-12-31' })
    expect(await subscribers.read(id)).toMatchObject({
      amount: 30,
      period: 'MONTH',
      frequency: 1,
      end_date: '2031-12-31',
      start_date: `${(await subscribers.today()).slice(0, 7)}-01`,
    })
    expect(await outcome(id, 30)).toMatchObject({ status: 'SUCCESS' })
    expect((await subscribers.charge(id, 1)).body).toMatchObject({ code: 40013 })
    await phone.change(mandateId, 'update', { amount_limit: 40, expiry_date: '2030-06-30' })
    expect(
      await subscribers.callbackOf('subscription_id', id, 'APPROVED', {
        subscription_end_date: '2030-06-30',
      }),
    ).toMatchObject({ type: 'SUBSCRIPTION' })
    expect(await outcome(id, 10)).toMatchObject({ status: 'SUCCESS' })
  })

  it('suspended, its charges fail with the reason; resumed, they succeed', async () => {
    const { id, mandateId, phone } = await opened()
    await phone.change(mandateId, 'suspend')
    const failed = await outcome(id, 5)
    expect(failed).toMatchObject({ status: 'FAIL' })
    expect(await subscribers.callbackOf('charge_order_id', failed.id, 'FAIL')).toMatchObject({
      error: 'mandate_suspended',
    })
    await phone.change(mandateId, 'resume')
    expect(await outcome(id, 30)).toMatchObject({ status: 'SUCCESS' })
  })

  it('ends with its mandate, and its mandate with it', async () => {
    const [first, second, third] = [await opened(), await opened(), await opened()]
    await first.phone.change(first.mandateId, 'cancel')
    await subscribers.callbackOf('subscription_id', first.id, 'CANCELED')
    await world.shop.delete(`/api/v2/mandate/mbway/${second.mandateId}`)
    await world.eventually(async () => (await statusOf(second.id)) === 'VOIDED')
    await world.shop.delete(`/api/v2/subscriptions/${third.id}`)
    await subscribers.callbackOf('mandate_id', third.mandateId, 'VOIDED')
    for (const { id } of [first, second, third]) {
      expect((await subscribers.charge(id, 1)).body).toMatchObject({ code: 10013 })
    }
  })

  it('fails when the customer does not approve it', async () => {
    const phone = newPhone(world)
    const body = { phone: phone.number, type: 'SUBSCRIPTION' }
    const { subscription_id: id } = (await world.shop.post('/api/v2/mandate/mbway', body)).body
    await world.advance('PT5M')
    expect(await subscribers.callbackOf('subscription_id', id, 'FAILED')).toMatchObject({
      error: 'not_approved',
    })
  })
})
