// Accepted variants of requests (docs/compatibility.md). Each row is a variant with the meaning of the proper form.
import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizing } from '../authorizing.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { askedOnPhone, newPhone } from '../phone.ts'
import { storeCard } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }
const tenEuros = { amount: 10, currency: 'EUR' }

/** A mobile number of this test only, in national digits. */
const digitsOf = (number: string) => number.replace('+351', '')

const send = (path: string, body: Json): Promise<Answer> =>
  world.shop.post(path, body, { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` })

/** The proper form with the same request id is the same request. */
async function expectTheSame(path: string, proper: Json, lenient: Json): Promise<Json> {
  const request_id = randomUUID()
  const taken = await send(path, { ...lenient, request_id })
  expect([lenient, taken.status, taken.text]).toEqual([lenient, 200, expect.any(String)])
  const again = await send(path, { ...proper, request_id })
  expect([proper, again.text, again.headers.get('idempotent-replayed')]).toEqual([proper, taken.text, 'true'])
  return taken.body
}

const checkoutPath = '/api/v2/checkout'
const checkout = (payment: object = {}, outer: object = {}) => ({
  payment: { ...tenEuros, ...payment },
  ...urls,
  ...outer,
})

describe('phones', () => {
  const writings: readonly [string, (digits: string) => unknown][] = [
    ['E.164', (digits) => `+351${digits}`],
    ['nine digits', (digits) => digits],
    ['351 and nine digits', (digits) => `351${digits}`],
    ['as the mobile network writes it', (digits) => `351#${digits}`],
    ['00351', (digits) => `00351${digits}`],
    ['spaces', (digits) => digits.replace(/(...)(?=.)/g, '$1 ')],
    ['spaces and a country code', (digits) => ` +351 ${digits.replace(/(...)(?=.)/g, '$1 ')} `],
    ['marks of direction, as a contact is pasted', (digits) => `\u202a+351 ${digits}\u202c`],
    ['an invisible mark before it', (digits) => `\u200e${digits}`],
    ['non-breaking hyphens and spaces', (digits) => `+351\u00a0${digits.replace(/(...)(?=.)/g, '$1\u2011')}`],
    ['soft hyphens and zero-width spaces', (digits) => digits.replace(/(...)(?=.)/g, '$1\u00ad\u200b')],
    ['a variation selector', (digits) => `${digits}\ufe0d`],
    ['a number', (digits) => Number(digits)],
    ['a number with its country code', (digits) => Number(`351${digits}`)],
  ]

  it.each(writings)('%s, in a payment by phone', async (_, write) => {
    const { number } = newPhone(world)
    const body = { ...tenEuros, method: 'MBWAY', type: 'PAYMENT' }
    const made = await expectTheSame(
      '/api/v2/payment',
      { ...body, mbway: { phone: number } },
      { ...body, mbway: { phone: write(digitsOf(number)) } },
    )
    expect(made).toMatchObject({ mbway: { phone: number }, client: { phone: number } })
  })

  it.each(writings)('%s, in a mandate', async (_, write) => {
    const { number } = newPhone(world)
    const body = { type: 'ONECLICK', name: 'Ana' }
    const { mandate_id } = await expectTheSame(
      '/api/v2/mandate/mbway',
      { ...body, phone: number },
      { ...body, phone: write(digitsOf(number)) },
    )
    expect((await world.shop.get(`/api/v2/mandate/mbway/${mandate_id}`)).body).toMatchObject({
      phone: number,
    })
  })

  it.each(writings)('%s, of a client', async (_, write) => {
    const { number } = newPhone(world)
    const made = await expectTheSame(
      checkoutPath,
      checkout({ client: { phone: number } }),
      checkout({ client: { phone: write(digitsOf(number)) } }),
    )
    expect(made.payment.client).toEqual({ phone: number })
  })

  it.each(writings)('%s, in filters and on the page', async (_, write) => {
    const { number } = newPhone(world)
    const typed = String(write(digitsOf(number)))
    const opened = await world.createCheckout()
    const page = await openPage(opened.url_redirect)
    expect((await submit(page, formTo(page, '/mbway'), { phone: typed })).text).toContain(
      'Approve on your phone',
    )
    await world.shop.post('/api/v2/mandate/mbway', { type: 'ONECLICK', phone: number })
    const phone = encodeURIComponent(typed)
    for (const query of [`phone=${phone}`, `phone=${phone}&method=MBWAY`]) {
      const { body } = await world.shop.get(`/api/v2/operations?${query}`)
      expect(body).toMatchObject({ total: 1, elements: [{ method: 'MBWAY', mbway: { phone: number } }] })
    }
    const mandates = (await world.shop.get(`/api/v2/mandate/mbway?phone=${phone}`)).body
    expect(mandates).toMatchObject({ total: 1, elements: [{ phone: number }] })
  })

  it.each(['+44 7911 123456', '+447911123456', '00447911123456'])(
    'other countries: %s stays a number of that country',
    async (phone) => {
      const { payment } = await world.createCheckout({ payment: { ...tenEuros, client: { phone } } })
      expect(payment.client).toEqual({ phone: '+447911123456' })
    },
  )

  it.each([['ask at the desk'], ['12345'], ['213456789']])(
    'an invalid phone number in the client stays unchanged: %s',
    async (phone) => {
      const { payment } = await world.createCheckout({ payment: { ...tenEuros, client: { phone } } })
      expect(payment.client).toEqual({ phone })
    },
  )

  it.each([['12345'], ['213456789'], ['9123456789'], ['nobody'], ['351#812345678'], [12345], [9.5]])(
    'the phone of a request must be a phone number: %s',
    async (phone) => {
      const reason = expect.stringMatching(/phone must be a phone number with \+ and its country code/)
      const asked = { ...tenEuros, method: 'MBWAY', type: 'PAYMENT', mbway: { phone } }
      expect(await send('/api/v2/payment', asked)).toMatchObject({
        status: 400,
        body: { code: 10002, reason },
      })
      const mandate = { phone, type: 'ONECLICK' }
      expect(await send('/api/v2/mandate/mbway', mandate)).toMatchObject({ status: 400, body: { reason } })
    },
  )

  it('a payment on a page shows its phone in answers and lists, and another method none', async () => {
    const opened = await world.createCheckout()
    const { phone, request: asked } = await askedOnPhone(world, opened)
    const mbway = { phone: phone.number }
    expect(await world.operation(opened.payment.id)).toMatchObject({ status: 'PENDING', mbway })
    expect((await world.shop.get(`/api/v2/checkout/${opened.id}`)).body).toMatchObject({ payment: { mbway } })
    await phone.approve(asked.id)
    expect(await world.operation(opened.payment.id)).toMatchObject({ status: 'COMPLETED', mbway })
    const refund = (await world.shop.post(`/api/v2/operations/${opened.payment.id}/refund`)).body
    expect(refund).toMatchObject({ type: 'REFUND', method: 'MBWAY', mbway })
    const byReference = (await send('/api/v2/mb/pay', tenEuros)).body
    expect(byReference).not.toHaveProperty('mbway')
  })
})

