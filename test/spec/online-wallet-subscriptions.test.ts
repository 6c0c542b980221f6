// Subscriptions charged to a saved account of the online wallet (PAYPAL).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
let money: Money
let subscribers: Subscribers
let callbackOf: Subscribers['callbackOf']

beforeAll(async () => {
  world = await openWorld()
  money = moneyOf(world)
  subscribers = subscribersOf(world)
  callbackOf = subscribers.callbackOf
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const payment = { amount: 5, currency: 'EUR' }
const statusOf = async (id: string) => (await subscribers.read(id)).status
const act = (id: string, verb: 'approve' | 'cancel' | 'end', body = {}) =>
  money.sandbox(`online-wallet/${id}/${verb}`, body)
const pairOf = async ({ payment: paid, subscription }: Json) =>
  `${(await world.operation(paid.id)).status} ${await statusOf(subscription.id)}`

async function accepted(email?: string): Promise<string> {
  const checkout = await subscribers.checkout()
  await money.pay(checkout, 'paypal')
  await act(checkout.subscription.id, 'approve', { email })
  await world.eventually(async () => (await statusOf(checkout.subscription.id)) === 'APPROVED')
  return checkout.subscription.id
}

async function outcome(id: string, amount: number, more: object = {}): Promise<Json> {
  const { status, body, text } = await subscribers.charge(id, amount, more)
  if (status !== 200) throw new Error(text)
  return subscribers.processed(id, body.id)
}

async function paymentsOf(invoice: string): Promise<Json[]> {
  return (await world.shop.get(`/api/v2/operations?ext_invoiceid=${invoice}`)).body.elements
}

describe('a subscription by PAYPAL', () => {
  it('is accepted on the page of the wallet, and nothing is paid', async () => {
    const checkout = await subscribers.checkout({ end_date: '2030-06-30' })
    const { id, ext_subscriptionid } = checkout.subscription
    expect((await openPage(checkout.url_redirect)).text).toContain('you allow later charges')
    const logIn = await money.pay(checkout, 'paypal')
    expect(logIn.text).toContain('To allow charges by Demo Shop')
    const form = formTo(logIn, '/online-wallet')
    const review = await submit(logIn, form, { email: 'ana@example.com', step: 'review' })
    expect(review.text).toContain('can later charge your account without asking you')
    expect(review.text).not.toContain('€')
    const back = await submit(review, formTo(review, '/online-wallet'), { step: 'agree' })
    expect(back.text).toContain('Subscription accepted')
    expect(await callbackOf('subscription_id', id, 'APPROVED')).toEqual({
      event: 'APPROVED',
      subscription_id: id,
      ext_subscriptionid,
      subscription_end_date: '2030-06-30',
    })
    const current = { status: 'APPROVED', default_payment_method: 'WALLET', method: 'PAYPAL' }
    expect(await subscribers.read(id)).toMatchObject(current)
    expect(await subscribers.read(id)).not.toHaveProperty('card')
  })

  it('that the customer cancels there stays open, and a card accepts it', async () => {
    const checkout = await subscribers.checkout()
    const logIn = await money.pay(checkout, 'paypal')
    const back = await submit(logIn, formTo(logIn, '/online-wallet'), { step: 'cancel' })
    expect(back.text).toContain('You cancelled at PayPal')
    expect(await statusOf(checkout.subscription.id)).toBe('NEW')
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('Subscription accepted')
    expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ method: 'CC' })
  })

  it('that its merchant voids meanwhile is not accepted, and no account is saved', async () => {
    const checkout = await subscribers.checkout()
    const { id } = checkout.subscription
    await money.pay(checkout, 'paypal')
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
    await act(id, 'approve')
    expect(await statusOf(id)).toBe('VOIDED')
    expect((await act(id, 'end')).body).toMatchObject({ code: 10004 })
  })

  it('is accepted by the latest order only', async () => {
    const checkout = await subscribers.checkout()
    const first = await money.pay(checkout, 'paypal')
    const second = await money.pay(checkout, 'paypal')
    await submit(first, formTo(first, '/online-wallet'), { step: 'agree', email: 'a@b.pt' })
    expect(await statusOf(checkout.subscription.id)).toBe('NEW')
    await submit(second, formTo(second, '/online-wallet'), { step: 'agree', email: 'a@b.pt' })
    expect(await statusOf(checkout.subscription.id)).toBe('APPROVED')
  })
})

