// The request log of a merchant.
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/time.ts'
import { createRequestLog, type RequestFilter, type RequestLog } from '../../src/request-log/index.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { openWorld } from '../gateway-here.ts'
import { cardNeedle, found, needle, rowsOf } from '../needles.ts'
import { askToPay, storeCard } from '../stored-cards.ts'
import { cards, type World } from '../world.ts'

let world: World
let database: Database
let log: RequestLog
let walletId: bigint

beforeAll(async () => {
  world = await openWorld('postgres')
  database = openPostgres({ url: world.databaseUrl ?? '' })
  const onError = (error: unknown) => expect.unreachable(String(error))
  log = createRequestLog({ database, clock: systemClock, metrics: new Registry(), days: 7, onError })
  walletId = BigInt(world.shop.wallet_id)
})
afterAll(async () => {
  await database.close()
  await world.stop()
})

const list = async (filter: RequestFilter = {}) => (await log.list(walletId, filter, { limit: 50 })).requests
/** The request with this tid, as soon as the gateway has written it. */
const logged = (tid: string | null) =>
  world.eventually(async () => (tid === null ? undefined : await log.find(walletId, tid)))

it('stores a request with its answer, by tid', async () => {
  const keyId = world.shop.api_key.split('_')[2]
  const { headers, body } = await world.shop.post(
    '/api/v2/checkout?lang=pt',
    {
      payment: { amount: 10, currency: 'EUR' },
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    },
    { 'user-agent': `shop/1.0 ${'x'.repeat(400)}` },
  )
  const request = await logged(headers.get('x-request-id'))
  expect(request).toMatchObject({
    keyId,
    method: 'POST',
    route: '/api/v2/checkout',
    path: '/api/v2/checkout?lang=pt',
    status: 200,
    address: '127.0.0.1',
  })
  expect(request.code).toBeUndefined()
  expect(request.userAgent).toHaveLength(200)
  expect(JSON.parse(request.body ?? '')).toMatchObject({ payment: { amount: 10, currency: 'EUR' } })
  expect(JSON.parse(request.answer ?? '')).toMatchObject({ id: body.id })
})

it('has what was refused, with its code and reason, also where a permission was missing', async () => {
  const wrong = await world.shop.post('/api/v2/checkout', { payment: { amount: -1, currency: 'EUR' } })
  const unread = await world.shop.post('/api/v2/checkout', '{"payment": ')
  const other = await world.shop.get(`/api/v2/operations/${randomUUID()}`)
  for (const { status, body } of [wrong, unread, other]) {
    const request = await logged(body.tid)
    expect(request).toMatchObject({ status, code: body.code })
    expect(JSON.parse(request.answer ?? '')).toEqual(body)
  }
  const made = (await world.cli('key', 'create', String(walletId), '--permissions', 'operations')).json
  const authorization = `Comporta ${made.api_key}`
  const lacking = await world.shop.post('/api/v2/checkout', { payment: {} }, { authorization })
  expect(await logged(lacking.body.tid)).toMatchObject({ status: 403, code: 20002, keyId: made.id })
})

it('shows no answers of reads, and nothing of those who have no key', async () => {
  const { headers } = await world.shop.get('/api/v2/operations?page=0')
  const read = await logged(headers.get('x-request-id'))
  expect(read.path).toBe('/api/v2/operations?page=0')
  expect(read.answer).toBeUndefined()
  const stranger = await world.request('/api/v2/operations', {
    headers: { authorization: 'Comporta nothing' },
  })
  await logged((await world.shop.get('/api/v2/operations')).headers.get('x-request-id'))
  expect(await list({ tid: stranger.body.tid })).toEqual([])
  expect(
    await log.find(BigInt(world.merchant('Plain Shop').wallet_id), headers.get('x-request-id') ?? ''),
  ).toBeUndefined()
})

it('finds by status, method, path, key, tid and time, newest first, page by page', async () => {
  const all = await world.eventually(async () => {
    const requests = await list()
    return requests.length >= 7 && requests
  })
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .sort()
      .reverse(),
  )
  expect((await list({ statusClass: 4 })).every(({ status }) => status >= 400)).toBe(true)
  expect((await list({ statusClass: 2 })).every(({ status }) => status === 200)).toBe(true)
  expect(await list({ statusClass: 5 })).toEqual([])
  expect(new Set((await list({ method: 'GET' })).map(({ method }) => method))).toEqual(new Set(['GET']))
  expect((await list({ path: '/api/v2/oper' })).length).toBeGreaterThan(1)
  expect(await list({ path: '/prows' })).toEqual([])
  expect(await list({ keyId: 'nobodies' })).toEqual([])
  expect(await list({ tid: all[2]?.id })).toHaveLength(1)
  expect(await list({ until: all.at(-1)?.answeredAt })).toEqual([])
  expect((await list({ from: all.at(-1)?.answeredAt })).length).toBe(all.length)
  const seen: string[] = []
  let before: string | undefined
  do {
    const page = await log.list(walletId, {}, { before, limit: 3 })
    seen.push(...page.requests.map(({ id }) => id))
    before = page.next
  } while (before !== undefined)
  expect(seen).toEqual((await list()).map(({ id }) => id))
})