describe('numbers of cards and accounts', () => {
  const plain = { name: 'Ana', vcode: '123', valdate: '12/2030', email: 'a@example.com' }
  const withCard = (newCard: Json): Json => ({
    ...tenEuros,
    callback: 'https://shop.example/callback',
    cardsecure_url_confirm: urls.url_confirm,
    cardsecure_url_cancel: urls.url_cancel,
    newCard,
  })

  it.each(['\u202a4176 6600 0000 0027\u202c', '4176\u00a06600\u20110000\u200b0027'])(
    'the card %j',
    async (number) => {
      const proper = withCard({ ...plain, number: cards.frictionless.number })
      await expectTheSame('/prows/v2/payment', proper, withCard({ ...plain, number }))
    },
  )

  it.each(['203012', '2030/12', '2030-12', '12/30', '12 / 2030', '1230', '12.2030', '\u200e12/2030'])(
    'valdate as %j',
    async (valdate) => {
      const card = { ...plain, number: cards.frictionless.number, valdate }
      const answer = await send('/prows/v2/payment', withCard(card))
      expect(answer).toMatchObject({ status: 200, body: { card: { valdate: '12/2030' } } })
    },
  )

  it('an IBAN with non-breaking spaces, of the command line and on a page', async () => {
    const iban = 'PT50\u00a00002\u00a00123\u00a01234\u00a05678\u00a09015\u00a04\u200e'
    const { json } = await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', iban)
    expect(JSON.stringify(json)).toContain('PT50000201231234567890154')
    const opened = await world.createCheckout()
    const page = await openPage(opened.url_redirect)
    const typed = { iban, holder: 'Ana Silva', mandate: 'accepted' }
    await submit(page, formTo(page, '/sepa'), typed)
    expect(await world.operation(opened.payment.id)).toMatchObject({ status: 'PENDING', method: 'SEPA' })
  })
})

describe('a field of which one value is possible may be left out, be empty or null', () => {
  it.each<[string, string, Json, Json]>([
    ['method and type of a payment by reference', '/api/v2/mb/pay', { method: 'MB', type: 'PAYMENT' }, {}],
    ['empty', '/api/v2/mb/pay', { method: 'MB', type: 'PAYMENT' }, { method: '', type: '' }],
    ['null', '/api/v2/mb/pay', { method: 'MB', type: 'PAYMENT' }, { method: null, type: null }],
    [
      'in small letters',
      '/api/v2/mb/pay',
      { method: 'MB', type: 'PAYMENT' },
      { method: 'mb', type: 'payment' },
    ],
  ])('%s', async (_, path, proper, lenient) => {
    const made = await expectTheSame(path, { ...tenEuros, ...proper }, { ...tenEuros, ...lenient })
    expect(made).toMatchObject({ type: 'PAYMENT', method: 'MB', status: 'PENDING' })
  })

  it('the method of a payment by phone', async () => {
    const body = { ...tenEuros, type: 'PAYMENT', mbway: { phone: newPhone(world).number } }
    await expectTheSame('/api/v2/payment', { ...body, method: 'MBWAY' }, body)
    await expectTheSame('/api/v2/payment', { ...body, method: 'MBWAY' }, { ...body, method: '' })
  })

  it('currency and type of a recurring reference', async () => {
    const limits = { max_amount: 20, min_amount: 5 }
    const proper = { ...limits, currency: 'EUR', op_type: 'PAYMENT' }
    await expectTheSame('/api/v2/mb/reference', proper, limits)
    await expectTheSame('/api/v2/mb/reference', proper, { ...limits, currency: '', op_type: null })
  })

  it('the method of the card API', async () => {
    const token = await storeCard(world, cards.frictionless.number)
    const body = {
      ...tenEuros,
      callback: 'https://shop.example/callback',
      cardsecure_url_confirm: 'https://shop.example/ok',
      cardsecure_url_cancel: 'https://shop.example/no',
      card: { token },
    }
    await expectTheSame('/prows/v2/payment', { ...body, method: 'CC' }, body)
    await expectTheSame('/prows/v2/authorization', { ...body, method: 'CC' }, { ...body, method: '' })
  })

  it.each<[string, Json, string]>([
    ['/api/v2/mb/pay', { method: 'CC' }, 'method must be MB'],
    ['/api/v2/mb/pay', { type: 'AUTH' }, 'type must be PAYMENT'],
    ['/api/v2/mb/pay', { currency: undefined }, 'currency is required'],
    ['/api/v2/mb/pay', { currency: '' }, 'currency must be EUR'],
    ['/api/v2/payment', { type: undefined }, 'type is required'],
    ['/api/v2/payment', { type: 'AUTH', method: 'MB' }, 'method must be MBWAY'],
  ])('another value is refused: %s %j', async (path, change, reason) => {
    const body = { ...tenEuros, mbway: { phone: newPhone(world).number }, ...change }
    expect(await send(path, body)).toMatchObject({ status: 400, body: { reason } })
  })
})

