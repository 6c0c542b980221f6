// Who may call what, and how often: keys, their permissions and limits (SPEC.md "Authentication").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../world.ts'

let world: World
let keyForSplits: string

beforeAll(async () => {
  world = await startWorld('pglite', { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  keyForSplits = await keyWith('split')
})
afterAll(() => world.stop())

const unknownId = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

/** Every endpoint of the API, and the permission that opens it; `any` needs none but a key, `none` no key. */
const permissionOf: Readonly<Record<string, string>> = {
  'POST /api/v2/callback/verify': 'callbacks',
  'POST /api/v2/checkout': 'checkout',
  'GET /api/v2/checkout/{id}': 'checkout',
  'DELETE /api/v2/checkout/{id}': 'checkout',
  'POST /api/v2/mandate/mbway': 'mandates',
  'GET /api/v2/mandate/mbway': 'mandates',
  'GET /api/v2/mandate/mbway/{id}': 'mandates',
  'DELETE /api/v2/mandate/mbway/{id}': 'mandates',
  'POST /api/v2/payment': 'checkout',
  'POST /api/v2/mb/pay': 'mb_pay',
  'POST /api/v2/mb/reference': 'mb_reference',
  'DELETE /api/v2/mb/reference': 'mb_reference',
  'GET /api/v2/operations': 'operations',
  'GET /api/v2/operations/{id}': 'operations',
  'POST /api/v2/operations/{id}/refund': 'refund',
  'POST /api/v2/operations/{id}/split': 'split',
  'POST /api/v2/authorizations/{id}/capture': 'authorizations',
  'POST /api/v2/authorizations/{id}/release': 'authorizations',
  'GET /api/v2/authorizations': 'authorizations',
  'GET /api/v2/authorizations/{id}': 'authorizations',
  'GET /api/v2/subscriptions': 'subscriptions',
  'GET /api/v2/subscriptions/{id}': 'subscriptions',
  'DELETE /api/v2/subscriptions/{id}': 'subscriptions',
  'POST /api/v2/subscriptions/{id}/charge': 'subscriptions',
  'GET /api/v2/subscriptions/{id}/charge': 'subscriptions',
  'GET /api/v2/subscriptions/{id}/charge/{charge_id}': 'subscriptions',
  'GET /api/v2/wallets/methods': 'any',
  'GET /api/v2/anon/images/button': 'none',
  'GET /api/v2/requests/{id}': 'any',
  'POST /prows/v2/payment': 'card',
  'POST /prows/v2/authorization': 'card',
  'POST /prows/v2/creditcard': 'card',
  'GET /prows/v2/creditcard/{token}': 'card',
  'DELETE /prows/v2/creditcard/{token}': 'card',
  'POST /api/v2/payment_links': 'checkout',
  'GET /api/v2/payment_links': 'checkout',
  'GET /api/v2/payment_links/{id}': 'checkout',
  'DELETE /api/v2/payment_links/{id}': 'checkout',
  'GET /api/v2/events': 'callbacks',
  'GET /api/v2/callback/listen': 'callbacks',
  'GET /api/v2/request_log': 'operations',
  'GET /api/v2/balance': 'operations',
  'GET /api/v2/audit/head': 'operations',
  'GET /api/v2/fees': 'operations',
  'GET /api/v2/statement': 'operations',
  'GET /api/v2/statement.csv': 'operations',
  'GET /api/v2/statement/{day}': 'operations',
  'GET /api/v2/payouts': 'operations',
  'GET /api/v2/payouts/{id}': 'operations',
  'GET /api/v2/payouts/schedule': 'operations',
  'POST /api/v2/payouts': 'payouts',
  'PUT /api/v2/payouts/schedule': 'payouts',
}

async function call(endpoint: string, apiKey: string) {
  const [method = '', path = ''] = endpoint.split(' ')
  const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {}
  return world.request(path.replace(/\{\w+\}/, unknownId), {
    method,
    headers: {
      authorization: `Comporta ${apiKey}`,
      'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
      'content-type': 'application/json',
    },
    ...body,
  })
}

async function keyWith(permission: string): Promise<string> {
  const wallet = String(world.shop.wallet_id)
  return (await world.cli('key', 'create', wallet, '--permissions', permission)).json.api_key
}

describe('a permission', () => {
  it('is asked for by every endpoint of the reference, each as written here', async () => {
    const { paths } = (await world.request('/openapi.json')).body
    const endpoints = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(endpoints.sort()).toEqual(Object.keys(permissionOf).sort())
  })

  it.each(Object.entries(permissionOf))('%s: %s', async (endpoint, permission) => {
    if (permission === 'none') return expect((await call(endpoint, 'no key')).status).toBe(200)
    const lacking = await call(endpoint, permission === 'split' ? await keyWith('operations') : keyForSplits)
    if (permission === 'any') return expect([200, 404]).toContain(lacking.status)
    expect(lacking).toMatchObject({
      status: 403,
      body: { code: 20002, reason: `the API key lacks the permission ${permission}` },
    })
    expect((await call(endpoint, await keyWith(permission))).status).not.toBe(403)
  })
})

describe('a key', () => {
  it.each(Object.entries(permissionOf))('is asked for by %s', async (endpoint, permission) => {
    if (permission === 'none') return
    const [method = '', path = ''] = endpoint.split(' ')
    // From an address of its own: one alone may not ask so often without a key.
    const address = `192.0.2.${Object.keys(permissionOf).indexOf(endpoint) + 1}`
    const ask = (headers: Record<string, string>) =>
      world.request(path.replace(/\{\w+\}/, unknownId), {
        method,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
    expect(await ask({})).toMatchObject({ status: 401, body: { code: 20001 } })
    const otherScheme = { authorization: `Bearer ${world.shop.api_key}` }
    expect(await ask(otherScheme)).toMatchObject({ status: 401, body: { code: 20001 } })
  })

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