it('has a request whose query holds what a database cannot', async () => {
  const { headers } = await world.shop.get('/api/v2/operations?limit=1&x=a%00b%ED%A0%80')
  expect((await logged(headers.get('x-request-id'))).path).toMatch(
    /^\/api\/v2\/operations\?limit=1&x=a\ufffdb/,
  )
})

it('holds no secret', async () => {
  const token = await storeCard(world, cards.frictionlessMastercard.number)
  const { number } = cards.frictionless
  const esb = { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
  await askToPay(world, token)
  await world.shop.get(`/prows/v2/creditcard/${token}`, esb)
  await world.shop.get(`/api/v2/operations?ref=${number}&apikey=${world.shop.api_key}`)
  await world.shop.get(`/api/v2/operations/${number}`, { 'user-agent': `card ${number}` })
  await world.shop.post('/api/v2/checkout', { notes: number, payment: { amount: 1, cvv: '739' } })
  const bodyKey = { merchant: { apikey: world.shop.api_key }, payment: { amount: 1 } }
  const last = await world.request('/api/v2/checkout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyKey),
  })
  await logged(last.headers.get('x-request-id'))
  const needles = [
    cardNeedle(number),
    cardNeedle(cards.frictionlessMastercard.number),
    needle('token', token, [token.toLowerCase(), token.toUpperCase()]),
    needle('API key', world.shop.api_key.slice(-38)),
    needle('ESB token', world.shop.esb_token),
    needle('security code', '739'),
  ]
  const rows = (await rowsOf(database)).filter(({ table }) => table === 'request_log')
  expect(rows.length).toBeGreaterThan(12)
  expect(rows.flatMap(({ text }) => found(needles.slice(0, 5), 'the log', text))).toEqual([])
  expect(rows.flatMap(({ values }) => values.filter((value) => value === '739'))).toEqual([])
  expect(rows.some(({ text }) => text.includes('[card number]'))).toBe(true)
})

const codeNames = [
  ...[
    'card_cvc',
    'cvvCode',
    'cvv',
    'cvc',
    'cvv2',
    'cvn',
    'csc',
    'cid',
    'vcode',
    'pin',
    'pin_code',
    'pinCode',
  ],
  ...['code', 'codigo', 'securityCode', 'security_code', 'card_code', 'cardCode', 'verification', 'otp'],
  ...['verification_value', 'cardVerification', 'card-security', 'ccv', 'CVC2_VALUE', 'kod', 'secret_number'],
  ...['sms', 'one_time_code', 'threeDsCode', 'x'],
]
const placed: readonly ((name: string, code: string) => object)[] = [
  (name, code) => ({ [name]: code }),
  (name, code) => ({ [name]: Number(code), payment: { amount: 1, [name]: Number(code) } }),
  (name, code) => ({
    cards: [{ [name]: code }],
    payment: { client: { [name]: code }, items: [{ [name]: code }] },
  }),
  (name, code) => ({
    authorization: { [name]: { value: code } },
    subscription: { card: { [name]: [code] } },
  }),
]

it.each([
  '/api/v2/checkout',
  '/api/v2/payment_links',
  '/api/v2/operations/01991234-5678-7000-8000-000000000000/refund',
  '/api/v2/mb/pay',
  '/api/v2/payment',
  '/prows/v2/payment',
  '/prows/v2/creditcard',
  '/api/v2/callback/verify',
  '/api/v2/payouts',
])('holds no code that a client sends in a field that %s does not know', async (path) => {
  expect(codeNames.length).toBeGreaterThanOrEqual(30)
  const esb = { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
  const tids: (string | null)[] = []
  const codes: string[] = []
  for (const [index, name] of codeNames.entries()) {
    const code = String(9013 + index * 29)
    codes.push(code)
    for (const place of placed) {
      const { headers } = await world.shop.post(`${path}?${name}=${code}`, place(name, code), esb)
      tids.push(headers.get('x-request-id'))
    }
  }
  const leaked: string[] = []
  for (const tid of tids) {
    const { path: asked, body = '', answer = '' } = await logged(tid)
    for (const code of codes) {
      const isThere = new RegExp(`(?<![\\da-f-])${code}(?![\\da-f-])`).test(`${asked} ${body} ${answer}`)
      if (isThere) leaked.push(`${asked} ${body} ${answer}`)
    }
  }
  expect(leaked).toEqual([])
})

it('forgets what is older than its days', async () => {
  const before = (await list()).length
  const later = createRequestLog({
    database,
    clock: { now: () => (systemClock.now() + 6.9 * 86_400_000) as never },
    metrics: new Registry(),
    days: 7,
    onError: (error) => expect.unreachable(String(error)),
  })
  await later.workers.request_log.runDue()
  expect((await list()).length).toBeGreaterThanOrEqual(before)
  const muchLater = createRequestLog({
    database,
    clock: { now: () => (systemClock.now() + 7.1 * 86_400_000) as never },
    metrics: new Registry(),
    days: 7,
    onError: (error) => expect.unreachable(String(error)),
  })
  await muchLater.workers.request_log.runDue()
  expect(await list()).toEqual([])
})