describe('quantities and numbers as text', () => {
  it.each([['2'], ['2.0000'], [' 2 '], ['02'], [2.0]])('qt %j is 2', async (qt) => {
    const items = (quantity: unknown) => [{ name: 'Tea', qt: quantity, amount: 5 }]
    const made = await expectTheSame(
      checkoutPath,
      checkout({ items: items(2) }),
      checkout({ items: items(qt) }),
    )
    expect(made.payment.items).toEqual([{ name: 'Tea', qt: 2, amount: 5 }])
  })

  it.each([['0.35'], [0.35]])('goods by weight: qt %j, as the page writes it', async (qt) => {
    const items = (quantity: unknown) => [{ name: 'Cheese', qt: quantity, amount: 20 }]
    const made = await expectTheSame(
      checkoutPath,
      checkout({ items: items(0.35) }),
      checkout({ items: items(qt) }),
    )
    expect(made.payment.items).toEqual(items(0.35))
    expect((await openPage(`${made.url_redirect}?lang=pt`)).text).toContain('0,35 ×')
    expect((await openPage(`${made.url_redirect}?lang=en`)).text).toContain('0.35 ×')
  })

  it('qt as PHP prints a double', async () => {
    const body = JSON.stringify(checkout({ items: [{ name: 'Cheese', qt: '#' }] }))
    const made = await world.shop.post(checkoutPath, body.replace('"#"', '2.3500000000000001'))
    expect(made).toMatchObject({ status: 200, body: { payment: { items: [{ qt: 2.35 }] } } })
  })

  it.each([
    ['5', 5],
    ['5.0000', 5],
    ['12.3456', 12.3456],
    ['-1.50', -1.5],
    [12.3456, 12.3456],
  ])('the amount %j of an item is a number', async (amount, number) => {
    const items = (price: unknown) => [{ name: 'Tea', qt: 1, amount: price }]
    const made = await expectTheSame(
      checkoutPath,
      checkout({ items: items(number) }),
      checkout({ items: items(amount) }),
    )
    expect(made.payment.items).toEqual([{ name: 'Tea', qt: 1, amount: number }])
  })

  it('the same at every place that takes items', async () => {
    const items = [{ ref: 7, name: 'Tea', qt: '2.0000', amount: '5.0000' }]
    const read = [{ ref: 7, name: 'Tea', qt: 2, amount: 5 }]
    expect((await send('/api/v2/mb/pay', { ...tenEuros, items })).body.items).toEqual(read)
    const byPhone = { ...tenEuros, type: 'AUTH', mbway: { phone: newPhone(world).number }, items }
    expect((await send('/api/v2/payment', byPhone)).body.items).toEqual(read)
    const { id } = await subscribersOf(world).accepted()
    const charge = { payment: { ...tenEuros, items } }
    expect((await send(`/api/v2/subscriptions/${id}/charge`, charge)).status).toBe(200)
  })

  it('the store and the frequency of a subscription', async () => {
    const [store] = world.shop.stores
    await expectTheSame(checkoutPath, checkout({ store }), checkout({ store: String(store) }))
    const start_date = await subscribersOf(world).today()
    const subscription = { ...tenEuros, frequency: 1, period: 'MONTH', start_date }
    await expectTheSame(
      checkoutPath,
      { ...urls, subscription },
      { ...urls, subscription: { ...subscription, frequency: '1' } },
    )
  })

  it.each([
    [{ qt: 'two' }, 'payment.items[0].qt must be a number'],
    [{ qt: '-1' }, 'payment.items[0].qt must be at least 0'],
    [{ amount: '5,00' }, 'payment.items[0].amount must be a number'],
    [{ amount: '1.23456789012345678' }, 'payment.items[0].amount must be a number'],
    [{ qt: '0'.repeat(50_000) }, 'payment.items[0].qt must be a number'],
  ])('an invalid number is refused: %j', async (item, reason) => {
    const answer = await send(checkoutPath, checkout({ items: [item] }))
    expect(answer).toMatchObject({ status: 400, body: { code: 10002, reason } })
  })
})

describe('amounts that a client added up in floating point', () => {
  const literally = (body: Json, literal: string) => JSON.stringify(body).replaceAll('"#"', literal)

  it.each([
    ['10.299999999999999', 10.3],
    ['24.600000000000001', 24.6],
    ['19.990000000000002', 19.99],
    ['"19.990000000000002"', 19.99],
    ['10.000001', 10],
    ['0.9999999', 1],
  ])('%s is %d', async (literal, amount) => {
    const request_id = randomUUID()
    const body = (sum: unknown) => ({
      ...checkout({ amount: sum, items: [{ name: 'Tea', qt: 1, amount: sum }] }),
      request_id,
    })
    const made = await world.shop.post(checkoutPath, literally(body('#'), literal))
    expect(made).toMatchObject({ status: 200, body: { payment: { amount, items: [{ amount }] } } })
    expect((await send(checkoutPath, body(amount))).text).toBe(made.text)
  })

  it.each(['10.299', '10.0000011', '10.2999', '"10.295"'])('%s is refused', async (literal) => {
    const reason = 'payment.amount must have at most 2 decimals'
    const answer = await world.shop.post(checkoutPath, literally(checkout({ amount: '#' }), literal))
    expect(answer).toMatchObject({ status: 400, body: { code: 10002, reason } })
  })

  it('a rate of a split may have four decimals, and noise behind them', async () => {
    const { payment } = await paidByPhone()
    const split = [{ merchant_wallet: world.merchant('Sub Shop A').public_id, fee_variable: '#' }]
    const preview = (literal: string) =>
      world.shop.post(`/api/v2/operations/${payment.id}/split?dry_run=true`, literally({ split }, literal))
    expect((await preview('0.050000000000000003')).text).toBe((await preview('0.05')).text)
    expect(await preview('0.05001')).toMatchObject({ status: 400, body: { code: 40018 } })
  })

  it('a callback may be verified with an amount that was read as a double', async () => {
    const opened = await world.createCheckout({ payment: { ...tenEuros, amount: 24.6 } })
    const { phone, request: asked } = await askedOnPhone(world, opened)
    await phone.approve(asked.id)
    const { body } = await world.eventually(async () =>
      world.receiver
        .received('/callbacks')
        .find((one) => one.body.includes(opened.payment.id) && one.body.includes('COMPLETED')),
    )
    expect(body).toContain('"amount":24.6,')
    const verify = (amount: string) =>
      world.shop.post('/api/v2/callback/verify', body.replace('"amount":24.6,', `"amount":${amount},`))
    for (const amount of ['24.600000000000001', '24.599999999999998', '24.6', '24.60'])
      expect([amount, await verify(amount)]).toMatchObject([amount, { status: 200, text: 'true' }])
    for (const amount of ['24.61', '24.6001', '"24.6"'])
      expect([amount, await verify(amount)]).toMatchObject([amount, { status: 400, text: 'false' }])
  })
})

