// Subscriptions: acceptance, charges and end.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { newPhone } from '../phone.ts'
import { askToPay, storeCard } from '../stored-cards.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
let now: Subscribers['now']
let today: Subscribers['today']
let subscribing: Subscribers['checkout']
let accepted: Subscribers['accepted']
let read: Subscribers['read']
let charge: Subscribers['charge']
let chargeOf: Subscribers['chargeOf']
let processed: Subscribers['processed']
let callbackOf: Subscribers['callbackOf']

beforeAll(async () => {
  world = await openWorld()
  const subscribers = subscribersOf(world)
  ;({ now, today, accepted, read, charge, chargeOf, processed, callbackOf } = subscribers)
  subscribing = subscribers.checkout
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }

async function moveTo(moment: string): Promise<void> {
  const answer = await world.request('/sandbox/api/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ set: moment }),
  })
  expect(answer.status).toBe(200)
}

describe('a subscription', () => {
  it('is accepted on the page without a charge, reported, and read', async () => {
    const checkout = await subscribing({ end_date: '2030-06-30' })
    expect(checkout).not.toHaveProperty('payment')
    const { id, ext_subscriptionid } = checkout.subscription
    expect(checkout.subscription).toMatchObject({ status: 'NEW', amount: 20, currency: 'EUR' })
    const page = await openPage(checkout.url_redirect)
    expect(page.text).toContain('Demo Shop may charge you up to €20.00 every month.')
    expect(page.text).toMatch(/From \d+ \w+ 20\d\d to 30 June 2030\./)
    expect(page.text).toContain('Nothing is charged now.')

    const result = await world.payOnPage(checkout, cards.challenge)
    expect(result.text).toContain('Subscription accepted')
    expect(result.links).toContain(`https://shop.example/ok?checkoutid=${checkout.id}`)
    expect(await callbackOf('subscription_id', id, 'APPROVED')).toEqual({
      event: 'APPROVED',
      subscription_id: id,
      ext_subscriptionid,
      subscription_end_date: '2030-06-30',
    })
    const current = await read(id)
    expect(current).toMatchObject({
      id,
      status: 'APPROVED',
      frequency: 1,
      period: 'MONTH',
      start_date: await today(),
      end_date: '2030-06-30',
      ext_subscriptionid,
      description: 'Magazine',
      default_payment_method: 'CC',
      client: { name: 'Ana Silva', email: 'ana@example.com' },
      card: { last4: '0092', type: 'visa', valdate: '12/2030', expired: false, voided: false },
    })
    expect((await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body.subscription).toMatchObject({
      id,
      status: 'APPROVED',
    })
    const { total, elements } = (await world.shop.get('/api/v2/Subscriptions?limit=1')).body
    expect(total).toBeGreaterThanOrEqual(1)
    expect(elements).toEqual([
      {
        subscription: {
          id,
          amount: 20,
          currency: 'EUR',
          start_date: current.start_date,
          end_date: '2030-06-30',
          description: 'Magazine',
          status: 'APPROVED',
          default_payment_method: 'CC',
          method: 'CC',
          card: current.card,
        },
      },
    ])
    const none = await world.shop.get('/api/v2/subscriptions?startdate=2020-01-01&enddate=2020-12-31')
    expect(none.body).toEqual({ total: 0, elements: [] })
  })

  it('shows the data of its customer that the merchant sent, except the postal code', async () => {
    const address = { address: 'Rua Um 1', city: 'Lisboa', country: 'PT' }
    const client = { name: 'Ana Silva', address: { ...address, postalcode: '1000-001' } }
    const { id, subscription } = await subscribing({ client })
    expect(subscription.client).toEqual({ name: 'Ana Silva', address })
    expect((await read(subscription.id)).client).toEqual({ name: 'Ana Silva', address })
    const checkout = (await world.shop.get(`/api/v2/checkout/${id}`)).body
    expect(checkout.subscription.client).toEqual({ name: 'Ana Silva', address })
  })

  it('ends with its card, reported at its acceptance, and takes no card that expires before it begins', async () => {
    const unending = await accepted()
    expect(await callbackOf('subscription_id', unending.id, 'APPROVED')).toMatchObject({
      subscription_end_date: '2030-12-31',
    })
    expect(await read(unending.id)).toMatchObject({ end_date: '2030-12-31' })

    const later = await subscribing({ start_date: '2031-01-01' })
    const page = await world.payOnPage(later, cards.frictionless)
    expect(page.status).toBe(422)
    expect(page.text).toContain('This card expires before the subscription starts.')
    expect(page.text).not.toContain('no longer valid')
  })

  it('fails when its customer declines, and when no customer comes', async () => {
    const checkout = await subscribing()
    const page = await openPage(checkout.url_redirect)
    await submit(page, formTo(page, '/cancel'), {}, { within: world.baseUrl })
    expect(await callbackOf('subscription_id', checkout.subscription.id, 'FAILED')).toMatchObject({
      ext_subscriptionid: checkout.subscription.ext_subscriptionid,
      error: 'cancelled',
    })
    expect((await openPage(checkout.url_redirect)).text).toContain('You did not accept the subscription')

    const forgotten = await subscribing()
    await world.advance('P1DT1H')
    expect(await read(forgotten.subscription.id)).toMatchObject({ status: 'FAILED' })
    expect(await callbackOf('subscription_id', forgotten.subscription.id, 'FAILED')).toMatchObject({
      error: 'expired',
    })
    expect((await charge(forgotten.subscription.id, 1)).body).toMatchObject({ code: 10013 })
    const late = await world.shop.delete(`/api/v2/subscriptions/${forgotten.subscription.id}`)
    expect(late.body).toMatchObject({ code: 10013 })
  })

  it('stays open after a card that was not authenticated, for another one', async () => {
    const checkout = await subscribing()
    const refused = await world.payOnPage(checkout, cards.rejected)
    expect(refused.text).toMatch(/bank/i)
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'NEW' })
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('Subscription accepted')
  })

  it('is voided with its checkout while no method was chosen', async () => {
    const checkout = await subscribing()
    const voided = await world.shop.delete(`/api/v2/checkout/${checkout.id}`)
    expect(voided).toMatchObject({ status: 200, body: { subscription: { status: 'VOIDED' } } })
    expect((await world.shop.delete(`/api/v2/checkout/${checkout.id}`)).body).toMatchObject({ code: 10013 })
    const chosen = await subscribing()
    await world.payOnPage(chosen, cards.rejected)
    expect((await world.shop.delete(`/api/v2/checkout/${chosen.id}`)).body).toMatchObject({ code: 10013 })
  })

  it.each(['subscriptions', 'Subscriptions'])('is voided by DELETE /api/v2/%s, once', async (path) => {
    const { id } = await accepted()
    const voided = await world.shop.delete(`/api/v2/${path}/${id}`)
    expect(voided).toMatchObject({ status: 200, body: { id, status: 'VOIDED' } })
    expect((await world.shop.delete(`/api/v2/${path}/${id}`)).body).toMatchObject({ code: 10013 })
    expect((await charge(id, 1)).body).toMatchObject({ code: 10013, reason: 'the subscription was voided' })
    const fresh = await subscribing()
    expect((await world.shop.delete(`/api/v2/${path}/${fresh.subscription.id}`)).body.status).toBe('VOIDED')
    expect((await openPage(fresh.url_redirect)).text).toContain('The shop withdrew this subscription')
  })

  it('voided after acceptance, its request has still succeeded', async () => {
    const requestId = randomUUID()
    const checkout = await subscribing({}, { request_id: requestId })
    await world.payOnPage(checkout, cards.frictionless)
    await world.shop.delete(`/api/v2/subscriptions/${checkout.subscription.id}`)
    const asked = await world.shop.get(`/api/v2/requests/${requestId}`)
    expect(asked.body).toMatchObject({ status: 'COMPLETED' })
  })

  it('voided, it is reported to a wallet with self events, alone or with its payment', async () => {
    const silent = await accepted()
    await world.shop.delete(`/api/v2/subscriptions/${silent.id}`)
    await world.cli('merchant', 'set', world.shop.public_id, '--self-events', 'on')
    const alone = await accepted()
    const unit = await subscribing({}, { payment: { amount: 5, currency: 'EUR' } })
    for (const { id } of [alone, unit.subscription]) {
      await world.shop.delete(`/api/v2/subscriptions/${id}`)
      await callbackOf('subscription_id', id, 'VOIDED')
    }
    await callbackOf('operation_id', unit.payment.id, 'VOIDED')
    await world.cli('merchant', 'set', world.shop.public_id, '--self-events', 'off')
    const reported = world.receiver.received('/callbacks').map(({ body }) => JSON.parse(body))
    expect(reported.some((each) => each.subscription_id === silent.id && each.event === 'VOIDED')).toBe(false)
  })

  it.each([
    ['no amount', { amount: undefined }, 10001, 'subscription.amount is required'],
    ['zero', { amount: 0 }, 40009, 'subscription.amount must be at least 0.01'],
    ['too much', { amount: 100000 }, 40012, 'subscription.amount must be at most'],
    ['three decimals', { amount: '1.001' }, 10002, 'subscription.amount must have at most 2 decimals'],
    ['another currency', { currency: 'USD' }, 10002, 'subscription.currency must be EUR'],
    ['no frequency', { frequency: undefined }, 10001, 'subscription.frequency is required'],
    ['frequency 0', { frequency: 0 }, 10002, 'subscription.frequency must be'],
    ['frequency 366', { frequency: 366 }, 10002, 'subscription.frequency must be'],
    ['half a frequency', { frequency: 1.5 }, 10002, 'subscription.frequency must be'],
    ['an unknown period', { period: 'YEAR' }, 10002, 'subscription.period must be one of'],
    ['no start', { start_date: undefined }, 10001, 'subscription.start_date is required'],
    ['a start in the past', { start_date: '2020-01-01' }, 10002, 'subscription.start_date must be 20'],
    ['no day', { start_date: '2031-02-30' }, 10002, 'subscription.start_date must be a day'],
    ['a time', { start_date: '2031-02-03T00:00:00Z' }, 10002, 'subscription.start_date must be a day'],
    [
      'an end beyond all',
      { end_date: '9999-12-31' },
      10002,
      'subscription.end_date must be 9998-12-31 or earlier',
    ],
    ['an invalid end', { end_date: 'never' }, 10002, 'subscription.end_date must be a day'],
    ['an end before the start', { end_date: '2020-01-01' }, 10002, '(subscription.start_date) or later'],
    ['a long reference', { ext_subscriptionid: 'x'.repeat(46) }, 10002, 'subscription.ext_subscriptionid'],
    ['no object', 'monthly', 10002, 'subscription must be'],
  ])('is refused with %s', async (_, change, code, reason) => {
    const valid = { amount: 1, currency: 'EUR', frequency: 1, period: 'DAY', start_date: await today() }
    const subscription = typeof change === 'string' ? change : { ...valid, ...change }
    const answer = await world.shop.post('/api/v2/checkout', { subscription, ...urls })
    expect(answer.body).toMatchObject({ code, reason: expect.stringContaining(reason) })
  })

  it('is accepted with the wallet’s methods: cards and the mobile wallet by default', async () => {
    const settingOf = async (name: string) =>
      (await world.cli('merchant', 'list')).json.merchants.find((merchant: Json) => merchant.name === name)
        .subscription_methods
    expect(await settingOf('Demo Shop')).toEqual(['CC', 'MBWAY', 'PAYPAL', 'WALLET'])
    expect(await settingOf('Plain Shop')).toEqual(['CC', 'MBWAY'])
    const set = (methods: string) =>
      world.cli('merchant', 'set', world.shop.public_id, '--subscription-methods', methods)
    const offered = async () => {
      const page = await openPage((await subscribing()).url_redirect)
      return ['card', 'mbway', 'paypal', 'wallet'].filter((part) =>
        page.forms.some(({ action }) => action.split('?')[0]?.endsWith(`/${part}`)),
      )
    }
    expect(await offered()).toEqual(['card', 'mbway', 'paypal', 'wallet'])
    expect((await set('CC')).json).toMatchObject({ subscription_methods: ['CC'] })
    expect(await offered()).toEqual(['card'])
    const mandate = { phone: newPhone(world).number, type: 'SUBSCRIPTION' }
    expect((await world.shop.post('/api/v2/mandate/mbway', mandate)).body).toMatchObject({
      code: 20002,
      reason: expect.stringContaining('the wallet has no subscriptions by MBWAY'),
    })
    await set('none')
    await expect(subscribing()).rejects.toThrow('the wallet has no method for subscriptions')
    expect((await world.createCheckout()).payment.status).toBe('NEW')
    expect((await set('MB')).code).toBe(2)
    await set('CC,MBWAY,PAYPAL,WALLET')
  })

  it('is refused together with an authorization, without cards, and without the permission', async () => {
    const subscription = {
      amount: 1,
      currency: 'EUR',
      frequency: 1,
      period: 'DAY',
      start_date: await today(),
    }
    const authorization = { amount: 1, currency: 'EUR' }
    const both = await world.shop.post('/api/v2/checkout', { subscription, authorization, ...urls })
    expect(both.body).toMatchObject({
      code: 10002,
      reason: expect.stringContaining('send either subscription or authorization, not both'),
    })
    const cardless = await world.shop.post('/api/v2/checkout', {
      subscription,
      exclude: ['CC', 'MBWAY', 'PAYPAL', 'WALLET'],
      ...urls,
    })
    expect(cardless.body).toMatchObject({
      code: 10002,
      reason: expect.stringContaining('exclude must leave'),
    })
    const wallet = String(world.shop.wallet_id)
    const { api_key: key } = (await world.cli('key', 'create', wallet, '--permissions', 'checkout')).json
    const answer = await world.request('/api/v2/checkout', {
      method: 'POST',
      headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subscription, ...urls }),
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 20002 } })
  })
})

