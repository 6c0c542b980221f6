// Races on the card API: one request id, one encrypted card, one payment.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { encryptCard } from '../../web/secure-fields/frame/encrypt-card.ts'
import { openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

const callersMax = 50
const newCard = {
  number: cards.frictionless.number,
  name: 'Ana Silva',
  vcode: '123',
  valdate: '12/2030',
  email: 'ana@example.com',
}

let world: World
let tokens: Record<'paying' | 'declined' | 'silent', string>

beforeAll(async () => {
  world = await openWorld('postgres')
  tokens = {
    paying: await storeCard(cards.frictionless.number),
    declined: await storeCard(cards.declined.number),
    silent: await storeCard(cards.silentThenApproved.number),
  }
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const headers = () => ({ 'proxy-authorization': `ESBToken=${world.shop.esb_token}` })
const send = (path: string, body: unknown): Promise<Answer> => world.shop.post(path, body, headers())
const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

function asked(change: Record<string, unknown>) {
  const request_id = randomUUID()
  return {
    amount: 5,
    currency: 'EUR',
    callback: world.receiver.url('/operation'),
    cardsecure_url_confirm: world.receiver.url('/confirm'),
    cardsecure_url_cancel: world.receiver.url('/cancel'),
    ext_invoiceid: `R-${request_id}`,
    request_id,
    ...change,
  }
}

async function totalOf(invoice: string): Promise<number> {
  return (await world.shop.get(`/api/v2/operations?ext_invoiceid=${invoice}`)).body.total
}

async function authenticate(url: string): Promise<string> {
  let page = await openPage(url)
  for (let step = 0; step < 6; step++) {
    const form = page.forms.find(({ action }) => /\/secure\/|\/3ds\/return\//.test(action))
    if (form === undefined) break
    page = await submit(page, form)
  }
  return page.url
}

async function storeCard(number: string): Promise<string> {
  const request = asked({ newCard: { ...newCard, number } })
  const { body } = await send('/prows/v2/creditcard', request)
  await authenticate(body.cardsecure_url_redirect)
  return (await world.shop.get(`/api/v2/requests/${request.request_id}`)).body.token
}

async function encrypted(): Promise<Json> {
  const merchant = world.shop.public_id
  const { keys } = (await world.request('/.well-known/secure-fields/jwks.json')).body
  const { session, now } = (await world.request(`/secure-fields/v1/session?merchant=${merchant}`)).body
  const ticket = { key: keys[0], session, iat: now }
  const { newCardSecure } = await encryptCard(newCard, ticket, { merchant, origin: 'http://localhost:1' })
  return { ...newCardSecure, email: newCard.email }
}

it.each<[string, string, () => Promise<Record<string, unknown>>]>([
  ['a token', 'payment', async () => ({ card: { token: tokens.paying } })],
  ['a token', 'authorization', async () => ({ card: { token: tokens.paying } })],
  ['a token that is declined', 'payment', async () => ({ card: { token: tokens.declined } })],
  ['card data', 'payment', async () => ({ newCard })],
  ['card data', 'authorization', async () => ({ newCard })],
  ['an encrypted card', 'payment', async () => ({ newCardSecure: await encrypted() })],
])('one request_id of 50 callers at once, with %s for a %s, is one operation', async (_, path, card) => {
  const request = asked(await card())
  const answers = await atOnce(callersMax, () => send(`/prows/v2/${path}`, request))
  const decided = answers.filter(({ body }) => body.code !== 10014)
  expect(new Set(decided.map(({ text }) => text)).size).toBe(1)
  expect(new Set(decided.map(({ status }) => status)).size).toBe(1)
  expect([200, 402]).toContain(decided[0]?.status)
  expect(await totalOf(request.ext_invoiceid)).toBe(1)
  expect((await send(`/prows/v2/${path}`, request)).text).toBe(decided[0]?.text)
})

it('one request_id of 50 callers at once stores one card', async () => {
  const request = asked({ newCard: { ...newCard, number: '5555555555554444' } })
  const answers = await atOnce(callersMax, () => send('/prows/v2/creditcard', request))
  expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
  for (const { status, body } of answers) if (status !== 200) expect(body).toMatchObject({ code: 10014 })
})

it('an encrypted card pays once, also under several ids', async () => {
  const newCardSecure = await encrypted()
  const requests = Array.from({ length: 12 }, () => asked({ newCardSecure }))
  const answers = await Promise.all(requests.map((request) => send('/prows/v2/payment', request)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, body } of answers)
    if (status !== 200)
      expect(body).toMatchObject({ code: 10002, reason: expect.stringContaining('used before') })
  const totals = await Promise.all(requests.map(({ ext_invoiceid }) => totalOf(ext_invoiceid)))
  expect(totals.toSorted()).toEqual([...Array(11).fill(0), 1])
})

it('a customer in many windows is charged once, and every window ends at the merchant', async () => {
  const { body } = await send('/prows/v2/payment', asked({ newCard }))
  const ends = await atOnce(10, () => authenticate(body.cardsecure_url_redirect))
  await world.eventually(async () => (await world.operation(body.id)).status === 'COMPLETED')
  expect(await authenticate(body.cardsecure_url_redirect)).toBe(world.receiver.url('/confirm'))
  for (const end of ends)
    expect([world.receiver.url('/confirm'), body.cardsecure_url_redirect]).toContain(end)
})

it('a card deleted during payments: each payment completes or is refused, and no later one succeeds', async () => {
  const token = await storeCard('4111111111111111')
  const pay = () => send('/prows/v2/payment', asked({ card: { token } }))
  const [deleted, ...paid] = await Promise.all([
    world.request(`/prows/v2/creditcard/${token}`, {
      method: 'DELETE',
      headers: { authorization: `Comporta ${world.shop.api_key}`, ...headers() },
    }),
    ...Array.from({ length: 20 }, pay),
  ])
  expect(deleted.text).toBe('true')
  for (const { status, body } of paid)
    expect(status === 200 ? body.status : body.code).toBe(status === 200 ? 'COMPLETED' : 10013)
  expect((await pay()).body).toMatchObject({ code: 10013 })
})

it('cards pay during a rotation of the master keys', async () => {
  let rotating = true
  let paid = 0
  const customers = atOnce(6, async () => {
    while (rotating) {
      const { status, body } = await send('/prows/v2/payment', asked({ card: { token: tokens.paying } }))
      expect({ status, outcome: body.status }).toEqual({ status: 200, outcome: 'COMPLETED' })
      paid++
      const { body: begun } = await send('/prows/v2/payment', asked({ newCard }))
      expect(await authenticate(begun.cardsecure_url_redirect)).toBe(world.receiver.url('/confirm'))
    }
  })
  for (let version = 0; version < 2; version++) expect((await world.cli('vault', 'rotate')).code).toBe(0)
  rotating = false
  await customers
  expect(paid).toBeGreaterThan(6)
})

it('the sandbox’s clock may move while an acquirer is silent', async () => {
  const request = asked({ card: { token: tokens.silent } })
  const answer = send('/prows/v2/payment', request)
  await world.eventually(async () => (await totalOf(request.ext_invoiceid)) === 1)
  await world.advance('PT5M')
  const again = await send('/prows/v2/payment', request)
  const first = await answer
  expect(again.body).toMatchObject({ status: 'COMPLETED', id: first.body.id })
  expect((await send('/prows/v2/payment', request)).text).toBe(again.text)
})

it('if two callers finish storing a card, one does it and the other changes nothing', async () => {
  const request = asked({ newCard })
  const { body } = await send('/prows/v2/creditcard', request)
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  const waiting = async () => {
    const { rows } = await client.query(
      'select count(distinct pid)::int as count from pg_locks where not granted',
    )
    return rows[0].count
  }
  try {
    await client.query('begin')
    await client.query(`select id from card_storings where wallet_id = $1 and request_id = $2 for update`, [
      world.shop.wallet_id,
      request.request_id,
    ])
    const returned = authenticate(body.cardsecure_url_redirect)
    await world.eventually(async () => (await waiting()) === 1)
    // The resolver treats the first request as dead, and tries to settle the payment too.
    const moved = world.advance('PT15S')
    await world.eventually(async () => (await waiting()) === 2)
    await client.query('commit')
    await Promise.all([returned, moved])
  } finally {
    await client.end()
  }
  expect((await world.shop.get(`/api/v2/requests/${request.request_id}`)).body.token).toMatch(
    /^[0-9A-F-]{36}$/,
  )
  const told = () =>
    world.receiver.received('/callbacks').filter((callback) => callback.body.includes(request.request_id))
  await world.eventually(async () => told().length > 0)
  expect(told()).toHaveLength(1)
  expect(world.output()).not.toContain('background work failed')
})