describe('an address never holds up a payment', () => {
  const whole = { address: 'Rua Augusta 1', city: 'Lisboa', country: 'PT', postalcode: '1000-001' }
  const { postalcode: _, ...shown } = whole
  const countryIsLeftOut =
    '299 - "payment.client.address.country is ignored: it must be a code of ISO 3166-1 alpha-2, such as PT"'

  it.each<[string, Json, Json | undefined, string | null]>([
    ['without a postal code', shown, shown, null],
    ['with a postal code that is null', { ...whole, postalcode: null }, shown, null],
    ['with a postal code that is a number', { ...whole, postalcode: 1000 }, shown, null],
    ['with a city that is null', { ...whole, city: null }, { ...shown, city: undefined }, null],
    ['with nothing but a city', { city: 'Lisboa' }, { city: 'Lisboa' }, null],
    [
      'with a country in words',
      { ...whole, country: 'Portugal' },
      { ...shown, country: undefined },
      countryIsLeftOut,
    ],
    [
      'with a code of three letters',
      { ...whole, country: 'PRT' },
      { ...shown, country: undefined },
      countryIsLeftOut,
    ],
    ['without anything', {}, undefined, null],
    [
      'as a text',
      'Rua Augusta 1',
      undefined,
      '299 - "payment.client.address is ignored: it must be an object"',
    ],
  ])('%s', async (_name, address, kept, warning) => {
    const answer = await send(checkoutPath, checkout({ client: { name: 'Ana', address } }))
    expect([answer.status, answer.headers.get('warning')]).toEqual([200, warning])
    expect(answer.body.payment.client).toEqual({ name: 'Ana', ...(kept && { address: kept }) })
  })

  it('of a card is read by the same rule', async () => {
    const newCard = {
      number: cards.frictionless.number,
      name: 'Ana',
      vcode: '123',
      valdate: '12/2030',
      email: 'a@b.pt',
    }
    const answer = await send('/prows/v2/payment', {
      ...tenEuros,
      callback: 'https://shop.example/callback',
      cardsecure_url_confirm: 'https://shop.example/ok',
      cardsecure_url_cancel: 'https://shop.example/no',
      newCard: { ...newCard, address: { city: null, country: 'Spain' } },
    })
    expect([answer.status, answer.headers.get('warning')]).toEqual([
      200,
      expect.stringMatching(/^299 - "newCard\.address\.country is ignored/),
    ])
  })
})

describe('an empty map of PHP', () => {
  it.each<[string, Json, Json]>([
    ['client', checkout(), checkout({ client: [] })],
    ['address', checkout({ client: { name: 'Ana' } }), checkout({ client: { name: 'Ana', address: [] } })],
    ['required_fields', checkout(), checkout({}, { required_fields: [] })],
    ['a client without fields', checkout({ client: {} }), checkout({ client: [] })],
  ])('[] as %s', async (_, proper, lenient) => {
    await expectTheSame(checkoutPath, proper, lenient)
  })

  it('[] as mbway together with a mandate, and as mb together with a reference', async () => {
    const phone = newPhone(world)
    const mandate = await send('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
    await phone.approve(mandate.body.mandate_id, { amount_limit: 50 })
    const asked = { ...tenEuros, type: 'PAYMENT', mandate_id: mandate.body.mandate_id }
    await expectTheSame('/api/v2/payment', asked, { ...asked, mbway: [] })
    const { body: made } = await send('/api/v2/mb/pay', tenEuros)
    expect(await removeReference({ ...made.mb, mb: [] })).toMatchObject({ status: 200, body: ['OK'] })
  })

  it.each<[Json, string]>([
    [checkout({ client: ['Ana'] }), 'payment.client must be an object'],
    [[], 'the body must be an object'],
  ])('%j is refused', async (body, reason) => {
    expect(await send(checkoutPath, body)).toMatchObject({ status: 400, body: { reason } })
  })

  it('[] as the body of a capture or a release', async () => {
    const shop = authorizing(() => world)
    const token = await shop.storeCard()
    for (const verb of ['capture', 'release']) {
      const { id } = await shop.authorize(token, 10)
      const answer = await world.shop.post(`/api/v2/authorizations/${id}/${verb}`, '[]')
      expect(answer).toMatchObject({ status: 200, body: { type: verb.toUpperCase(), amount: 10 } })
    }
    const { id } = await shop.authorize(token, 10)
    const wrong = await world.shop.post(`/api/v2/authorizations/${id}/capture`, '[{"amount":1}]')
    expect(wrong).toMatchObject({ status: 400, body: { reason: 'the body must be an object' } })
  })

  it.each<[string, Json]>([
    [checkoutPath, checkout()],
    ['/api/v2/mb/pay', tenEuros],
  ])('[] as the split of %s is no split', async (path, proper) => {
    const inner = proper.payment === undefined ? { split: [] } : { payment: { ...proper.payment, split: [] } }
    await expectTheSame(path, proper, { ...proper, ...inner })
  })

  it('[] as a body that moves money is refused, not guessed', async () => {
    const { payment } = await paidByPhone()
    const refund = await world.shop.post(`/api/v2/operations/${payment.id}/refund`, [])
    expect(refund).toMatchObject({ status: 400, body: { reason: 'the body must be an object' } })
    expect(await world.operation(payment.id)).toMatchObject({ refundable: true })
  })
})

async function paidByPhone(): Promise<Json> {
  const opened = await world.createCheckout()
  const { phone, request: asked } = await askedOnPhone(world, opened)
  await phone.approve(asked.id)
  return opened
}

function removeReference(body: unknown): Promise<Answer> {
  return world.request('/api/v2/mb/reference', {
    method: 'DELETE',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

describe('references of the merchant', () => {
  it.each<[number | string, string]>([
    ['42', '42'],
    ['1000000042', '1000000042'],
    ['12345678901234567890', '12345678901234567890'],
    ['0.5', '0.5'],
  ])('the number %s is its decimal text', async (literal, text) => {
    const names = ['ext_invoiceid', 'ext_customerid', 'ext_employee', 'notes']
    const fields = names.map((name) => `"${name}":${literal}`).join()
    const request_id = randomUUID()
    const sent = `{"amount":10,"currency":"EUR","request_id":"${request_id}",${fields}}`
    const made = await world.shop.post('/api/v2/mb/pay', sent)
    expect(made).toMatchObject({ status: 200, body: Object.fromEntries(names.map((name) => [name, text])) })
    const proper = { ...tenEuros, request_id, ...Object.fromEntries(names.map((name) => [name, text])) }
    expect((await send('/api/v2/mb/pay', proper)).text).toBe(made.text)
  })

  it('the ref of an item is echoed as it was sent, and means the same as text', async () => {
    const items = (ref: unknown) => [{ ref, name: 'Tea' }]
    const made = await expectTheSame(
      checkoutPath,
      checkout({ items: items('1007') }),
      checkout({ items: items(1007) }),
    )
    expect(made.payment.items).toEqual(items(1007))
    const sent = JSON.stringify(checkout({ items: items('LONG') })).replace('"LONG"', '12345678901234567890')
    const long = await world.shop.post(checkoutPath, sent)
    expect(long.body.payment.items).toEqual(items('12345678901234567890'))
  })

  it('ext_costumerid is ext_customerid, which counts where both are sent', async () => {
    const proper = { ...tenEuros, ext_customerid: 'C-9' }
    const made = await expectTheSame('/api/v2/mb/pay', proper, { ...tenEuros, ext_costumerid: 'C-9' })
    expect(made).toMatchObject({ ext_customerid: 'C-9' })
    expect(made).not.toHaveProperty('ext_costumerid')
    await expectTheSame('/api/v2/mb/pay', proper, { ...proper, ext_costumerid: 'other' })
    await expectTheSame('/api/v2/mb/pay', proper, { ...tenEuros, ext_customerid: '', ext_costumerid: 'C-9' })
    await expectTheSame(
      checkoutPath,
      checkout({ ext_customerid: '9' }),
      checkout({ ext_customerid: null, ext_costumerid: 9 }),
    )
  })

  it('reference is another name of ref when a bank reference is deleted', async () => {
    for (const inside of [false, true]) {
      const { mb, id } = (await send('/api/v2/mb/pay', tenEuros)).body
      const named = { entity: mb.entity, reference: mb.ref }
      const answer = await removeReference(inside ? { mb: named } : named)
      expect(answer).toMatchObject({ status: 200, body: ['OK'] })
      expect(await world.operation(id)).toMatchObject({ status: 'VOIDED', fee: 0, amount_net: 10 })
    }
    expect(await removeReference({ entity: '21312', reference: '' })).toMatchObject({
      status: 400,
      body: { code: 10001, reason: 'ref is required, together with entity' },
    })
  })
})

describe('return addresses', () => {
  const returned = ({ url_confirm, url_cancel }: Json) =>
    [url_confirm, url_cancel].map((url) => url.replace(/\?checkoutid=.*/, ''))
  const both = [urls.url_confirm, urls.url_cancel]

  it.each(['payment', 'authorization'])('inside %s', async (kind) => {
    const made = await expectTheSame(
      checkoutPath,
      { ...urls, [kind]: tenEuros },
      { [kind]: { ...tenEuros, ...urls } },
    )
    expect(returned(made)).toEqual(both)
  })

  it('inside subscription', async () => {
    const start_date = await subscribersOf(world).today()
    const subscription = { ...tenEuros, frequency: 1, period: 'MONTH', start_date }
    const made = await expectTheSame(
      checkoutPath,
      { ...urls, subscription },
      { subscription: { ...subscription, ...urls } },
    )
    expect(returned(made)).toEqual(both)
  })

  it('one inside and one outside; outside counts where both are there', async () => {
    const { url_confirm, url_cancel } = urls
    const body = { url_confirm, payment: { ...tenEuros, url_cancel } }
    expect(returned(await expectTheSame(checkoutPath, checkout(), body))).toEqual(both)
    const other = { url_confirm: 'https://other.example/ok', url_cancel: 'https://other.example/no' }
    expect(returned(await expectTheSame(checkoutPath, checkout(), checkout(other)))).toEqual(both)
  })

  it.each<[string, Json]>([
    ['missing', { url_confirm: urls.url_confirm, payment: tenEuros }],
    ['empty', { ...checkout(), url_cancel: '' }],
    ['null', { ...checkout(), url_cancel: null }],
  ])('url_cancel %s is url_confirm', async (_, lenient) => {
    const proper = { ...checkout(), url_cancel: urls.url_confirm }
    const made = await expectTheSame(checkoutPath, proper, lenient)
    expect(returned(made)).toEqual([urls.url_confirm, urls.url_confirm])
  })

  it.each<[Json, number, string]>([
    [{ payment: tenEuros }, 10001, 'url_confirm is required'],
    [{ payment: tenEuros, url_cancel: urls.url_cancel }, 10001, 'url_confirm is required'],
    [{ payment: { ...tenEuros, url_confirm: 5 } }, 10002, 'url_confirm must be text'],
  ])('%j is refused', async (body, code, reason) => {
    expect(await send(checkoutPath, body)).toMatchObject({ status: 400, body: { code, reason } })
  })
})

describe('methods', () => {
  it('every code that the wallet lists can be excluded or be the default', async () => {
    const { methods } = (await world.shop.get('/api/v2/wallets/methods')).body
    expect(methods).toContain('BANK')
    const { exclude } = await world.createCheckout({
      exclude: methods.filter((code: string) => code !== 'CC'),
    })
    expect(exclude).toEqual(methods.filter((code: string) => code !== 'CC'))
    for (const default_method of methods) {
      const { url_redirect } = await world.createCheckout({ default_method })
      expect((await openPage(url_redirect)).status).toBe(200)
    }
  })

  it('unknown codes in exclude are ignored, and named', async () => {
    const answer = await send(checkoutPath, checkout({}, { exclude: ['CASH', 'mb'] }))
    expect(answer).toMatchObject({ status: 200, body: { exclude: ['MB'] } })
    expect(answer.headers.get('warning')).toBe('299 - "exclude[0] is ignored: it is not a method"')
  })

  it('a method that is not offered can be excluded', async () => {
    const plain = world.merchant('Plain Shop')
    const { body } = await plain.post(
      checkoutPath,
      checkout({}, { exclude: ['BANK', 'GPAY', 'APAY', 'PAYPAL'] }),
    )
    expect(body.exclude).toEqual(['BANK', 'GPAY', 'APAY', 'PAYPAL'])
  })

  it.each<[string, Json]>([
    ['exclude of empty texts', { exclude: [''] }],
    ['exclude an empty text', { exclude: '' }],
    ['default_method empty', { default_method: '' }],
  ])('%s names none', async (_, change) => {
    expect((await world.createCheckout(change)).exclude).toEqual([])
  })

  it.each<[Json, string]>([[{ default_method: 'CASH' }, 'default_method must be one of CC, MB']])(
    'unknown ones are refused: %j',
    async (change, reason) => {
      const { status, body } = await send(checkoutPath, { ...checkout(), ...change })
      expect([status, body.reason]).toEqual([400, expect.stringContaining(reason)])
    },
  )
})

describe('an empty text', () => {
  it.each<[string, string, Json, Json]>([
    ['dates of a reference', '/api/v2/mb/pay', {}, { expires: '', starts: '' }],
    ['the date of a recurring reference', '/api/v2/mb/reference', {}, { expires: '' }],
    ['dates of a checkout', checkoutPath, {}, { expires: '' }],
    [
      'everything optional',
      '/api/v2/mb/pay',
      {},
      { items: '', client: '', store: '', ext_email: '', notes: '' },
    ],
  ])('in %s is absence', async (_, path, proper, change) => {
    const base = {
      '/api/v2/mb/pay': tenEuros,
      '/api/v2/mb/reference': { max_amount: 20, min_amount: 5 },
      [checkoutPath]: checkout(),
    }[path]
    await expectTheSame(path, { ...base, ...proper }, { ...base, ...change })
  })

  it('in every field of an address is no address, and in its country alone is no country', async () => {
    const empty = { address: '', city: '', country: '', postalcode: '' }
    const client = (address?: Json) => checkout({ client: { name: 'Ana', address } })
    await expectTheSame(checkoutPath, client(), client(empty))
    const { status, body } = await send(checkoutPath, client({ ...empty, city: 'Lisboa' }))
    expect([status, body.payment.client.address]).toEqual([200, { address: '', city: 'Lisboa' }])
  })

  it('in dates inside a payment and a subscription is absence', async () => {
    await expectTheSame(checkoutPath, checkout(), checkout({ expires: '', starts: '' }))
    const start_date = await subscribersOf(world).today()
    const subscription = { ...tenEuros, frequency: 1, period: 'MONTH', start_date }
    const lenient = { ...subscription, end_date: '', ext_subscriptionid: '' }
    await expectTheSame(checkoutPath, { ...urls, subscription }, { ...urls, subscription: lenient })
  })

  it.each([
    '/api/v2/operations?limit=&offset=&startdate=&enddate=&method=&type=&number4=&mb_ref=&phone=&ext_invoiceid=&id=',
    '/api/v2/authorizations?limit=&offset=&startdate=&enddate=&method=&number4=&ext_invoiceid=&id=',
    '/api/v2/subscriptions?limit=&offset=&startdate=&enddate=',
    '/api/v2/mandate/mbway?limit=&offset=&status=&state=&type=&phone=&wallet_id=&start_creation_date=&end_expiry_date=',
    '/api/v2/mandate/mbway?status=&status=',
  ])('in filters narrows nothing: %s', async (path) => {
    const [bare = ''] = path.split('?')
    const all = await world.shop.get(bare)
    const filtered = await world.shop.get(path)
    expect(filtered).toMatchObject({ status: 200, text: all.text })
  })

  it('in an amount or a flag is refused, not guessed', async () => {
    const { payment } = await paidByPhone()
    const path = `/api/v2/operations/${payment.id}/refund`
    expect(await world.shop.post(path, { amount: '' })).toMatchObject({ status: 400, body: { code: 10002 } })
    expect(await world.shop.post(path, { dry_run: '' })).toMatchObject({ status: 400, body: { code: 10002 } })
    expect(await world.shop.post(`${path}?dry_run=`)).toMatchObject({ status: 400, body: { code: 10002 } })
    expect(await world.operation(payment.id)).toMatchObject({ refundable: true })
  })
})

describe('days', () => {
  const inWinter = '2030-12-24'
  const inSummer = '2030-06-24'

  it('without a time last to their end in Lisbon, of checkouts and links as of references', async () => {
    for (const [day, end] of [
      [inWinter, '2030-12-24T23:59:59+0000'],
      [inSummer, '2030-06-24T22:59:59+0000'],
    ]) {
      expect((await world.createCheckout({ expires: day })).payment.expires).toBe(end)
      expect((await send(checkoutPath, checkout({ expires: day }))).body.payment.expires).toBe(end)
      const link = await send('/api/v2/payment_links', { description: 'Yoga', amount: 10, expires: day })
      expect(link.body.expires).toBe(end)
      expect((await send('/api/v2/mb/pay', { ...tenEuros, expires: day })).body.expires).toBe(end)
    }
    const exact = await send(checkoutPath, checkout({ expires: `${inWinter}T00:00:00` }))
    expect(exact.body.payment.expires).toBe(`${inWinter}T00:00:00+0000`)
  })

  it('are midnight in UTC for instant references', async () => {
    const { body } = await send('/api/v2/mb/pay', { ...tenEuros, instant: true, expires: inSummer })
    expect(body.expires).toBe(`${inSummer}T00:00:00+0000`)
  })

  it('a subscription that starts yesterday or today starts today', async () => {
    const today = await subscribersOf(world).today()
    const dayBefore = (days: number) =>
      new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
    const starting = (start_date: string) =>
      send(checkoutPath, {
        ...urls,
        subscription: { ...tenEuros, frequency: 1, period: 'MONTH', start_date },
      })
    for (const day of [today, dayBefore(1)])
      expect((await starting(day)).body).toMatchObject({ subscription: { start_date: today } })
    const reason = `subscription.start_date must be ${today} (today in Lisbon) or later`
    expect(await starting(dayBefore(2))).toMatchObject({ status: 400, body: { reason } })
  })
})

describe('expires far ahead', () => {
  const never = '9999-12-31T23:59:59+0000'

  it.each(['2049-06-01T12:00:00Z', never])('of references: %s', async (expires) => {
    const { body: made } = await send('/api/v2/mb/pay', { ...tenEuros, expires })
    expect(made).toMatchObject({ status: 'PENDING', expires: expect.stringMatching(/T2[23]:59:59\+0000$/) })
    expect(await removeReference(made.mb)).toMatchObject({ status: 200 })
    const recurring = await send('/api/v2/mb/reference', { max_amount: 20, min_amount: 5, expires })
    expect(recurring.status).toBe(200)
    const instant = await send('/api/v2/mb/pay', { ...tenEuros, instant: true, expires })
    expect(instant.body.expires.slice(0, 10)).toBe(expires.slice(0, 10))
  })

  it.each(['2049-06-01T12:00:00Z', never])('of checkouts: %s', async (expires) => {
    const opened = await world.createCheckout({ expires })
    expect(opened.payment.expires).toBe(expires.replace('Z', '+0000'))
    const page = await openPage(opened.url_redirect)
    expect((await submit(page, formTo(page, '/mb?'))).status).toBe(200)
    expect(await world.operation(opened.payment.id)).toMatchObject({ status: 'PENDING', method: 'MB' })
  })

  it('of an authorization is lowered to the month in which it can be captured', async () => {
    const { authorization } = await world.createCheckout({
      payment: undefined,
      authorization: { ...tenEuros, expires: never },
    })
    const days = (Date.parse(authorization.expires) - Date.parse(authorization.date)) / 86_400_000
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(32)
  })

  it('beyond the year 9999 is refused', async () => {
    const expires = '9999-12-31T23:59:59-0100'
    const reason = expect.stringContaining('between the years 1970 and 9999')
    expect(await send('/api/v2/mb/pay', { ...tenEuros, expires })).toMatchObject({ body: { reason } })
    expect(await send(checkoutPath, checkout({ expires }))).toMatchObject({ body: { reason } })
  })
})

describe('the fee of a pending payment', () => {
  const free = { fee: 0, amount_net: 10 }

  it('by reference is shown when it is made, and final when it is paid', async () => {
    const { body: made } = await send('/api/v2/mb/pay', tenEuros)
    expect(made).toMatchObject({ status: 'PENDING', fee: -0.5, amount_net: 9.5 })
    expect(await world.operation(made.id)).toMatchObject({ fee: -0.5, amount_net: 9.5 })
    await world.cli('merchant', 'set', String(world.shop.wallet_id), '--fee', 'MB=1%+0.20')
    try {
      expect(await world.operation(made.id)).toMatchObject({ fee: -0.3, amount_net: 9.7 })
      await world.request('/sandbox/api/references/pay', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...made.mb, amount: 10 }),
      })
      const paid = { status: 'COMPLETED', fee: -0.3, amount_net: 9.7 }
      expect(await world.operation(made.id)).toMatchObject(paid)
    } finally {
      await world.cli('merchant', 'set', String(world.shop.wallet_id), '--fee', 'MB=default')
    }
    expect(await world.operation(made.id)).toMatchObject({ fee: -0.3, amount_net: 9.7 })
  })

  it('of an instant reference is its own', async () => {
    const expires = new Date(Date.parse((await subscribersOf(world).now()).toISOString()) + 7_200_000)
    const { body } = await send('/api/v2/mb/pay', {
      ...tenEuros,
      instant: true,
      expires: expires.toISOString(),
    })
    expect(body).toMatchObject({ status: 'PENDING', fee: -0.7, amount_net: 9.3 })
  })

  it('by reference on a checkout, in its own answer and in lists, and 0 once it failed', async () => {
    const ext_invoiceid = randomUUID()
    const opened = await world.createCheckout({ payment: { ...tenEuros, ext_invoiceid } })
    expect(opened.payment).toMatchObject({ status: 'NEW', ...free })
    const page = await openPage(opened.url_redirect)
    await submit(page, formTo(page, '/mb?'))
    const awaited = { status: 'PENDING', method: 'MB', fee: -0.5, amount_net: 9.5 }
    expect((await world.shop.get(`/api/v2/checkout/${opened.id}`)).body).toMatchObject({ payment: awaited })
    const { body } = await world.shop.get(`/api/v2/operations?ext_invoiceid=${ext_invoiceid}`)
    expect(body).toMatchObject({ total: 1, elements: [awaited] })
    await world.advance('P3D')
    expect(await world.operation(opened.payment.id)).toMatchObject({ status: 'FAIL', ...free })
  })

  it('by phone is shown while the phone is asked, and 0 when it refuses; an authorization has none', async () => {
    const phone = newPhone(world)
    const body = { ...tenEuros, type: 'PAYMENT', mbway: { phone: phone.number } }
    const { body: made } = await send('/api/v2/payment', body)
    expect(made).toMatchObject({ status: 'PENDING', fee: -0.15, amount_net: 9.85 })
    await phone.refuse((await phone.pending()).id)
    expect(await world.operation(made.id)).toMatchObject({ status: 'FAIL', ...free })
    const { body: held } = await send('/api/v2/payment', { ...body, type: 'AUTH' })
    expect(held).toMatchObject({ type: 'AUTH', status: 'PENDING', ...free })
  })
})

it('every instant reference says from when it can be paid', async () => {
  const { body: limited } = await send('/api/v2/mb/pay', tenEuros)
  expect(limited).not.toHaveProperty('starts')
  const expires = new Date(Date.parse(limited.date) + 3_600_000).toISOString()
  const { body: made } = await send('/api/v2/mb/pay', { ...tenEuros, instant: true, expires })
  expect(made).toMatchObject({ instant: true, starts: made.date })
  expect((await world.shop.get(`/api/v2/operations/${made.id}`)).body.starts).toBe(made.date)
})

it('an authorization read as an operation has its captures and releases, as one read as an authorization', async () => {
  const token = await storeCard(world, cards.frictionless.number)
  const esb = { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
  const asked = { ...tenEuros, method: 'CC', card: { token }, callback: 'https://shop.example/op' }
  const secure = { cardsecure_url_confirm: urls.url_confirm, cardsecure_url_cancel: urls.url_cancel }
  const { id } = (await world.shop.post('/prows/v2/authorization', { ...asked, ...secure }, esb)).body
  await world.shop.post(`/api/v2/authorizations/${id}/release`, { amount: 1 })
  await world.shop.post(`/api/v2/authorizations/${id}/capture`, { amount: 2 })
  const { body } = await world.shop.get(`/api/v2/operations/${id}`)
  expect(body).toMatchObject({ releases: [{ amount: 1 }], captures: [{ amount: 2 }] })
  expect(body).toEqual((await world.shop.get(`/api/v2/authorizations/${id}`)).body)
})

describe('filters and GET', () => {
  it.each([
    ['92', 1],
    ['092', 1],
    ['0092', 1],
    ['9', 0],
  ])('number4=%s finds %i', async (number4, total) => {
    const ext_invoiceid = `N4-${number4}-${randomUUID().slice(0, 8)}`
    const opened = await world.createCheckout({ payment: { ...tenEuros, ext_invoiceid } })
    await world.payOnPage(opened, cards.challenge)
    const { body } = await world.shop.get(
      `/api/v2/operations?ext_invoiceid=${ext_invoiceid}&number4=${number4}`,
    )
    expect(body.total).toBe(total)
  })

  it.each(['{"offset":0}', '[]', 'not JSON', ''])('a GET may have the body %j', async (body) => {
    const opened = await world.createCheckout()
    for (const path of [
      `/api/v2/checkout/${opened.id}`,
      `/api/v2/operations/${opened.payment.id}`,
      '/api/v2/operations',
      '/api/v2/wallets/methods',
    ]) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded', undefined]) {
        const answer = await request(world.baseUrl + path, {
          method: 'GET',
          headers: {
            authorization: `Comporta ${world.shop.api_key}`,
            ...(type === undefined ? {} : { 'content-type': type }),
          },
          body,
        })
        expect([path, type, answer.statusCode]).toEqual([path, type, 200])
        expect(await answer.body.json()).toBeInstanceOf(Object)
      }
    }
  })
})

describe('fields that are not read', () => {
  const warnings = ({ headers }: Answer) => headers.get('warning')

  it.each<[string, Json, string | null]>([
    [
      'a misspelt field',
      checkout({ itmes: [] }),
      '299 - "payment.itmes is not read: did you mean payment.items?"',
    ],
    [
      'one of a line, once for all lines',
      checkout({ items: [{ qty: 1 }, { qty: 2 }] }),
      '299 - "payment.items[].qty is not read: did you mean payment.items[].qt?"',
    ],
    [
      'one that stands elsewhere',
      { ...checkout(), items: [] },
      '299 - "items is not read: did you mean payment.items?"',
    ],
    ['one like no other', checkout({ colour: 'red' }), '299 - "payment.colour is not read"'],
    [
      'letters that no header holds',
      checkout({ '"preço"': 1 }),
      '299 - "payment.\\"\\\\\\"pre?o\\\\\\"\\" is not read"',
    ],
    ['an alias', checkout({ ext_costumerid: 'C', ...urls }), null],
    ['the key of the merchant', { ...checkout(), merchant: { apikey: 'x' } }, null],
    ['the proper form', checkout({ items: [{ qt: 1 }], client: { name: 'Ana' } }), null],
  ])('are named in a header: %s', async (_, body, header) => {
    const answer = await send(checkoutPath, body)
    expect([answer.status, warnings(answer)]).toEqual([200, header])
    expect(answer.body).not.toHaveProperty('warnings')
  })

  it('also where the request is refused, in lists, and at most ten of them', async () => {
    const refused = await send(checkoutPath, { ...urls, payment: { ammount: 10, currency: 'EUR' } })
    expect(refused).toMatchObject({ status: 400, body: { reason: 'payment.amount is required' } })
    expect(warnings(refused)).toContain('payment.ammount is not read: did you mean payment.amount?')
    const listed = await world.shop.get('/api/v2/operations?start_date=2026-01-01')
    expect(warnings(listed)).toBe('299 - "start_date is not read: did you mean startdate?"')
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${index}`, 1]))
    expect(warnings(await send(checkoutPath, checkout(many)))?.split(', ')).toHaveLength(10)
  })
})

describe('how a request is sent', () => {
  const authorization = () => ({ authorization: `Comporta ${world.shop.api_key}` })
  const raw = (path: string, headers: Record<string, string>, body: string | Buffer) =>
    request(world.baseUrl + path, { method: 'POST', headers, body })

  it.each<[string, Record<string, string>]>([
    ['no type', {}],
    ['the type of a form, as curl -d names it', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['plain text in Latin-1, with ASCII letters', { 'content-type': 'text/plain; charset=ISO-8859-1' }],
    ['text/json', { 'content-type': 'text/json' }],
  ])('JSON under %s', async (_, type) => {
    const answer = await raw(checkoutPath, { ...authorization(), ...type }, JSON.stringify(checkout()))
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([200, { payment: { status: 'NEW' } }])
  })

  it('invalid JSON under these types is refused as invalid JSON', async () => {
    const form = { ...authorization(), 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await raw(checkoutPath, form, 'payment[amount]=10')
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([400, { code: 10009 }])
    const latin = { ...authorization(), 'content-type': 'text/plain; charset=ISO-8859-1' }
    const named = checkout({ client: { name: 'João' } })
    const other = await raw(checkoutPath, latin, Buffer.from(JSON.stringify(named), 'latin1'))
    expect([other.statusCode, await other.body.json()]).toMatchObject([415, { code: 10010 }])
  })

  it('other types, and JSON under another type where no key is asked for, are refused', async () => {
    const xml = { ...authorization(), 'content-type': 'application/xml' }
    expect((await raw(checkoutPath, xml, JSON.stringify(checkout()))).statusCode).toBe(415)
    for (const path of ['/sandbox/api/consumers', '/backoffice/api/sign-in'])
      expect([path, (await raw(path, { 'content-type': 'text/plain' }, '{}')).statusCode]).toEqual([
        path,
        415,
      ])
  })

  it('a byte order mark before the JSON', async () => {
    const headers = { ...authorization(), 'content-type': 'application/json' }
    const answer = await raw(checkoutPath, headers, `\ufeff${JSON.stringify(checkout())}`)
    expect(answer.statusCode).toBe(200)
  })

  it('two slashes at the front of the path', async () => {
    const request_id = randomUUID()
    const made = await send(`/${checkoutPath}`, { ...checkout(), request_id })
    expect(made.status).toBe(200)
    expect((await send(checkoutPath, { ...checkout(), request_id })).text).toBe(made.text)
  })

  it.each(['payment', 'authorization'])('the key inside %s', async (kind) => {
    const merchant = { apikey: world.shop.api_key }
    const headers = { 'content-type': 'application/json' }
    const body = { ...urls, [kind]: { ...tenEuros, merchant } }
    const answer = await raw(checkoutPath, headers, JSON.stringify(body))
    expect([answer.statusCode, answer.headers.warning]).toEqual([200, undefined])
    const wrong = { ...urls, [kind]: { ...tenEuros, merchant: { apikey: 'none' } } }
    expect((await raw(checkoutPath, headers, JSON.stringify(wrong))).statusCode).toBe(401)
  })
})
