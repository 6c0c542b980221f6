// Subscriptions with WALLET.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, type Page } from '../browserless.ts'
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

type Consumer = Awaited<ReturnType<Money['consumer']>>

const logIn = (checkout: Json, { email, pin }: Pick<Consumer, 'email' | 'pin'>): Promise<Page> =>
  money.pay(checkout, 'wallet', { email, pin })
const statusOf = async (id: string) => (await subscribers.read(id)).status
const payment = { amount: 5, currency: 'EUR' }

async function accepted(balance: number, change: object = {}): Promise<{ id: string; consumer: Consumer }> {
  const consumer = await money.consumer(balance)
  const checkout = await subscribers.checkout(change)
  const page = await logIn(checkout, consumer)
  if (!page.text.includes('Subscription accepted')) throw new Error(page.text)
  return { id: checkout.subscription.id, consumer }
}

async function outcome(id: string, amount: number): Promise<Json> {
  const { status, body, text } = await subscribers.charge(id, amount)
  if (status !== 200) throw new Error(text)
  return subscribers.processed(id, body.id)
}

async function paymentsOf(invoice: string): Promise<Json[]> {
  return (await world.shop.get(`/api/v2/operations?ext_invoiceid=${invoice}`)).body.elements
}

describe('a subscription by WALLET', () => {
  it('is accepted with e-mail and PIN, and nothing leaves the balance', async () => {
    const consumer = await money.consumer(0)
    const checkout = await subscribers.checkout({ end_date: '2030-06-30' })
    const { id, ext_subscriptionid } = checkout.subscription
    expect((await openPage(checkout.url_redirect)).text).toContain('You pay nothing now')
    expect((await logIn(checkout, consumer)).text).toContain('Subscription accepted')
    expect(await callbackOf('subscription_id', id, 'APPROVED')).toEqual({
      event: 'APPROVED',
      subscription_id: id,
      ext_subscriptionid,
      subscription_end_date: '2030-06-30',
    })
    const current = {
      status: 'APPROVED',
      default_payment_method: 'WALLET',
      method: 'WALLET',
      end_date: '2030-06-30',
    }
    expect(await subscribers.read(id)).toMatchObject({ ...current, client: { email: consumer.email } })
    const { elements } = (await world.shop.get('/api/v2/subscriptions')).body
    expect(elements[0].subscription).toMatchObject({ id, ...current })
    expect(elements[0].subscription).not.toHaveProperty('card')
  })

  it('posted twice is accepted once', async () => {
    const consumer = await money.consumer(0)
    const checkout = await subscribers.checkout()
    const pages = await Promise.all([logIn(checkout, consumer), logIn(checkout, consumer)])
    for (const { text } of pages) expect(text).toContain('Subscription accepted')
    await callbackOf('subscription_id', checkout.subscription.id, 'APPROVED')
    const approvals = world.receiver
      .received('/callbacks')
      .map(({ body }) => JSON.parse(body))
      .filter(({ subscription_id }) => subscription_id === checkout.subscription.id)
    expect(approvals).toHaveLength(1)
  })

  it('with a wrong PIN stays open, and a card accepts it', async () => {
    const { email } = await money.consumer(0)
    const checkout = await subscribers.checkout()
    for (const text of ['The e-mail or the PIN is wrong', 'The e-mail or', 'The wallet is locked']) {
      const page = await logIn(checkout, { email, pin: '8642' })
      expect(page.status).toBe(422)
      expect(page.text).toContain(text)
    }
    expect((await logIn(checkout, { email, pin: '' })).text).toContain('Enter your PIN.')
    expect(await statusOf(checkout.subscription.id)).toBe('NEW')
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('Subscription accepted')
    expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ default_payment_method: 'CC' })
  })

  it('voided by its merchant meanwhile is not accepted', async () => {
    const consumer = await money.consumer(0)
    const checkout = await subscribers.checkout()
    const page = await openPage(checkout.url_redirect)
    await world.shop.delete(`/api/v2/subscriptions/${checkout.subscription.id}`)
    const form = page.forms.find(({ action }) => action.includes('/wallet'))
    const { text } = await world.request(new URL(form?.action ?? '', world.baseUrl).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email: consumer.email, pin: consumer.pin }).toString(),
    })
    expect(text).not.toContain('Subscription accepted')
    expect(await statusOf(checkout.subscription.id)).toBe('VOIDED')
  })
})

