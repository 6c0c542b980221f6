// Repeated request ids with the same and with other meanings (CONTRACT section 5).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authorizing } from '../authorizing.ts'
import { openWorld } from '../gateway-here.ts'
import { newPhone } from '../phone.ts'
import { payByToken } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
let token: string

const shop = authorizing(() => world)

beforeAll(async () => {
  world = await openWorld()
  token = await shop.storeCard()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }
const cardUrls = {
  callback: 'https://shop.example/callback',
  cardsecure_url_confirm: 'https://shop.example/ok',
  cardsecure_url_cancel: 'https://shop.example/no',
}
const newCard = { name: 'Ana Silva', vcode: '123', valdate: '12/2030', email: 'ana@example.com' }
const tenEuros = { amount: 10, currency: 'EUR' }

interface Sample {
  readonly path: string
  readonly body: Json
  /** Bodies with the same meaning. */
  readonly same: readonly Json[]
  /** Bodies with another meaning. */
  readonly other: readonly Json[]
}

const samples: Record<string, () => Sample | Promise<Sample>> = {
  'a checkout': () => {
    const client = { name: 'Ana', address: { city: 'Lisboa', country: 'PT', postalcode: '1000-001' } }
    const payment = { ...tenEuros, client, items: [{ name: 'Tea', qt: 2, amount: 5 }] }
    const expires = new Date(Math.ceil(Date.now() / 1000 + 86_400) * 1000)
    const body = { ...urls, payment, expires: expires.toISOString(), exclude: ['MB'] }
    return {
      path: '/api/v2/checkout',
      body,
      same: [
        { ...body, payment: { ...payment, amount: '10' } },
        { ...body, payment: { ...payment, amount: '10.00', currency: 'eur', notes: null, instant: false } },
        { ...Object.fromEntries(Object.entries(body).reverse()), basket: [{ amount: 1 }] },
        { ...body, exclude: ['mb'], default_method: null, required_fields: { email: false } },
        { ...body, expires: `${expires.toISOString().slice(0, 19)}.500+00:00` },
        { ...body, payment: { ...payment, items: [{ qt: 2, amount: '5.0', name: 'Tea', colour: 'green' }] } },
        { ...body, payment: { ...payment, ext_invoiceid: '', client: { ...client, phone: null } } },
      ],
      other: [
        { ...body, payment: { ...payment, amount: 10.01 } },
        { ...body, payment: { ...payment, notes: 'gift' } },
        { ...body, payment: { ...payment, items: [{ name: 'Tea', qt: 2, amount: 5.001 }] } },
        { ...body, payment: { ...payment, client: { ...client, name: 'ANA' } } },
        { ...body, expires: new Date(expires.getTime() + 1000).toISOString() },
        { ...body, exclude: [] },
        { ...body, required_fields: { email: true } },
        { ...urls, authorization: payment, expires: body.expires, exclude: body.exclude },
      ],
    }
  },
  'a subscription on a checkout': async () => {
    const start_date = await subscribersOf(world).today()
    const subscription = { ...tenEuros, frequency: 1, period: 'MONTH', start_date }
    return {
      path: '/api/v2/checkout',
      body: { ...urls, subscription },
      same: [{ ...urls, subscription: { ...subscription, amount: '1e1', period: 'month', end_date: null } }],
      other: [{ ...urls, subscription: { ...subscription, frequency: 2 } }],
    }
  },
  'a payment by reference': () => {
    const body = { ...tenEuros, method: 'MB', type: 'PAYMENT' }
    return {
      path: '/api/v2/mb/pay',
      body,
      same: [{ ...body, amount: '10.0', method: 'mb', type: 'payment', expires: null, instant: null }],
      other: [{ ...body, ext_invoiceid: '1' }],
    }
  },
  'a recurring reference': () => ({
    path: '/api/v2/mb/reference',
    body: { max_amount: 20, min_amount: 5 },
    same: [{ min_amount: '5.00', max_amount: '20', currency: 'eur', op_type: 'Payment' }],
    other: [{ max_amount: 20, min_amount: 6 }],
  }),
  'a payment by token': () => {
    const body = { ...tenEuros, ...cardUrls, method: 'CC', card: { token } }
    return {
      path: '/prows/v2/payment',
      body,
      same: [
        { ...body, amount: '10', method: undefined, card: { token: token.toLowerCase(), last4: '0027' } },
      ],
      other: [{ ...body, amount: 1 }],
    }
  },
  'an authorization by card data': () => {
    const body = { ...tenEuros, ...cardUrls, newCard: { ...newCard, number: cards.frictionless.number } }
    const batched = cards.frictionless.number.replace(/(\d{4})(?=\d)/g, '$1 ')
    return {
      path: '/prows/v2/authorization',
      body,
      same: [
        {
          ...body,
          amount: '10.00',
          newCard: { ...body.newCard, number: batched, phone: null, mode: 'USER' },
        },
      ],
      other: [{ ...body, newCard: { ...body.newCard, number: cards.frictionlessMastercard.number } }],
    }
  },
  'a capture': async () => {
    const { id } = await shop.authorize(token, 10)
    const path = `/api/v2/authorizations/${id}/capture`
    return { path, body: { amount: 3 }, same: [{ amount: '3.00', notes: '' }], other: [{ amount: 4 }, {}] }
  },
  'a release': async () => {
    const { id } = await shop.authorize(token, 10)
    const path = `/api/v2/authorizations/${id}/release`
    return { path, body: {}, same: [{ notes: null, reason: 'late' }], other: [{ amount: 10 }] }
  },
  'a refund': async () => {
    const { id } = await payByToken(world, token)
    return {
      path: `/api/v2/operations/${id}/refund`,
      body: { amount: 3 },
      same: [
        { type: 'PARTIAL', amount: '3.00' },
        { type: null, amount: 3, dry_run: false },
      ],
      other: [{ amount: 2 }, { type: 'full' }],
    }
  },
  'a split': async () => {
    const { id } = await payByToken(world, token)
    const merchant_wallet = world.merchant('Sub Shop A').public_id
    return {
      path: `/api/v2/operations/${id}/split`,
      body: { split: [{ merchant_wallet, amount_fraction: 0.5, fee_fixed: 1 }] },
      same: [
        { split: [{ merchant_wallet, amount_fraction: '1/2', fee_fixed: '1.00', amount: null }] },
        { split: [{ fee_fixed: 1.0, merchant_wallet, amount_fraction: '0.50', descr: '' }] },
      ],
      other: [{ split: [{ merchant_wallet, amount_fraction: 0.6, fee_fixed: 1 }] }],
    }
  },
  'a mandate': () => {
    const { number: phone } = newPhone(world)
    return {
      path: '/api/v2/mandate/mbway',
      body: { phone, type: 'ONECLICK' },
      same: [{ phone: phone.replace('+351', '+351 '), type: 'oneclick', name: '' }],
      other: [{ phone, type: 'SUBSCRIPTION' }],
    }
  },
  'a direct payment by phone': () => {
    const { number: phone } = newPhone(world)
    const body = { ...tenEuros, method: 'MBWAY', type: 'PAYMENT', mbway: { phone } }
    return {
      path: '/api/v2/payment',
      body,
      same: [
        { ...body, type: 'payment', amount: '10', mbway: { phone: phone.replace('+351', '+351-') } },
        { ...body, mbway: { phone, mandate_id: '' }, mandate_id: '' },
      ],
      other: [{ ...body, type: 'AUTH' }],
    }
  },
  'a charge': async () => {
    const { id } = await subscribersOf(world).accepted()
    return {
      path: `/api/v2/subscriptions/${id}/charge`,
      body: { payment: { amount: 3, currency: 'EUR' } },
      same: [{ payment: { amount: '3.00', currency: 'eur', ext_invoiceid: null } }],
      other: [{ payment: { amount: 4, currency: 'EUR' } }],
    }
  },
}

it.each(Object.keys(samples))('%s is the same in other words, and no other thing', async (name) => {
  const sample = samples[name] as (typeof samples)[string]
  const { path, body, same, other } = await sample()
  const request_id = randomUUID()
  const post = (what: Json) =>
    world.shop.post(
      path,
      { request_id, ...what },
      { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` },
    )
  const first = await post(body)
  expect([first.status, first.text]).toEqual([200, expect.any(String)])
  for (const words of same) {
    const again = await post(words)
    expect([words, again.text]).toEqual([words, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  }
  for (const words of other) {
    expect([words, await post(words)]).toMatchObject([words, { status: 422, body: { code: 10015 } }])
  }
})