describe('a charge to a saved account', () => {
  it('is paid without the customer, booked and reported, and can be refunded', async () => {
    const id = await accepted()
    const { body } = await subscribers.charge(id, '12.34', { ext_invoiceid: 'P-1' })
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'SUCCESS', amount: 12.34 })
    const [operation = {}] = await paymentsOf('P-1')
    expect(operation).toMatchObject({ status: 'COMPLETED', method: 'PAYPAL', type: 'PAYMENT', amount: 12.34 })
    expect(await callbackOf('charge_order_id', body.id, 'SUCCESS')).toMatchObject({ amount: 12.34 })
    const refund = await world.shop.post(`/api/v2/operations/${operation.id}/refund`, { amount: 2.34 })
    expect(refund.body).toMatchObject({ status: 'COMPLETED', amount: -2.34 })
    expect((await subscribers.charge(id, 7.67)).body).toMatchObject({ code: 40013 })
  })

  it('fails with the reason if the account is empty, and the allowance comes back', async () => {
    const id = await accepted('empty@onda.example')
    const { body } = await subscribers.charge(id, 20, { ext_invoiceid: 'P-2' })
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'FAIL' })
    const error = 'insufficient_funds'
    expect(await callbackOf('charge_order_id', body.id, 'FAIL')).toMatchObject({ error })
    expect(await paymentsOf('P-2')).toMatchObject([{ status: 'FAIL', method: 'PAYPAL' }])
    expect(await outcome(id, 20)).toMatchObject({ status: 'FAIL' })
  })

  it('is paid once if the wallet does not answer', async () => {
    const id = await accepted('silent@onda.example')
    const { body } = await subscribers.charge(id, 10, { ext_invoiceid: 'P-3' })
    await world.eventually(async () => {
      await world.advance('PT1M')
      return (await subscribers.chargeOf(id, body.id)).status === 'SUCCESS'
    })
    expect(await paymentsOf('P-3')).toMatchObject([{ status: 'COMPLETED', amount: 10 }])
  })

  it('waits for a review of the wallet, for a day', async () => {
    const id = await accepted('reviewed@onda.example')
    await world.advance('P1DT1H')
    const { body } = await subscribers.charge(id, 10)
    await world.eventually(async () => (await subscribers.chargeOf(id, body.id)).status === 'PROCESSING')
    await world.advance('PT12H')
    expect((await subscribers.chargeOf(id, body.id)).status).toBe('PROCESSING')
    await world.advance('PT13H')
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('is refused once the customer ends the permission at the wallet', async () => {
    const id = await accepted()
    expect(await outcome(id, 1)).toMatchObject({ status: 'SUCCESS' })
    expect((await act(id, 'end')).body).toEqual({ operation_id: id, state: 'ended' })
    await callbackOf('subscription_id', id, 'CANCELED')
    expect(await statusOf(id)).toBe('CANCELED')
    expect((await subscribers.charge(id, 1)).body).toMatchObject({ code: 10013 })
  })

  it('is refused once its merchant or its customer ended the subscription, and the account is forgotten', async () => {
    const voided = await accepted()
    await world.shop.delete(`/api/v2/subscriptions/${voided}`)
    const checkout = await subscribers.checkout()
    const logIn = await money.pay(checkout, 'paypal')
    const form = formTo(logIn, '/online-wallet')
    const result = await submit(logIn, form, { step: 'agree', email: 'a@b.pt' })
    const link = new URL(result.links.find((href) => href.includes('/subscription/')) ?? '', world.baseUrl)
    expect((await openPage(link.href)).text).toContain('Your subscription to Demo Shop')
    await world.request(`${link.pathname}/cancel`, { method: 'POST' })
    const { id: canceled } = checkout.subscription
    await callbackOf('subscription_id', canceled, 'CANCELED')
    for (const id of [voided, canceled])
      expect((await subscribers.charge(id, 1)).body).toMatchObject({ code: 10013 })
  })
})

describe('payment with subscription by PAYPAL', () => {
  it('pays and accepts as one; later charges go to the same account', async () => {
    const checkout = await subscribers.checkout({}, { payment })
    const logIn = await money.pay(checkout, 'paypal')
    const form = formTo(logIn, '/online-wallet')
    const review = await submit(logIn, form, { email: 'ana@example.com', step: 'review' })
    expect(review.text).toContain('€5.00')
    expect(review.text).toContain('can later charge your account without asking you')
    const back = await submit(review, formTo(review, '/online-wallet'), { step: 'agree' })
    expect(back.text).toContain('The subscription is accepted too.')
    expect(await pairOf(checkout)).toBe('COMPLETED APPROVED')
    const { id } = checkout.subscription
    expect(await subscribers.read(id)).toMatchObject({ method: 'PAYPAL' })
    await callbackOf('operation_id', checkout.payment.id, 'COMPLETED')
    await callbackOf('subscription_id', id, 'APPROVED')
    expect(await outcome(id, 20)).toMatchObject({ status: 'SUCCESS' })
    await act(checkout.payment.id, 'end')
    await callbackOf('subscription_id', id, 'CANCELED')
  })

  it('does neither if the account is empty; a card then does both', async () => {
    const checkout = await subscribers.checkout({}, { payment })
    await money.pay(checkout, 'paypal')
    await act(checkout.payment.id, 'approve', { email: 'empty@onda.example' })
    expect(await pairOf(checkout)).toBe('PENDING NEW')
    expect((await openPage(checkout.url_redirect)).text).toContain('The PayPal balance is too low')
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('accepted too')
    expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ method: 'CC' })
    expect(await outcome(checkout.subscription.id, 20)).toMatchObject({ status: 'SUCCESS' })
  })

  it('does both if the wallet does not answer', async () => {
    const checkout = await subscribers.checkout({}, { payment })
    await money.pay(checkout, 'paypal')
    const approving = act(checkout.payment.id, 'approve', { email: 'silent@onda.example' })
    await world.eventually(async () => {
      await world.advance('PT1M')
      return (await pairOf(checkout)) === 'COMPLETED APPROVED'
    })
    expect((await approving).status).toBe(200)
  })
})