describe('a charge to a balance', () => {
  it('is taken from it, booked and reported, and a refund goes back to it', async () => {
    const { id, consumer } = await accepted(30)
    const { body } = await subscribers.charge(id, '12.34', { ext_invoiceid: 'W-1' })
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'SUCCESS', amount: 12.34 })
    expect(await money.balanceOf(consumer.email)).toBe(17.66)
    const [operation = {}] = await paymentsOf('W-1')
    expect(operation).toMatchObject({ status: 'COMPLETED', method: 'WALLET', type: 'PAYMENT', amount: 12.34 })
    expect(await callbackOf('charge_order_id', body.id, 'SUCCESS')).toMatchObject({ amount: 12.34 })
    expect(await callbackOf('operation_id', operation.id, 'COMPLETED')).toMatchObject({ method: 'WALLET' })
    const refund = await world.shop.post(`/api/v2/operations/${operation.id}/refund`, {})
    expect(refund.body).toMatchObject({ status: 'COMPLETED', amount: -12.34 })
    expect(await money.balanceOf(consumer.email)).toBe(30)
  })

  it('beyond it fails with the reason, and the allowance comes back', async () => {
    const { id, consumer } = await accepted(10)
    expect(await outcome(id, 10)).toMatchObject({ status: 'SUCCESS' })
    const { body } = await subscribers.charge(id, 0.01, { ext_invoiceid: 'W-2' })
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'FAIL' })
    expect(await callbackOf('charge_order_id', body.id, 'FAIL')).toMatchObject({
      error: 'insufficient_funds',
    })
    expect(await paymentsOf('W-2')).toMatchObject([{ status: 'FAIL', method: 'WALLET' }])
    expect(await money.balanceOf(consumer.email)).toBe(0)

    await money.sandbox('bank/transfer', { reference_text: consumer.bank_reference, amount: 10 })
    expect(await outcome(id, 10)).toMatchObject({ status: 'SUCCESS' })
    expect(await money.balanceOf(consumer.email)).toBe(0)
  })

  it('beyond the allowance is refused with any balance', async () => {
    const { id, consumer } = await accepted(100)
    expect(await outcome(id, 15)).toMatchObject({ status: 'SUCCESS' })
    expect((await subscribers.charge(id, 5.01)).body).toMatchObject({ code: 40013 })
    expect(await outcome(id, 5)).toMatchObject({ status: 'SUCCESS' })
    expect(await money.balanceOf(consumer.email)).toBe(80)
  })

  it('is refused once its customer or its merchant ended the subscription', async () => {
    const [canceled, voided] = [await accepted(10), await accepted(10)]
    const checkout = await subscribers.checkout()
    const result = await logIn(checkout, canceled.consumer)
    const link = result.links.find((href) => href.includes('/subscription/')) ?? ''
    const page = await openPage(new URL(link, world.baseUrl).href)
    expect(page.text).toContain('Charged to the balance of your wallet.')
    const cancel = new URL(`${new URL(link, world.baseUrl).pathname}/cancel`, world.baseUrl)
    await world.request(cancel.pathname, { method: 'POST' })
    await callbackOf('subscription_id', checkout.subscription.id, 'CANCELED')
    await world.shop.delete(`/api/v2/subscriptions/${voided.id}`)
    for (const id of [checkout.subscription.id, voided.id]) {
      expect((await subscribers.charge(id, 1)).body).toMatchObject({ code: 10013 })
    }
    expect(await outcome(canceled.id, 1)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('payment with subscription by WALLET', () => {
  const pairOf = async ({ payment: paid, subscription }: Json) =>
    `${(await world.operation(paid.id)).status} ${await statusOf(subscription.id)}`

  it('pays and accepts as one; later charges go to the same balance', async () => {
    const consumer = await money.consumer(30)
    const checkout = await subscribers.checkout({}, { payment })
    expect((await openPage(checkout.url_redirect)).text).toContain('Pay €5.00 and accept')
    const page = await logIn(checkout, consumer)
    expect(page.text).toContain('The subscription is accepted too.')
    expect(await pairOf(checkout)).toBe('COMPLETED APPROVED')
    const { id } = checkout.subscription
    expect(await subscribers.read(id)).toMatchObject({ default_payment_method: 'WALLET' })
    expect(await callbackOf('operation_id', checkout.payment.id, 'COMPLETED')).toMatchObject({
      method: 'WALLET',
    })
    await callbackOf('subscription_id', id, 'APPROVED')
    expect(await outcome(id, 20)).toMatchObject({ status: 'SUCCESS' })
    expect(await money.balanceOf(consumer.email)).toBe(5)
  })

  it('divides the payment among sub-merchants as it would any other', async () => {
    const consumer = await money.consumer(5)
    const split = [{ merchant_wallet: world.merchant('Sub Shop A').public_id, amount: 2 }]
    const checkout = await subscribers.checkout({}, { payment: { ...payment, split } })
    expect((await logIn(checkout, consumer)).text).toContain('The subscription is accepted too.')
    expect(await pairOf(checkout)).toBe('COMPLETED APPROVED')
    const { splits } = await world.operation(checkout.payment.id)
    // Two fifths of 4.98, the payment after the gateway's fee.
    expect(splits).toMatchObject({ total: 1, elements: [{ amount: '1.99' }] })
    expect(await money.balanceOf(consumer.email)).toBe(0)
    await callbackOf('subscription_id', checkout.subscription.id, 'APPROVED')
  })

  it('does neither when the balance is too small; a card then does both, and is charged later', async () => {
    const consumer = await money.consumer(4.99)
    const checkout = await subscribers.checkout({}, { payment })
    const page = await logIn(checkout, consumer)
    expect(page.status).toBe(422)
    expect(page.text).toContain('The balance is too small')
    expect(await pairOf(checkout)).toBe('PENDING NEW')
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('accepted too')
    expect(await pairOf(checkout)).toBe('COMPLETED APPROVED')
    const { id } = checkout.subscription
    expect(await subscribers.read(id)).toMatchObject({ default_payment_method: 'CC' })
    expect(await outcome(id, 20)).toMatchObject({ status: 'SUCCESS' })
    expect(await money.balanceOf(consumer.email)).toBe(4.99)
  })
})
