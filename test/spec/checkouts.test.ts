// Checkouts (SPEC.md "Checkout"; CONTRACT section 7).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const urls = { url_confirm: 'https://shop.example/ok?order=1', url_cancel: 'https://shop.example/no' }
const payment = { amount: 10, currency: 'EUR' }
const address = { city: 'Lisboa', country: 'PT', postalcode: '1000-001' }

describe('creating', () => {
  it('answers the checkout with its operation', async () => {
    const items = [{ name: 'T-shirt', descr: 'Blue', ref: 12, qt: 2, amount: 4.995, colour: 'x' }]
    const client = {
      name: 'Ana',
      email: 'ana@example.com',
      address,
    }
    const { status, body, headers } = await world.shop.post('/api/v2/checkout', {
      ...urls,
      payment: {
        ...payment,
        ext_invoiceid: 'I-1',
        ext_customerid: 'C-1',
        ext_email: 'x@y.pt',
        ext_employee: 'E',
        items,
        client,
      },
      exclude: ['mb', 'GPAY'],
      required_fields: { email: true },
      unknown_field: { deep: [1] },
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url_confirm: `https://shop.example/ok?order=1&checkoutid=${body.id}`,
      url_cancel: `https://shop.example/no?checkoutid=${body.id}`,
      url_redirect: `${world.baseUrl}/checkout/${body.id}`,
      exclude: ['MB', 'GPAY'],
      required_fields: { email: true },
      shipping: false,
      allows_punch_card_stamp: false,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
      payment: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'PAYMENT',
        status: 'NEW',
        amount: 10,
        amount_net: 10,
        fee: 0,
        currency: 'EUR',
        refundable: false,
        channel: 'WEBSITE',
        date: expect.any(String),
        modified_date: expect.any(String),
        ext_invoiceid: 'I-1',
        ext_customerid: 'C-1',
        ext_email: 'x@y.pt',
        ext_employee: 'E',
        items: [{ name: 'T-shirt', descr: 'Blue', ref: 12, qt: 2, amount: 4.995 }],
        client: { ...client, address: { city: 'Lisboa', country: 'PT' } },
        merchant: { id: String(world.shop.wallet_id), name: 'Demo Shop', email: 'shop@demo.example' },
      },
    })
    expect((await world.shop.get(`/api/v2/checkout/${body.id}`)).body).toEqual(body)
    expect((await world.shop.get(`/api/v2/checkout/${body.id}/`)).body).toEqual(body)
  })

  it.each<[string, Record<string, unknown>, number, number, string]>([
    ['no kind', { payment: undefined }, 400, 10001, 'payment is required'],
    ['two kinds', { authorization: payment }, 400, 10002, 'send either payment or authorization, not both'],
    ['payment is no object', { payment: 'x' }, 400, 10002, 'payment must be'],
    ['no amount', { payment: { currency: 'EUR' } }, 400, 10001, 'payment.amount is required'],
    ['no currency', { payment: { amount: 1 } }, 400, 10001, 'payment.currency is required'],
    [
      'another currency',
      { payment: { amount: 1, currency: 'USD' } },
      400,
      10002,
      'payment.currency must be EUR',
    ],
    [
      'three decimals',
      { payment: { amount: 1.005, currency: 'EUR' } },
      400,
      10002,
      'payment.amount must have at most 2 decimals',
    ],
    [
      'amount is no number',
      { payment: { amount: 'ten', currency: 'EUR' } },
      400,
      10002,
      'payment.amount must be',
    ],
    [
      'amount is an object',
      { payment: { amount: {}, currency: 'EUR' } },
      400,
      10002,
      'payment.amount must be',
    ],
    [
      'amount zero',
      { payment: { amount: 0, currency: 'EUR' } },
      400,
      40009,
      'payment.amount must be at least 0.01',
    ],
    [
      'amount too large',
      { payment: { amount: 100000, currency: 'EUR' } },
      400,
      40012,
      'payment.amount must be at most 99999.99',
    ],
    [
      'amount beyond all bounds',
      { payment: { amount: 1e300, currency: 'EUR' } },
      400,
      10002,
      'payment.amount must',
    ],
    ['no url_confirm', { url_confirm: undefined }, 400, 10001, 'url_confirm is required'],
    ['url_cancel is relative', { url_cancel: '/no' }, 400, 10002, 'url_cancel must be an absolute'],
    [
      'url_confirm is a script',
      { url_confirm: 'javascript:alert(1)' },
      400,
      10002,
      'url_confirm must be an absolute',
    ],
    [
      'every method excluded',
      { exclude: ['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA'] },
      400,
      10002,
      'exclude must leave',
    ],
    ['unknown default method', { default_method: 'CASH' }, 400, 10002, 'default_method must be one of'],
    ['expired already', { expires: '2020-01-01T00:00:00Z' }, 400, 10002, 'expires must be in the future'],
    ['expires is no date', { expires: 'tomorrow' }, 400, 10002, 'expires must be'],
    ['request_id is no UUID', { request_id: '12' }, 400, 10002, 'request_id must be a UUID'],
    [
      'reference too long',
      { payment: { ...payment, ext_invoiceid: 'x'.repeat(46) } },
      400,
      10002,
      'payment.ext_invoiceid must',
    ],
    [
      'e-mail too long',
      { payment: { ...payment, ext_email: 'x'.repeat(101) } },
      400,
      10002,
      'payment.ext_email must',
    ],
    ['a store of nobody', { payment: { ...payment, store: 999999 } }, 400, 10002, 'payment.store must be'],
    ['NUL in a text', { payment: { ...payment, ext_invoiceid: 'a\u0000b' } }, 400, 10002, 'ext_invoiceid'],
    [
      '201 items',
      { payment: { ...payment, items: Array(201).fill({ name: 'x' }) } },
      400,
      10002,
      'payment.items must',
    ],
  ])('refuses %s', async (_, change, status, code, reason) => {
    const answer = await world.shop.post('/api/v2/checkout', { ...urls, payment, ...change })
    expect(answer.body).toMatchObject({ code, reason: expect.stringContaining(reason) })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({
      message: expect.any(String),
      link: `${world.baseUrl}/docs/errors#${code}`,
      tid: answer.headers.get('x-request-id'),
    })
  })

  it('treats null in an optional field as absent', async () => {
    const nothing = {
      authorization: null,
      subscription: null,
      exclude: null,
      default_method: null,
      required_fields: null,
      expires: null,
      request_id: null,
    }
    const inner = { items: null, client: null, store: null, split: null, expires: null, notes: null }
    const made = await world.createCheckout({
      ...nothing,
      payment: { amount: 10, currency: 'EUR', ...inner },
    })
    expect(made).toMatchObject({ exclude: [], required_fields: {}, payment: { status: 'NEW' } })
    const deeper = await world.createCheckout({
      required_fields: { name: null, email: true },
      payment: {
        amount: 10,
        currency: 'EUR',
        items: [{ name: 'Tea', qt: null, amount: null, ref: null, descr: null }],
        client: { name: null, email: null, address: null },
      },
    })
    expect(deeper).toMatchObject({ required_fields: { email: true } })
    const { status, body } = await world.shop.post('/api/v2/checkout', {
      payment: { amount: 10, currency: null },
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 10002 } })
  })

  it('takes amounts as number and as text, down to the cent', async () => {
    for (const [sent, stands] of [
      [0.01, 0.01],
      ['99999.99', 99999.99],
      ['10', 10],
      [10.1, 10.1],
      ['0.10', 0.1],
    ] as const) {
      const { payment: made } = await world.createCheckout({ payment: { amount: sent, currency: 'eur' } })
      expect(made).toMatchObject({ amount: stands, currency: 'EUR' })
    }
  })

  it('repeats the first answer for a request_id, byte for byte, and makes nothing twice', async () => {
    const request = { ...urls, payment, request_id: randomUUID() }
    const first = await world.shop.post('/api/v2/checkout', request)
    const again = await world.shop.post('/api/v2/checkout', {
      request_id: request.request_id,
      ...urls,
      payment,
    })
    expect(again.text).toBe(first.text)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const inner = { ...urls, payment: { ...payment, request_id: request.request_id } }
    expect((await world.shop.post('/api/v2/checkout', inner)).text).toBe(first.text)
    const header = await world.shop.post(
      '/api/v2/checkout',
      { ...urls, payment },
      { 'idempotency-key': request.request_id },
    )
    expect(header.text).toBe(first.text)
    const other = await world.shop.post('/api/v2/checkout', {
      ...request,
      payment: { ...payment, amount: 11 },
    })
    expect(other).toMatchObject({ status: 422, body: { code: 10015 } })
    const elsewhere = await world.merchant('Plain Shop').post('/api/v2/checkout', request)
    expect(elsewhere.body.id).not.toBe(first.body.id)
  })

  it('needs the permission', async () => {
    const { json } = await world.cli(
      'key',
      'create',
      String(world.shop.wallet_id),
      '--permissions',
      'operations',
    )
    const authorization = `Comporta ${json.api_key ?? json.key}`
    const answer = await world.shop.post('/api/v2/checkout', { ...urls, payment }, { authorization })
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 20002, reason: expect.stringContaining('checkout') },
    })
  })
})

