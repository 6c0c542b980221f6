// A payment and a subscription with one answer (CONTRACT section 14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { askedOnPhone } from '../phone.ts'
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

const payment = { amount: 5, currency: 'EUR', ext_invoiceid: 'U-1' }

/** A checkout with both, and a request on the phone. */
async function asked(change: object = {}) {
  const checkout = await subscribers.checkout(change, { payment })
  return { checkout, ...(await askedOnPhone(world, checkout)) }
}

async function pairOf({ payment: paid, subscription }: Json): Promise<string> {
  return `${(await world.operation(paid.id)).status} ${(await subscribers.read(subscription.id)).status}`
}

it('is offered by every method for later charges, with its terms', async () => {
  const { url_redirect } = await subscribers.checkout({}, { payment })
  const { forms, text } = await openPage(url_redirect)
  for (const part of ['/card', '/mbway', '/wallet']) {
    expect(forms.some(({ action }) => action.includes(part))).toBe(true)
  }
  expect(text.match(/Pay €5\.00 and accept/g)).toHaveLength(3)
})

describe('one request on the phone', () => {
  it('asks for the payment and the mandate, and approved it makes both', async () => {
    const { checkout, phone, request } = await asked()
    const { id } = checkout.subscription
    expect(request).toMatchObject({
      kind: 'payment',
      amount: 5,
      mandate_type: 'SUBSCRIPTION',
      mandate_id: expect.any(String),
    })
    expect(await phone.requests()).toHaveLength(1)
    expect(await pairOf(checkout)).toBe('PENDING NEW')
    const approved = await phone.approve(request.id, { amount_limit: 45, expiry_date: '2031-03-31' })
    expect(approved.body).toMatchObject({ state: 'APPROVED' })

    expect(
      await subscribers.callbackOf('subscription_id', id, 'APPROVED', { type: 'SUBSCRIPTION' }),
    ).toMatchObject({ subscription_end_date: '2031-03-31' })
    expect(await subscribers.callbackOf('mandate_id', request.mandate_id, 'APPROVED')).toMatchObject({
      subscription_id: id,
      max_amount: 45,
      end_date: '2031-03-31',
    })
    expect(await subscribers.callbackOf('operation_id', checkout.payment.id, 'COMPLETED')).toMatchObject({
      amount: 5,
      method: 'MBWAY',
    })
    expect(await pairOf(checkout)).toBe('COMPLETED APPROVED')
    expect(await subscribers.read(id)).toMatchObject({
      amount: 20,
      end_date: '2031-03-31',
      default_payment_method: 'WALLET',
      method: 'MBWAY',
    })
    expect(await phone.mandates()).toMatchObject([
      { mandate_id: request.mandate_id, type: 'SUBSCRIPTION', state: 'ACTIVE', amount_used: 0 },
    ])

    const { body } = await subscribers.charge(id, 20)
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'SUCCESS' })
    expect((await phone.mandates())[0]).toMatchObject({ amount_used: 20 })
    expect((await openPage(checkout.url_redirect)).text).toContain('May be charged later')
  })

  it('refused or unanswered it makes neither, and the customer may try again', async () => {
    const { checkout, phone, request } = await asked()
    await phone.refuse(request.id)
    expect(await subscribers.callbackOf('mandate_id', request.mandate_id, 'EXPIRED')).toMatchObject({
      subscription_id: checkout.subscription.id,
    })
    expect(await pairOf(checkout)).toBe('PENDING NEW')
    expect((await openPage(checkout.url_redirect)).text).toContain('refused on the phone')

    const second = await askedOnPhone(world, checkout)
    await world.advance('PT5M')
    await subscribers.callbackOf('mandate_id', second.request.mandate_id, 'EXPIRED')
    expect((await second.phone.approve(second.request.id)).status).toBe(409)
    expect((await openPage(checkout.url_redirect)).text).toContain('time to approve is over')

    const third = await askedOnPhone(world, checkout)
    await third.phone.approve(third.request.id)
    await world.eventually(async () => (await pairOf(checkout)) === 'COMPLETED APPROVED')
    expect(await second.phone.mandates()).toMatchObject([{ state: 'ENDED' }])
  })

  it('is also asked of a customer with a mandate for payments without PIN', async () => {
    const { phone, request } = await asked()
    await phone.approve(request.id)
    const oneclick = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
    await phone.approve(oneclick.body.mandate_id, { amount_limit: 100 })
    await subscribers.callbackOf('mandate_id', oneclick.body.mandate_id, 'APPROVED')
    const checkout = await subscribers.checkout({}, { payment })
    const page = await openPage(checkout.url_redirect)
    await submit(page, formTo(page, '/mbway'), { phone: phone.number })
    expect(await phone.pending()).toMatchObject({ kind: 'payment', mandate_type: 'SUBSCRIPTION' })
    expect(await pairOf(checkout)).toBe('PENDING NEW')
  })

  it('canceled on the phone after it was approved, the subscription is canceled and the payment stays', async () => {
    const { checkout, phone, request } = await asked()
    await phone.approve(request.id)
    await world.eventually(async () => (await pairOf(checkout)) === 'COMPLETED APPROVED')
    await phone.change(request.mandate_id, 'cancel')
    await subscribers.callbackOf('subscription_id', checkout.subscription.id, 'CANCELED')
    expect(await pairOf(checkout)).toBe('COMPLETED CANCELED')
  })
})