describe('a charge', () => {
  it('is accepted at once, processed, booked and reported', async () => {
    const { id, ext_subscriptionid } = await accepted()
    const items = [{ name: 'Issue 7', qt: 1 }]
    const { status, body } = await charge(id, '12.34', { items })
    expect(status).toBe(200)
    expect(body).toEqual({
      amount: 12.34,
      currency: 'EUR',
      ext_invoiceid: 'C-1',
      id: body.id,
      status: 'NEW',
      subscription_id: id,
    })
    expect(await processed(id, body.id)).toMatchObject({ ...body, status: 'SUCCESS' })
    expect(await callbackOf('charge_order_id', body.id, 'SUCCESS')).toEqual({
      event: 'SUCCESS',
      charge_order_id: body.id,
      amount: 12.34,
      currency: 'EUR',
      subscription_id: id,
      ext_subscriptionid,
      ext_invoiceid: 'C-1',
    })
    const listed = (await world.shop.get(`/api/v2/Subscriptions/${id}/charge/`)).body
    expect(listed).toEqual({
      total: 1,
      elements: [
        {
          charge_order: {
            id: body.id,
            subscription_id: id,
            amount: 12.34,
            currency: 'EUR',
            date: expect.stringMatching(/\+0000$/),
            status: 'SUCCESS',
          },
        },
      ],
    })
    const { elements } = (await world.shop.get('/api/v2/operations?ext_invoiceid=C-1&limit=1')).body
    expect(elements[0]).toMatchObject({
      type: 'PAYMENT',
      status: 'COMPLETED',
      method: 'CC',
      amount: 12.34,
      fee: -0.27,
      refundable: true,
      items,
      card: { last4: '0027' },
    })
    expect(await callbackOf('operation_id', elements[0].id, 'COMPLETED')).toMatchObject({ amount: 12.34 })
  })

  it('that the card refuses fails with the reason, and gives its allowance back', async () => {
    const { id } = await accepted({}, cards.insufficientFunds)
    for (let round = 0; round < 2; round++) {
      const { body } = await charge(id, 20)
      expect(await processed(id, body.id)).toMatchObject({ status: 'FAIL' })
      expect(await callbackOf('charge_order_id', body.id, 'FAIL')).toMatchObject({
        error: 'insufficient_funds',
      })
    }
  })

  it('with a silent acquirer waits, keeps its allowance, and is charged once', async () => {
    const { id } = await accepted({}, cards.silentThenApproved)
    const { body } = await charge(id, 15)
    await world.eventually(async () => (await chargeOf(id, body.id)).status === 'PROCESSING')
    expect((await charge(id, 6)).body).toMatchObject({ code: 40013 })
    await world.eventually(async () => {
      await world.advance('PT1M')
      return (await chargeOf(id, body.id)).status === 'SUCCESS'
    })
  })

  it.each([
    ['no amount', { currency: 'EUR' }, 10001, 'payment.amount is required'],
    ['zero', { amount: 0, currency: 'EUR' }, 40009, 'payment.amount must be at least 0.01'],
    ['less than zero', { amount: -1, currency: 'EUR' }, 40009, 'payment.amount must be at least 0.01'],
    ['three decimals', { amount: 1.001, currency: 'EUR' }, 10002, 'at most 2 decimals'],
    ['words', { amount: 'much', currency: 'EUR' }, 10002, 'payment.amount must be a number'],
    ['another currency', { amount: 1, currency: 'USD' }, 10002, 'payment.currency must be EUR'],
    ['no currency', { amount: 1 }, 10001, 'payment.currency is required'],
    ['too much at all', { amount: 100000, currency: 'EUR' }, 40012, 'payment.amount must be at most'],
    ['more than allowed', { amount: 20.01, currency: 'EUR' }, 40013, 'at most 20.00'],
    ['a long invoice', { amount: 1, currency: 'EUR', ext_invoiceid: 'x'.repeat(46) }, 10002, 'ext_invoiceid'],
    ['null', null, 10002, 'payment must be an object'],
  ])('is refused with %s', async (_, payment, code, reason) => {
    shared ??= (await accepted()).id
    const answer = await world.shop.post(`/api/v2/subscriptions/${shared}/charge`, { payment })
    expect(answer.body).toMatchObject({ code, reason: expect.stringContaining(reason) })
  })
  let shared: string | undefined

  it('of nothing, of another wallet, and before the acceptance is refused', async () => {
    const { id } = await accepted()
    const payment = { amount: 1, currency: 'EUR' }
    for (const unknown of [randomUUID(), 'nonsense']) {
      expect((await charge(unknown, 1)).body).toMatchObject({ code: 10004 })
      expect((await chargeOf(id, unknown)).code).toBe(10004)
    }
    const otherVisitor = world.merchant('Plain Shop')
    for (const answer of [
      await otherVisitor.post(`/api/v2/subscriptions/${id}/charge`, { payment }),
      await otherVisitor.get(`/api/v2/subscriptions/${id}`),
      await otherVisitor.get(`/api/v2/subscriptions/${id}/charge`),
      await otherVisitor.delete(`/api/v2/subscriptions/${id}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 10004 } })
    }
    const { subscription } = await subscribing()
    expect((await charge(subscription.id, 1)).body).toMatchObject({ code: 10013 })
  })

  it('before the start and after the end is refused; then it has expired', async () => {
    const start = new Date((await now()).getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    const end = new Date((await now()).getTime() + 5 * 86_400_000).toISOString().slice(0, 10)
    const { id } = await accepted({ start_date: start, end_date: end })
    expect((await charge(id, 1)).body).toMatchObject({ code: 10013, reason: expect.stringContaining(start) })
    await moveTo(`${start}T12:00:00Z`)
    expect((await charge(id, 1)).status).toBe(200)
    await moveTo(`${end}T12:00:00Z`)
    expect((await charge(id, 1)).status).toBe(200)
    await world.advance('P1D')
    expect(await read(id)).toMatchObject({ status: 'EXPIRED' })
    expect((await charge(id, 1)).body).toMatchObject({ code: 10013, reason: 'the subscription has expired' })
    expect((await world.shop.delete(`/api/v2/subscriptions/${id}`)).body).toMatchObject({ code: 10013 })
  })

  it('is taken on the one day of a subscription that ends on the day it starts', async () => {
    const day = await today()
    const { id } = await accepted({ start_date: day, end_date: day })
    const { body } = await charge(id, 20)
    expect(await processed(id, body.id)).toMatchObject({ status: 'SUCCESS' })
    await world.advance('P1D')
    expect(await read(id)).toMatchObject({ status: 'EXPIRED', start_date: day, end_date: day })
  })

  it('asked for twice under one request_id is made once', async () => {
    const { id } = await accepted()
    const request_id = randomUUID()
    const body = { payment: { amount: 5, currency: 'EUR' }, request_id }
    const path = `/api/v2/subscriptions/${id}/charge`
    const first = await world.shop.post(path, body)
    const again = await world.shop.post(path, body)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await world.shop.post(path, { ...body, payment: { ...body.payment, amount: 6 } })
    expect(other.body).toMatchObject({ code: 10015 })
    await processed(id, first.body.id)
    expect((await world.shop.get(`/api/v2/requests/${request_id}`)).body).toMatchObject({
      status: 'COMPLETED',
      href: `${world.baseUrl}/api/v2/subscriptions/${id}/charge/${first.body.id}`,
    })
    expect((await world.shop.get(path)).body.total).toBe(1)
  })
})

describe('the card of a subscription', () => {
  const deleteCard = (token: string) =>
    world.request(`/prows/v2/creditcard/${token}`, {
      method: 'DELETE',
      headers: {
        authorization: `Comporta ${world.shop.api_key}`,
        'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
      },
    })
  const refused = (reason: string) => ({
    status: 409,
    body: { code: 10013, reason: expect.stringContaining(reason) },
  })

  it('ends with it: once deleted the subscription is VOIDED and reported, and others continue', async () => {
    const [ended, current] = [await accepted(), await accepted()]
    const { card } = await read(ended.id)
    expect((await deleteCard(card.token)).text).toBe('true')
    expect(await callbackOf('subscription_id', ended.id, 'VOIDED')).toMatchObject({ error: 'card_deleted' })
    expect(await read(ended.id)).toMatchObject({
      status: 'VOIDED',
      card: { token: card.token, voided: true },
    })
    expect(await charge(ended.id, 1)).toMatchObject(refused('was voided'))
    expect((await deleteCard(card.token)).text).toBe('true')
    const { body } = await charge(current.id, 1)
    expect(await processed(current.id, body.id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('stays as it was when the same number is accepted with another expiry', async () => {
    const first = await accepted()
    const second = await accepted({}, { ...cards.frictionless, expiry: '11 / 31' })
    const [one, two] = [await read(first.id), await read(second.id)]
    expect(one).toMatchObject({ end_date: '2030-12-31', card: { valdate: '12/2030' } })
    expect(two).toMatchObject({ end_date: '2031-11-30', card: { valdate: '11/2031' } })
    expect(one.card.token).not.toBe(two.card.token)
  })

  it('pays nothing else, unless the merchant itself stored the card', async () => {
    const stored = await storeCard(world, cards.frictionless.number)
    const subscription = await accepted()
    const { token } = (await read(subscription.id)).card
    for (const path of ['/prows/v2/payment', '/prows/v2/authorization']) {
      expect(await askToPay(world, token, {}, path)).toMatchObject(refused('card.token'))
    }
    expect((await askToPay(world, stored)).body).toMatchObject({
      status: 'COMPLETED',
      card: { token: stored },
    })
    const { body } = await charge(subscription.id, 1)
    expect(await processed(subscription.id, body.id)).toMatchObject({ status: 'SUCCESS' })
    const { elements } = (await world.shop.get('/api/v2/operations?type=PAYMENT&limit=1')).body
    expect(await askToPay(world, elements[0].card.token ?? token)).toMatchObject(refused('card.token'))

    const other = await accepted({}, cards.frictionlessMastercard)
    const later = await storeCard(world, cards.frictionlessMastercard.number)
    expect((await askToPay(world, later)).body).toMatchObject({ status: 'COMPLETED' })
    expect(await askToPay(world, (await read(other.id)).card.token)).toMatchObject(refused('card.token'))
    // The merchant may delete the card that it stored itself. The subscription has a separate record of the card.
    await deleteCard(later)
    expect(await read(other.id)).toMatchObject({ status: 'APPROVED', card: { voided: false } })
  })
})

describe('payment with subscription', () => {
  const payment = { amount: 5, currency: 'EUR', ext_invoiceid: 'FEE' }
  const operationOf = async (checkout: Json) => world.operation(checkout.payment.id)

  it('is accepted as one: both are reported, the card is charged again', async () => {
    const checkout = await subscribing({}, { payment })
    expect(checkout).toMatchObject({ payment: { status: 'NEW' }, subscription: { status: 'NEW' } })
    const page = await openPage(checkout.url_redirect)
    expect(page.text).toContain('may charge you up to €20.00 every month')
    expect(page.text).toContain('Pay €5.00 and accept')
    const declined = await world.payOnPage(checkout, cards.declined)
    expect(declined.text).toMatch(/declined/)
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'NEW' })

    const paid = await world.payOnPage(checkout, cards.challenge)
    expect(paid.text).toContain('The subscription is accepted too.')
    expect(await operationOf(checkout)).toMatchObject({ status: 'COMPLETED' })
    expect(await read(checkout.subscription.id)).toMatchObject({ status: 'APPROVED', end_date: '2030-12-31' })
    expect(await callbackOf('operation_id', checkout.payment.id, 'COMPLETED')).toMatchObject({ amount: 5 })
    await callbackOf('subscription_id', checkout.subscription.id, 'APPROVED')
    const { body } = await charge(checkout.subscription.id, 20)
    expect(await processed(checkout.subscription.id, body.id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('fails as one, cancelled or forgotten', async () => {
    const [cancelled, forgotten] = [await subscribing({}, { payment }), await subscribing({}, { payment })]
    const page = await openPage(cancelled.url_redirect)
    await submit(page, formTo(page, '/cancel'), {}, { within: world.baseUrl })
    await world.advance('P1DT1H')
    for (const checkout of [cancelled, forgotten]) {
      expect(await operationOf(checkout)).toMatchObject({ status: 'FAIL' })
      expect(await read(checkout.subscription.id)).toMatchObject({ status: 'FAILED' })
      await callbackOf('subscription_id', checkout.subscription.id, 'FAILED')
    }
  })

  it('is voided as one, by either id', async () => {
    const [first, second] = [await subscribing({}, { payment }), await subscribing({}, { payment })]
    await world.shop.delete(`/api/v2/checkout/${first.id}`)
    await world.shop.delete(`/api/v2/subscriptions/${second.subscription.id}`)
    for (const checkout of [first, second]) {
      expect((await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body).toMatchObject({
        payment: { status: 'VOIDED' },
        subscription: { status: 'VOIDED' },
      })
    }
  })
})

describe("the customer's page", () => {
  async function manageOf(page: Page): Promise<Page> {
    const link = page.links.find((href) => href.includes('/subscription/'))
    if (link === undefined) throw new Error('the result page has no link to the subscription')
    return openPage(new URL(link, world.baseUrl).href)
  }

  it('shows allowance and charges, and cancels: no later charge succeeds', async () => {
    const checkout = await subscribing({ ext_subscriptionid: 'K-1' })
    const { id } = checkout.subscription
    const result = await world.payOnPage(checkout, cards.frictionless)
    const { body } = await charge(id, 7.5)
    await processed(id, body.id)
    const page = await manageOf(result)
    expect(page.text).toContain('Demo Shop may charge you up to €20.00 every month.')
    expect(page.text).toContain('€7.50')
    expect(page.text).toContain('Up to €12.50 more can be charged, until')
    const sure = await openPage(
      new URL(page.links.find((href) => href.includes('cancel')) ?? '', page.url).href,
    )
    const ended = await submit(sure, formTo(sure, '/cancel'))
    expect(ended.text).toContain('You cancelled it.')
    expect(ended.forms).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'CANCELED' })
    expect(await callbackOf('subscription_id', id, 'CANCELED')).toMatchObject({ ext_subscriptionid: 'K-1' })
    expect((await charge(id, 1)).body).toMatchObject({
      code: 10013,
      reason: 'the customer canceled the subscription',
    })
    expect((await world.shop.delete(`/api/v2/subscriptions/${id}`)).body).toMatchObject({ code: 10013 })
  })

  it('is linked once, for the browser that accepted, and for no other that knows the checkout', async () => {
    const checkout = await subscribing()
    const first = await openPage(checkout.url_redirect)
    // Another customer tries first, with a card that its bank rejects.
    const card = { name: 'Ana Silva', expiry: '12 / 30', vcode: '123' }
    const otherVisitor = await openPage(checkout.url_redirect)
    const { number } = cards.rejected
    const refused = await submit(otherVisitor, formTo(otherVisitor, '/card'), { ...card, number })
    const result = await submit(first, formTo(first, '/card'), { ...card, ...cards.frictionless })
    expect(linksTo(result)).toHaveLength(1)
    // Only the browser of the customer sees the link, and only once.
    for (const cookies of [result.cookies, [], refused.cookies]) {
      const again = await openPage(checkout.url_redirect, { cookies })
      expect(again.text).toContain('Demo Shop')
      expect(linksTo(again)).toEqual([])
    }
    const { body } = await world.shop.get(`/api/v2/checkout/${checkout.id}`)
    expect(JSON.stringify(body)).not.toContain('/subscription/')
    const callback = await callbackOf('subscription_id', checkout.subscription.id, 'APPROVED')
    expect(JSON.stringify(callback)).not.toContain('/subscription/')
  })

  it('is proved by a cookie that no script reads and no other page is sent', async () => {
    const checkout = await subscribing()
    const first = await openPage(checkout.url_redirect)
    const fields = { name: 'Ana Silva', expiry: '12 / 30', vcode: '123', number: cards.challenge.number }
    const asked = await submit(first, formTo(first, '/card'), fields)
    const proofs = asked.cookies.filter(({ name }) => name === 'comporta_accepted')
    expect(proofs.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^comporta_accepted=[\\w-]{43}; Path=/checkout/${checkout.id}; Max-Age=86400; HttpOnly; SameSite=Lax$`,
        ),
      ),
    ])
  })

  function linksTo(page: Page): string[] {
    return page.links.filter((href) => href.includes('/subscription/'))
  }

  it('opens with its own signature only', async () => {
    const checkout = await subscribing()
    const other = await subscribing()
    const page = await manageOf(await world.payOnPage(checkout, cards.frictionless))
    const wrong = page.url.replace(checkout.subscription.id, other.subscription.id)
    expect((await openPage(wrong)).status).toBe(404)
    expect((await openPage(`${page.url.split('?')[0]}x`)).status).toBe(404)
    const posted = await openPage(`${wrong.split('?')[0]}/cancel`, {}, { method: 'POST' })
    expect(posted.status).toBe(404)
  })
})

it('three month ends, each with its allowance', async () => {
  const year = (await now()).getUTCFullYear() + 1
  await moveTo(`${year}-01-15T12:00:00Z`)
  const { id } = await accepted({ start_date: `${year}-01-31` })
  const february = new Date(Date.UTC(year, 2, 0)).toISOString().slice(0, 10)
  for (const [firstSecond, lastSecond] of [
    [`${year}-01-31T00:00:00Z`, `${february}T00:00:00Z`],
    [`${february}T00:00:00Z`, `${year}-03-30T23:00:00Z`],
    [`${year}-03-30T23:00:00Z`, `${year}-04-29T23:00:00Z`],
  ] as const) {
    await moveTo(firstSecond)
    const { body } = await charge(id, 20)
    expect(await processed(id, body.id)).toMatchObject({ status: 'SUCCESS' })
    expect((await charge(id, 0.01)).body).toMatchObject({ code: 40013 })
    await moveTo(new Date(Date.parse(lastSecond) - 10_000).toISOString())
    expect((await charge(id, 0.01)).body).toMatchObject({ code: 40013 })
  }
})