describe('reading', () => {
  it.each(['no-uuid', randomUUID(), `${randomUUID()}x`, '%00', '..%2f..'])('does not find %s', async (id) => {
    expect(await world.shop.get(`/api/v2/checkout/${id}`)).toMatchObject({ status: 404 })
  })

  it("does not show another wallet's checkout", async () => {
    const { id } = await world.createCheckout()
    const stranger = world.merchant('Plain Shop')
    expect(await stranger.get(`/api/v2/checkout/${id}`)).toMatchObject({ status: 404, body: { code: 10004 } })
    expect(await stranger.delete(`/api/v2/checkout/${id}`)).toMatchObject({
      status: 404,
      body: { code: 10004 },
    })
  })
})

describe('voiding', () => {
  it('works once, while no method was chosen', async () => {
    const { id, payment: made } = await world.createCheckout()
    const voided = await world.shop.delete(`/api/v2/checkout/${id}`)
    expect(voided).toMatchObject({ status: 200, body: { id, payment: { id: made.id, status: 'VOIDED' } } })
    expect(await world.shop.delete(`/api/v2/checkout/${id}`)).toMatchObject({
      status: 409,
      body: { code: 10013 },
    })
    expect((await openPage(`${world.baseUrl}/checkout/${id}?lang=en`)).forms).toEqual([])
  })

  it('does not work after the customer chose a method, nor after the payment', async () => {
    const declined = await world.createCheckout()
    await world.payOnPage(declined, cards.declined)
    expect(await world.shop.delete(`/api/v2/checkout/${declined.id}`)).toMatchObject({
      status: 409,
      body: { code: 10013 },
    })
    const paid = await world.createCheckout()
    await world.payOnPage(paid, cards.frictionless)
    expect(await world.shop.delete(`/api/v2/checkout/${paid.id}`)).toMatchObject({
      status: 409,
      body: { code: 10013 },
    })
  })
})

