// API keys, ESB tokens and rate limits (SPEC.md "Authentication").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usualDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld(usualDatabase, { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
})
afterAll(() => world.stop())

const unknownId = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

describe('a key', () => {
  it('has its form, and the ESB token is given and replaced by the operator', async () => {
    expect(world.shop.api_key).toMatch(/^cmp_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    const wallet = String(world.shop.wallet_id)
    const read = (token: string) =>
      world.shop.get(`/prows/v2/creditcard/${unknownId}`, { 'proxy-authorization': `ESBToken=${token}` })
    expect((await read(world.shop.esb_token)).status).toBe(404)
    const fresh = (await world.cli('merchant', 'set', wallet, '--rotate-esb-token')).json.esb_token
    expect(await read(world.shop.esb_token)).toMatchObject({ status: 401, body: { code: 20004 } })
    expect((await read(fresh)).status).toBe(404)
  })
})

it('a key in the body works like one in the header, and is never repeated', async () => {
  const { api_key: apikey, name } = world.shop
  const answer = await world.request('/api/v2/checkout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      merchant: { apikey },
      payment: { amount: 10, currency: 'EUR' },
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    }),
  })
  expect(answer).toMatchObject({ status: 200, body: { payment: { merchant: { name } } } })
  expect(answer.text).not.toContain(apikey)
})

it('the methods of the wallet are listed, also under the path without a version', async () => {
  const methods = ['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'BANK']
  expect(await world.shop.get('/api/v2/wallets/methods')).toMatchObject({ status: 200, body: { methods } })
  expect(await world.shop.get('/api/wallets/methods')).toMatchObject({ status: 200, body: { methods } })
  const wallet = String(world.merchant('Plain Shop').wallet_id)
  await world.cli('merchant', 'set', wallet, '--methods', 'MB')
  expect((await world.merchant('Plain Shop').get('/api/v2/wallets/methods')).body).toEqual({
    methods: ['MB'],
  })
})

it('one checkout is read 30 times a minute, and reading it more is no way to wait', async () => {
  const [polled, other] = [await world.createCheckout(), await world.createCheckout()]
  const read = () => world.shop.get(`/api/v2/checkout/${polled.id}`)
  const answers = await Promise.all(Array.from({ length: 60 }, read))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(4)
  expect(refused[0]?.body).toMatchObject({ code: 10029 })
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  const shouted = polled.id.toUpperCase()
  expect((await world.shop.get(`/api/v2/checkout/${shouted}`)).status).toBe(429)
  expect((await world.shop.get(`/api/v2/checkout/${other.id}`)).status).toBe(200)
})

it('one address opens 30 checkouts a minute by payment links', async () => {
  const { body: link } = await world.shop.post('/api/v2/payment_links', {
    description: 'Candeeiro',
    amount: 24.9,
  })
  const press = (address: string) =>
    world.request(new URL(link.url).pathname, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: new URL(world.baseUrl).origin,
        'x-forwarded-for': address,
      },
    })
  const answers = await Promise.all(Array.from({ length: 36 }, () => press('192.0.2.77')))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(30)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  expect((await press('192.0.2.78')).status).toBe(303)
})
