// Mandates (SPEC.md "Mobile-wallet mandates").
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { newPhone, type Phone } from '../phone.ts'
import type { Json, World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const path = '/api/v2/mandate/mbway'

interface Asked {
  readonly phone: Phone
  readonly id: string
  readonly requestId: string
  readonly subscriptionId: string | undefined
}

async function ask(change: Record<string, unknown> = {}): Promise<Asked> {
  const phone = newPhone(world)
  const requestId = randomUUID()
  const { status, body, text } = await world.shop.post(path, {
    name: 'Ana Silva',
    phone: phone.number,
    type: 'ONECLICK',
    url_callback: world.receiver.url(`/mandates/${requestId}`),
    request_id: requestId,
    ...change,
  })
  if (status !== 200) throw new Error(text)
  return { phone, id: body.mandate_id, requestId, subscriptionId: body.subscription_id }
}

async function active(change: Record<string, unknown> = {}, terms: Record<string, unknown> = {}) {
  const asked = await ask(change)
  expect((await asked.phone.approve(asked.id, { amount_limit: 50, ...terms })).status).toBe(200)
  return asked
}

const read = async ({ id }: { id: string }): Promise<Json> => (await world.shop.get(`${path}/${id}`)).body

/** Callbacks of a mandate, in the order of their events. */
async function callbacksOf({ requestId }: Asked, count: number): Promise<Json[]> {
  const received = await world.receiver.waitFor(`/mandates/${requestId}`, count)
  return received
    .toSorted((a, b) => String(a.headers['webhook-id']).localeCompare(String(b.headers['webhook-id'])))
    .map(({ body }) => JSON.parse(body))
}

describe('asking for a mandate', () => {
  it('answers REQUESTED, and the phone shows the merchant', async () => {
    const { phone, id, subscriptionId } = await ask()
    expect(subscriptionId).toBeUndefined()
    expect(await phone.pending()).toMatchObject({
      id,
      kind: 'mandate',
      merchant: 'Demo Shop',
      mandate_type: 'ONECLICK',
      amount: null,
      currency: null,
      state: 'PENDING',
    })
    expect(await read({ id })).toEqual({
      amount_available: 0,
      amount_limit: 0,
      client_name: 'Ana Silva',
      creation_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
      mandate_id: id,
      phone: phone.number,
      state: 'REQUESTED',
      type: 'ONECLICK',
    })
  })

  it('of a subscription answers with its id, which stays with the mandate', async () => {
    const asked = await active({ type: 'subscription' })
    expect(asked.subscriptionId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await read(asked)).toMatchObject({ type: 'SUBSCRIPTION', subscription_id: asked.subscriptionId })
    const [approved] = await callbacksOf(asked, 1)
    expect(approved).toMatchObject({ mandate_type: 'SUBSCRIPTION', subscription_id: asked.subscriptionId })
    const paidBy = { default_payment_method: 'WALLET', method: 'MBWAY' }
    const subscriptions = '/api/v2/subscriptions'
    expect((await world.shop.get(`${subscriptions}/${asked.subscriptionId}`)).body).toMatchObject(paidBy)
    const { elements } = (await world.shop.get(`${subscriptions}?limit=30`)).body
    const listed = elements.find(({ subscription }: Json) => subscription.id === asked.subscriptionId)
    expect(listed.subscription).toMatchObject(paidBy)
  })

  it('happens once per request id, and is answered byte for byte', async () => {
    const phone = newPhone(world)
    const body = { phone: phone.number, type: 'ONECLICK', request_id: randomUUID() }
    const [first, second] = await Promise.all([world.shop.post(path, body), world.shop.post(path, body)])
    expect(second.text).toBe(first.text)
    expect(
      [first, second].filter(({ headers }) => headers.get('idempotent-replayed') === 'true'),
    ).toHaveLength(1)
    expect(await phone.requests()).toHaveLength(1)
    expect(await world.shop.post(path, { ...body, type: 'SUBSCRIPTION' })).toMatchObject({
      status: 422,
      body: { code: 10015 },
    })
    expect((await world.shop.get(`/api/v2/requests/${body.request_id}`)).body).toMatchObject({
      status: 'PENDING',
      href: `${world.baseUrl}${path}/${first.body.mandate_id}`,
    })
  })

  it.each([
    ['no phone', { phone: undefined }, 10001, 'phone is required'],
    ['a phone that is null', { phone: null }, 10002, 'phone must be text'],
    ['a phone without its country', { phone: '612345678' }, 10002, 'phone must be a phone number with +'],
    ['an invalid phone', { phone: '+351 12' }, 10002, 'phone must be a phone number with +'],
    [
      'a phone that is nobody’s',
      { phone: '+351912345699' },
      10002,
      'is not registered with the mobile wallet',
    ],
    ['a phone abroad', { phone: '+34612345678' }, 10002, 'is not registered with the mobile wallet'],
    ['no type', { type: undefined }, 10001, 'type is required'],
    ['an unknown type', { type: 'TWOCLICK' }, 10002, 'type must be ONECLICK or SUBSCRIPTION'],
    ['a type that is no text', { type: 1 }, 10002, 'type must be text'],
    ['a callback that is no address', { url_callback: 'shop' }, 10002, 'url_callback must be'],
    ['a request id that is no UUID', { request_id: '7' }, 10002, 'request_id must be a UUID'],
  ])('refuses %s', async (_, change, code, reason) => {
    const before = (await world.shop.get(path)).body.total
    const answer = await world.shop.post(path, {
      phone: newPhone(world).number,
      type: 'ONECLICK',
      ...change,
    })
    expect(answer).toMatchObject({ status: 400, body: { code, reason: expect.stringContaining(reason) } })
    expect((await world.shop.get(path)).body.total).toBe(before)
  })

  it('is for partners', async () => {
    const answer = await world.merchant('Plain Shop').post(path, { phone: '+351912345678', type: 'ONECLICK' })
    expect(answer).toMatchObject({ status: 403, body: { code: 20002 } })
  })
})

type Step = (mandate: Asked) => Promise<unknown>
const steps = {
  approve: ({ phone, id }) => phone.approve(id, { amount_limit: '50.00', expiry_date: '2027-06-30' }),
  refuse: ({ phone, id }) => phone.refuse(id),
  update: ({ phone, id }) => phone.change(id, 'update', { amount_limit: 80, expiry_date: '2027-01-31' }),
  suspend: ({ phone, id }) => phone.change(id, 'suspend'),
  resume: ({ phone, id }) => phone.change(id, 'resume'),
  cancel: ({ phone, id }) => phone.change(id, 'cancel'),
  delete: ({ id }) => world.shop.delete(`${path}/${id}`),
} satisfies Record<string, Step>
type Word = keyof typeof steps

describe('a mandate', () => {
  it.each<[string, Word[], string, string[]]>([
    ['approved', ['approve'], 'ACTIVE', ['APPROVED']],
    ['refused', ['refuse'], 'EXPIRED', ['EXPIRED']],
    ['changed by its customer', ['approve', 'update'], 'ACTIVE', ['APPROVED', 'UPDATED']],
    ['suspended', ['approve', 'suspend'], 'SUSPENDED', ['APPROVED', 'SUSPENDED']],
    [
      'changed while suspended',
      ['approve', 'suspend', 'update'],
      'SUSPENDED',
      ['APPROVED', 'SUSPENDED', 'UPDATED'],
    ],
    ['resumed', ['approve', 'suspend', 'resume'], 'ACTIVE', ['APPROVED', 'SUSPENDED', 'UPDATED']],
    ['deleted', ['approve', 'delete'], 'VOIDED', ['APPROVED', 'VOIDED']],
    ['cancelled by its customer', ['approve', 'cancel'], 'VOIDED', ['APPROVED', 'VOIDED']],
    [
      'deleted while suspended',
      ['approve', 'suspend', 'delete'],
      'VOIDED',
      ['APPROVED', 'SUSPENDED', 'VOIDED'],
    ],
    [
      'cancelled while suspended',
      ['approve', 'suspend', 'cancel'],
      'VOIDED',
      ['APPROVED', 'SUSPENDED', 'VOIDED'],
    ],
  ])('%s is reported', async (_, words, state, events) => {
    const asked = await ask()
    for (const word of words) expect(await steps[word](asked)).toMatchObject({ status: 200 })
    expect(await read(asked)).toMatchObject({ state })
    expect((await callbacksOf(asked, events.length)).map(({ event }) => event)).toEqual(events)
  })

  it.each<[Word[], Word]>([
    [['approve'], 'approve'],
    [['approve'], 'refuse'],
    [['refuse'], 'approve'],
    [['approve'], 'resume'],
    [['approve', 'suspend'], 'suspend'],
    [['approve', 'cancel'], 'resume'],
    [['approve', 'cancel'], 'delete'],
    [['approve', 'delete'], 'delete'],
    [['approve', 'delete'], 'suspend'],
    [['approve', 'delete'], 'update'],
    [['refuse'], 'delete'],
    [[], 'delete'],
    [[], 'suspend'],
    [[], 'cancel'],
  ])('after %j takes no %s', async (words, refused) => {
    const asked = await ask()
    for (const word of words) await steps[word](asked)
    const before = await read(asked)
    expect(await steps[refused](asked)).toMatchObject({ status: 409, body: { code: 10013 } })
    expect(await read(asked)).toEqual(before)
  })

  it('has its terms in every event, and shows them', async () => {
    const asked = await ask()
    for (const word of ['approve', 'update'] as const) await steps[word](asked)
    const common = {
      type: 'MANDATE',
      mandate_id: asked.id,
      mandate_type: 'ONECLICK',
      method: 'MBWAY',
      subscription_id: null,
      request_id: asked.requestId,
    }
    expect(await callbacksOf(asked, 2)).toEqual([
      { ...common, event: 'APPROVED', max_amount: 50, amount_available: 50, end_date: '2027-06-30' },
      { ...common, event: 'UPDATED', max_amount: 80, amount_available: 80, end_date: '2027-01-31' },
    ])
    expect(await read(asked)).toMatchObject({
      amount_available: 80,
      amount_limit: 80,
      expiry_date: '2027-01-31',
    })
    const [callback] = await world.receiver.waitFor(`/mandates/${asked.requestId}`, 2)
    expect(await world.shop.post('/api/v2/callback/verify', callback?.body)).toMatchObject({
      status: 200,
      text: 'true',
    })
  })

  it('is deleted without a body, and the phone knows', async () => {
    const asked = await active()
    const { status, text } = await world.shop.delete(`${path}/${asked.id}`)
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(await asked.phone.mandates()).toMatchObject([{ mandate_id: asked.id, state: 'ENDED' }])
  })

  it('goes to the callback address of the wallet where it has none of its own', async () => {
    const { id } = await active({ url_callback: null })
    await world.eventually(async () =>
      world.receiver.received('/callbacks').some(({ body }) => JSON.parse(body).mandate_id === id),
    )
  })

  it.each([
    ['more than two decimals', { amount_limit: 1.234 }],
    ['nothing', { amount_limit: 0 }],
    ['a day that was', { expiry_date: '2020-01-01' }],
    ['no day', { expiry_date: 'soon' }],
    ['a number for a day', { expiry_date: 20270101 }],
  ])('is not approved with %s', async (_, terms) => {
    const asked = await ask()
    expect(await asked.phone.approve(asked.id, terms)).toMatchObject({ status: 400, body: { code: 10002 } })
    expect(await read(asked)).toMatchObject({ state: 'REQUESTED' })
  })

  it('of another wallet, or of none, is not found', async () => {
    const { id, phone } = await active()
    const other = world.merchant('Sub Shop A')
    await world.cli('merchant', 'set', String(other.wallet_id), '--rights', 'partner')
    const permissions = ['key', 'create', String(other.wallet_id), '--permissions', 'mandates']
    const authorization = `Comporta ${(await world.cli(...permissions)).json.api_key}`
    const strange = (method: string, at: string) =>
      world.request(`${path}/${at}`, { method, headers: { authorization } })
    for (const at of [id, randomUUID(), 'x'])
      for (const method of ['GET', 'DELETE'])
        expect(await strange(method, at)).toMatchObject({ status: 404, body: { code: 10004 } })
    expect(await phone.change(randomUUID(), 'suspend')).toMatchObject({ status: 404 })
    expect(await newPhone(world).change(id, 'suspend')).toMatchObject({ status: 404 })
  })
})

describe('time', () => {
  it('is known soon after a change, also after a lost notice', async () => {
    const asked = await active()
    const chaos = (method: 'POST' | 'DELETE', body?: object) =>
      world.request('/sandbox/api/chaos', {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
    await chaos('POST', { rail: 'mobile_wallet', trouble: 'down' })
    await asked.phone.change(asked.id, 'cancel')
    expect(await read(asked)).toMatchObject({ state: 'ACTIVE' })
    await chaos('DELETE')
    await world.advance('PT5M')
    expect(await read(asked)).toMatchObject({ state: 'VOIDED' })
    expect((await callbacksOf(asked, 2)).map(({ event }) => event)).toEqual(['APPROVED', 'VOIDED'])
  })

  it('ends a request without an answer for 4 minutes; approval after that is refused', async () => {
    const late = await ask()
    await world.advance('PT3M50S')
    expect(await read(late)).toMatchObject({ state: 'REQUESTED' })
    await world.advance('PT10S')
    expect(await read(late)).toMatchObject({ state: 'EXPIRED' })
    expect(await late.phone.approve(late.id)).toMatchObject({ status: 409, body: { code: 10013 } })
    expect((await callbacksOf(late, 1)).map(({ event }) => event)).toEqual(['EXPIRED'])
  })

  it('ends a mandate after its last day in Lisbon', async () => {
    const today = (await world.request('/sandbox/api/clock')).body.now.slice(0, 10)
    const asked = await active({}, { expiry_date: nextDay(today) })
    const suspended = await active({}, { expiry_date: nextDay(today) })
    await suspended.phone.change(suspended.id, 'suspend')
    await world.advance('P3D')
    expect((await callbacksOf(asked, 2)).map(({ event }) => event)).toEqual(['APPROVED', 'EXPIRED'])
    expect((await callbacksOf(suspended, 3)).map(({ event }) => event)).toEqual([
      'APPROVED',
      'SUSPENDED',
      'EXPIRED',
    ])
    expect(await read(asked)).toMatchObject({ state: 'EXPIRED' })
  })
})

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}

describe('the list of mandates', () => {
  let one: Asked
  let two: Asked
  beforeAll(async () => {
    one = await active({}, { expiry_date: '2031-05-31' })
    two = await active({ type: 'SUBSCRIPTION' }, { expiry_date: '2032-05-31' })
    await two.phone.change(two.id, 'suspend')
  })

  const list = async (query: string): Promise<Json> => (await world.shop.get(`${path}?${query}`)).body
  const ids = async (query: string): Promise<string[]> =>
    (await list(query)).elements.map(({ mandate_id }: Json) => mandate_id)

  it('shows all of them, newest first, in pages', async () => {
    const all = await list('')
    expect(all.elements.slice(0, 2).map(({ mandate_id }: Json) => mandate_id)).toEqual([two.id, one.id])
    expect(await list('limit=1&offset=1')).toMatchObject({
      total: all.total,
      elements: [{ mandate_id: one.id }],
    })
  })

  it('is narrowed by each filter', async () => {
    const encoded = encodeURIComponent(one.phone.number)
    expect(await ids(`phone=${encoded}`)).toEqual([one.id])
    expect(await ids(`phone=${one.phone.number}`)).toEqual([one.id])
    expect(await ids('status=SUSPENDED&type=SUBSCRIPTION&limit=30')).toContain(two.id)
    expect(await ids('state=suspended&limit=30')).toEqual(await ids('status=SUSPENDED&limit=30'))
    const both = await list('status=SUSPENDED&status=ACTIVE&limit=30')
    expect(new Set(both.elements.map(({ state }: Json) => state))).toEqual(new Set(['SUSPENDED', 'ACTIVE']))
    expect(await list('status=SUSPENDED&state=ACTIVE&limit=30')).toEqual(both)
    expect(await ids('start_expiry_date=2031-05-31&end_expiry_date=2031-05-31')).toEqual([one.id])
    expect(await ids('start_expiry_date=2031-06-01')).toEqual([two.id])
    const created = (await list(`phone=${encoded}`)).elements[0].creation_date
    for (const time of [created, created.replace(' ', 'T')])
      expect(await ids(`start_creation_date=${time}&end_creation_date=${time}`)).toContain(one.id)
    expect(await ids(`end_creation_date=2026-01-01`)).toEqual([])
    expect(await ids(`start_creation_date=2080-01-01T00:00:00%2B0100`)).toEqual([])
    expect((await list(`wallet_id=${world.shop.wallet_id}&wallet_id=1`)).total).toBe((await list('')).total)
    expect(await list('wallet_id=1')).toEqual({ total: 0, elements: [] })
  })

  it.each([
    ['status=OPEN', 'status must be one of REQUESTED, ACTIVE'],
    ['state=ANY', 'status must be one of'],
    ['type=TWO', 'type must be one of ONECLICK, SUBSCRIPTION'],
    ['phone=912', 'phone must be a phone number'],
    ['start_creation_date=soon', 'start_creation_date must be an ISO 8601 date'],
    ['end_creation_date=9999-12-31', 'end_creation_date must be before the year 9999'],
    ['start_expiry_date=2026-02-30', 'start_expiry_date must be'],
    ['end_expiry_date=2026-01-01&start_expiry_date=2026-01-02', 'end_expiry_date must not be before'],
    ['wallet_id=x', 'wallet_id must be the number of a wallet'],
    ['limit=1&limit=2', 'limit must be given once: records per page, 1 to 30'],
    ['type=ONECLICK&type=SUBSCRIPTION', 'type must be given once: one of ONECLICK, SUBSCRIPTION'],
    ['offset=-1', 'offset must be'],
  ])('refuses %s', async (query, reason) => {
    expect(await world.shop.get(`${path}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 10002, reason: expect.stringContaining(reason) },
    })
  })
})

// This test is the last one, because it moves the clock by months.
it('has Lisbon times, in summer too, and is found by them', async () => {
  const now = () => world.request('/sandbox/api/clock').then(({ body }) => new Date(body.now))
  const month = (await now()).getUTCMonth()
  await world.advance(`P${(18 - month) % 12 || 12}M`)
  const phone = newPhone(world)
  const before = await now()
  const { mandate_id } = (await world.shop.post(path, { name: 'Ana', phone: phone.number, type: 'ONECLICK' }))
    .body
  const { creation_date: created } = (await world.shop.get(`${path}/${mandate_id}`)).body
  expect(Date.parse(`${created.replace(' ', 'T')}+01:00`) - before.getTime()).toBeGreaterThan(-1000)
  expect(Date.parse(`${created.replace(' ', 'T')}+01:00`)).toBeLessThanOrEqual((await now()).getTime())
  const { elements } = (
    await world.shop.get(`${path}?start_creation_date=${created}&end_creation_date=${created}`)
  ).body
  expect(elements.map((one: Json) => one.mandate_id)).toContain(mandate_id)
})