describe('the end of its lifetime', () => {
  it('fails the payment, causes a callback, and the page says so', async () => {
    const checkout = await world.createCheckout()
    const shortly = await world.createCheckout({
      expires: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    })
    // The worker runs every second, so the count is not certain.
    expect(await world.advance('P1DT1M')).toHaveProperty('checkouts')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL' })
    expect(await world.operation(shortly.payment.id)).toMatchObject({ status: 'NEW' })
    const callback = await world.eventually(async () =>
      world.receiver.received('/callbacks').find(({ body }) => body.includes(checkout.payment.id)),
    )
    expect(JSON.parse(callback.body)).toMatchObject({
      event: 'FAIL',
      error: 'expired',
      checkout_id: checkout.id,
    })
    const page = await openPage(checkout.url_redirect)
    expect(page.text).toMatch(/expired|time/i)
    expect(page.links).toContain(`https://shop.example/no?checkoutid=${checkout.id}`)
  })

  it('is the second that is shown, however finely it was asked for', async () => {
    const { now } = (await world.request('/sandbox/api/clock')).body
    const second = new Date(Date.parse(now) + 300_000).toISOString().slice(0, 19)
    const checkout = await world.createCheckout({ expires: `${second}.900Z` })
    expect(checkout.payment.expires).toBe(`${second}+0000`)
    const { status } = await world.request('/sandbox/api/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ set: `${second}Z` }),
    })
    expect(status).toBe(200)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL' })
  })
})