describe('the terms of the mandate', () => {
  it('is suggested high enough for every charge of a month, and lasting to the first charge', async () => {
    const { checkout, phone, request } = await asked({
      amount: 400,
      period: 'WEEK',
      start_date: '2038-05-10',
    })
    const tooShort = await phone.approve(request.id, { expiry_date: '2038-05-09' })
    expect(tooShort.body).toMatchObject({ code: 10002, reason: expect.stringContaining('2038-05-10') })
    await phone.approve(request.id)
    await world.eventually(async () => (await pairOf(checkout)) === 'COMPLETED APPROVED')
    // Six weeks can overlap a month of 31 days.
    expect(await phone.mandates()).toMatchObject([{ amount_limit: 2400, expiry_date: '2039-05-10' }])
  })

  it('ends the subscription before its first charge when the customer shortens it so', async () => {
    const { checkout, phone, request } = await asked({ start_date: '2038-05-10' })
    const { id } = checkout.subscription
    await phone.approve(request.id)
    await world.eventually(async () => (await pairOf(checkout)) === 'COMPLETED APPROVED')
    await phone.change(request.mandate_id, 'update', { expiry_date: '2036-01-01' })
    await subscribers.callbackOf('subscription_id', id, 'APPROVED', { subscription_end_date: '2036-01-01' })
    expect(await subscribers.read(id)).toMatchObject({ status: 'APPROVED', end_date: '2036-01-01' })
    expect((await subscribers.charge(id, 1)).body).toMatchObject({ code: 10013 })
  })
})

describe('voided by the merchant', () => {
  it('takes the request back from the phone, with the payment', async () => {
    const { checkout, phone, request } = await asked()
    const { id } = checkout.subscription
    const voided = await world.shop.delete(`/api/v2/subscriptions/${id}`)
    expect(voided.body).toMatchObject({ id, status: 'VOIDED' })
    expect(await pairOf(checkout)).toBe('VOIDED VOIDED')
    expect((await phone.requests())[0]).toMatchObject({ state: 'WITHDRAWN' })
    expect((await phone.approve(request.id)).body).toMatchObject({ code: 10013 })
    expect((await world.shop.delete(`/api/v2/subscriptions/${id}`)).body).toMatchObject({ code: 10013 })
  })

  it('asked for alone, it takes the request of the mandate back', async () => {
    const checkout = await subscribers.checkout()
    const { id } = checkout.subscription
    const { phone, request } = await askedOnPhone(world, checkout)
    expect((await world.shop.delete(`/api/v2/subscriptions/${id}`)).body).toMatchObject({ status: 'VOIDED' })
    expect((await phone.requests())[0]).toMatchObject({ state: 'WITHDRAWN' })
    expect(await subscribers.callbackOf('mandate_id', request.id, 'EXPIRED')).toMatchObject({
      subscription_id: id,
    })
    expect((await phone.approve(request.id)).status).toBe(409)
  })

  it('opened by a mandate, it is voided before the customer has answered', async () => {
    const { phone } = await asked()
    const opened = await world.shop.post('/api/v2/mandate/mbway', {
      phone: phone.number,
      type: 'SUBSCRIPTION',
    })
    const { subscription_id: id, mandate_id: mandateId } = opened.body
    expect((await world.shop.delete(`/api/v2/subscriptions/${id}`)).body).toMatchObject({ status: 'VOIDED' })
    await subscribers.callbackOf('mandate_id', mandateId, 'EXPIRED')
    expect((await world.shop.get(`/api/v2/mandate/mbway/${mandateId}`)).body).toMatchObject({
      state: 'EXPIRED',
    })
  })
})

it.each([
  ['with a payment', { payment }],
  ['alone', {}],
])('asked on its last evening %s, it can be approved until midnight', async (_, beside) => {
  const day = await subscribers.today()
  const midnight = startOfLisbonDay(addDays(day, 1))
  const seconds = (midnight - (await subscribers.now()).getTime()) / 1000 - 120
  await world.advance(`PT${Math.floor(seconds)}S`)
  const checkout = await subscribers.checkout({ start_date: day, end_date: day }, beside)
  const { phone, request } = await askedOnPhone(world, checkout)
  expect(Date.parse(request.expires)).toBe(midnight)
  await world.advance('PT2M10S')
  expect((await phone.approve(request.id)).status).toBe(409)
  await world.eventually(async () => (await subscribers.read(checkout.subscription.id)).status === 'FAILED')
})

it('an end of its own ends the mandate too', async () => {
  const { checkout, phone, request } = await asked({ end_date: await subscribers.today() })
  await phone.approve(request.id)
  await world.eventually(async () => (await pairOf(checkout)) === 'COMPLETED APPROVED')
  await world.advance('P1D')
  expect(await pairOf(checkout)).toBe('COMPLETED EXPIRED')
  await subscribers.callbackOf('mandate_id', request.mandate_id, 'VOIDED')
  await world.eventually(async () => (await phone.mandates())[0].state === 'ENDED')
})
