// Authorizations (SPEC.md "Authorizations").
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizing, followUpsDeclined, followUpsSilentThenDeclined } from '../authorizing.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
let token: string
const { storeCard, authorize, accept, capture, release, read } = authorizing(() => world)

beforeAll(async () => {
  world = await openWorld()
  token = await storeCard()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const refused = (status: number, code: number, reason = '') => ({
  status,
  body: { code, reason: expect.stringContaining(reason) },
})

/** A month after an authorization, without a clock change or a short month. */
function monthAfter(date: string): string {
  const moment = new Date(date.replace('+0000', 'Z'))
  const local = new Date(moment.toLocaleString('sv-SE', { timeZone: 'Europe/Lisbon' }).replace(' ', 'T'))
  const day = local.getDate()
  local.setMonth(local.getMonth() + 1, 1)
  const last = new Date(local.getFullYear(), local.getMonth() + 1, 0).getDate()
  local.setDate(Math.min(day, last))
  return local.toLocaleString('sv-SE').replace(' ', 'T')
}

const inLisbon = (date: string) =>
  new Date(date.replace('+0000', 'Z'))
    .toLocaleString('sv-SE', { timeZone: 'Europe/Lisbon' })
    .replace(' ', 'T')

const callbackOf = async (id: string): Promise<Json> => {
  const callback = await world.eventually(async () =>
    world.receiver.received().find(({ body }) => body.includes(`"operation_id":"${id}"`)),
  )
  return JSON.parse(callback.body)
}

describe('an authorization', () => {
  it('is accepted on the hosted page: no money moves, and it is captured until a month after its date', async () => {
    const made = await world.createCheckout({
      payment: undefined,
      authorization: { amount: 25, currency: 'EUR', ext_invoiceid: 'A-1', notes: 'Room 12' },
    })
    expect(made.authorization).toMatchObject({ type: 'AUTH', status: 'NEW', amount: 25, notes: 'Room 12' })
    const { id } = made.authorization
    expect(await capture(id)).toMatchObject(refused(409, 10013, 'must be accepted first'))
    expect(await release(id)).toMatchObject(refused(409, 10013, 'must be accepted first'))
    await world.payOnPage(made, cards.frictionless)

    const accepted = await read(id)
    expect(accepted).toMatchObject({
      type: 'AUTH',
      status: 'COMPLETED',
      fee: 0,
      amount_net: 25,
      refundable: false,
    })
    expect(accepted).toMatchObject({ captures: [], releases: [], card: { last4: '0027' } })
    expect(inLisbon(accepted.expires)).toBe(monthAfter(accepted.date))
    const { body: checkout } = await world.shop.get(`/api/v2/checkout/${made.id}`)
    expect(checkout).not.toHaveProperty('payment')
    expect(checkout.authorization).toMatchObject({ id, status: 'COMPLETED', expires: accepted.expires })
    expect(await callbackOf(id)).toMatchObject({
      type: 'AUTH',
      event: 'COMPLETED',
      checkout_id: made.id,
      amount: 25,
    })
  })

  it('takes its expiry as until when it can be accepted, at most its month', async () => {
    const now = Date.parse((await world.request('/sandbox/api/clock')).body.now)
    const asked = (days: number) => ({
      payment: undefined,
      authorization: {
        amount: 25,
        currency: 'EUR',
        expires: new Date(now + days * 86_400_000).toISOString().replace(/\.\d+Z$/, '+0000'),
      },
    })
    const soon = asked(2)
    expect((await world.createCheckout(soon)).authorization.expires).toBe(soon.authorization.expires)
    const { date, expires } = (await world.createCheckout(asked(400))).authorization
    const days = (Date.parse(expires) - Date.parse(date)) / 86_400_000
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(32)
  })

  it('that is instant is accepted within a day: it names its end, and has no start', async () => {
    const now = Date.parse((await world.request('/sandbox/api/clock')).body.now)
    const inHours = (hours: number) =>
      new Date(now + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, '+0000')
    const asked = (change: object) => ({
      authorization: { amount: 25, currency: 'EUR', instant: true, ...change },
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    })
    const made = await world.shop.post('/api/v2/checkout', asked({ expires: inHours(2) }))
    expect(made).toMatchObject({
      status: 200,
      body: { authorization: { type: 'AUTH', instant: true, expires: inHours(2) } },
    })
    for (const [change, code, reason] of [
      [{}, 10001, 'authorization.expires is required with instant'],
      [{ expires: inHours(25) }, 10002, 'authorization.expires must be less than a day ahead with instant'],
      [{ expires: inHours(-1) }, 10002, 'authorization.expires must be in the future'],
      [{ expires: inHours(3), starts: inHours(2) }, 10002, 'authorization.starts must be left out'],
      [{ expires: inHours(3), instant: 'soon' }, 10002, 'instant'],
    ] as const) {
      expect(await world.shop.post('/api/v2/checkout', asked(change))).toMatchObject(
        refused(400, code, reason),
      )
    }
    const token = await storeCard()
    expect(await authorize(token, 5, { instant: true })).toMatchObject({ type: 'AUTH', instant: true })
    await expect(authorize(token, 5, { instant: 'soon' })).rejects.toThrow('instant')
    await world.payOnPage(made.body, cards.frictionless)
    expect(await capture(made.body.authorization.id)).toMatchObject({ status: 200, body: { amount: 25 } })
  })

  it('that was declined takes neither capture nor release', async () => {
    const { id, status } = await accept({}, cards.declined)
    expect(status).toBe('PENDING')
    expect(await capture(id)).toMatchObject(refused(409, 10013, 'accepted first'))
    await expect(authorize(await storeCard(cards.declined.number), 5)).rejects.toThrow('30007')
    const { body } = await world.shop.get('/api/v2/authorizations?number4=0002')
    const failed = body.elements.find((one: Json) => one.status === 'FAIL')
    expect(await release(failed.id)).toMatchObject(refused(409, 10013, 'is FAIL'))
  })
})

describe('capturing', () => {
  it('takes parts, each with its fee, and without an amount all that remains', async () => {
    const { id, expires } = await accept()
    const references = {
      ext_invoiceid: 'C-1',
      ext_email: 'a@b.pt',
      ext_customerid: 'K',
      ext_employee: 'E',
      notes: 'N',
    }
    const first = await capture(id, { amount: '4.00', ...references })
    expect(first).toMatchObject({ status: 200, body: { type: 'CAPTURE', status: 'COMPLETED', amount: 4 } })
    expect(first.body).toMatchObject({ fee: -0.19, amount_net: 3.81, parent: id, expires, ...references })
    expect(first.body).toMatchObject({ refundable: true, method: 'CC', card: { last4: '0027' } })
    expect(await world.operation(first.body.id)).toEqual(first.body)
    const rest = await capture(id)
    expect(rest).toMatchObject({ status: 200, body: { amount: 6, fee: -0.21 } })
    expect(await read(id)).toMatchObject({
      captures: [first.body, rest.body],
      releases: [],
      amount: 10,
      fee: 0,
    })
    expect(await capture(id)).toMatchObject(refused(409, 40015, 'nothing'))
    expect(await capture(id, { amount: 0.2 })).toMatchObject(refused(409, 40015, 'at most 0.00'))
    expect(await release(id)).toMatchObject(refused(409, 10013, 'after a capture'))
  })

  it.each([
    ['nothing at all', undefined, 7],
    ['an empty object', {}, 7],
    ['fields that are not known', { colour: 'blue' }, 7],
    ['null as nothing', { amount: null }, 7],
    ['a number in quotes', { amount: '0.20' }, 0.2],
    ['an exponent', '{"amount": 5e-1}', 0.5],
  ])('reads %s', async (_, body, amount) => {
    const { id } = await authorize(token, 7)
    expect(await capture(id, body)).toMatchObject({ status: 200, body: { amount } })
  })

  it.each<[string, unknown, number, number, string]>([
    ['less than 0.20', { amount: 0.19 }, 400, 40009, 'amount must be at least 0.20'],
    ['nothing', { amount: 0 }, 400, 40009, 'amount must be at least 0.20'],
    ['less than nothing', { amount: -1 }, 400, 40009, 'amount must be at least 0.20'],
    ['three decimals', { amount: 1.005 }, 400, 10002, 'amount must have at most 2 decimals'],
    ['a word', { amount: 'all' }, 400, 10002, 'amount must be a number'],
    ['a list', [1], 400, 10002, 'the body must be an object'],
    ['more than was authorized', { amount: 7.01 }, 409, 40015, 'amount must be at most 7.00'],
    ['a long invoice', { ext_invoiceid: 'x'.repeat(46) }, 400, 10002, 'ext_invoiceid must be at most 45'],
    ['a long customer', { ext_customerid: 'x'.repeat(46) }, 400, 10002, 'ext_customerid must be at most 45'],
    ['a long employee', { ext_employee: 'x'.repeat(46) }, 400, 10002, 'ext_employee must be at most 45'],
    ['a long e-mail', { ext_email: 'x'.repeat(101) }, 400, 10002, 'ext_email must be at most 100'],
    ['long notes', { notes: 'x'.repeat(256) }, 400, 10002, 'notes must be at most 255'],
    ['an invalid request id', { request_id: 'x' }, 400, 10002, 'request_id must be a UUID'],
  ])('refuses %s, as a release does', async (_, body, status, code, reason) => {
    const { id } = await authorize(token, 7)
    expect(await capture(id, body)).toMatchObject(refused(status, code, reason))
    expect(await release(id, body)).toMatchObject(refused(status, code, reason))
    expect(await read(id)).toMatchObject({ captures: [], releases: [] })
  })

  it('answers what it would take and book, and does nothing, on a dry run', async () => {
    const { id } = await accept({ amount: 25 })
    const dry = await capture(id, { amount: 10, dry_run: true })
    expect(dry).toMatchObject({
      status: 200,
      body: { type: 'CAPTURE', status: 'PENDING', amount: 10, amount_net: 9.75, parent: id, dry_run: true },
    })
    expect(dry.body.calculation).toEqual({ amount: '10.00', fee: '0.25', net: '9.75', remaining: '15.00' })
    expect(dry.body.postings).toEqual([
      { debit: { account: 'clearing:CC' }, credit: { account: 'merchant' }, amount: 9.75 },
      { debit: { account: 'clearing:CC' }, credit: { account: 'fees' }, amount: 0.25 },
    ])
    const released = await world.shop.post(`/api/v2/authorizations/${id}/release?dry_run=true`, {})
    expect(released.body).toMatchObject({ type: 'RELEASE', amount: 25, dry_run: true, postings: [] })
    expect(released.body.calculation).toEqual({ amount: '25.00', remaining: '0.00' })
    expect(await capture(id, { amount: 26, dry_run: true })).toMatchObject({ status: 409 })
    expect(await read(id)).toMatchObject({ captures: [], releases: [] })
    expect((await capture(id, { amount: 25, dry_run: false })).body).toMatchObject({ amount: 25 })
  })

  it('happens at most 10 times', async () => {
    const { id } = await authorize(token, 20)
    for (let n = 1; n <= 10; n++) {
      expect(await capture(id, { amount: 1 })).toMatchObject({ status: 200 })
    }
    expect(await capture(id, { amount: 1 })).toMatchObject(refused(409, 40019, 'at most 10 captures'))
    expect(await capture(id)).toMatchObject(refused(409, 40019))
    expect((await read(id)).captures).toHaveLength(10)
  })

  it('that the acquirer declines fails, gives its amount back, and does not count', async () => {
    const { id } = await authorize(await storeCard(followUpsDeclined), 5)
    const declined = await capture(id, { amount: 5 })
    expect(declined).toMatchObject({ status: 402, body: { code: 30007, operation_id: expect.any(String) } })
    const { operation_id: failed } = declined.body
    expect(await world.operation(failed)).toMatchObject({
      type: 'CAPTURE',
      status: 'FAIL',
      fee: 0,
      parent: id,
    })
    expect(await callbackOf(failed)).toMatchObject({
      event: 'FAIL',
      error: 'do_not_honour',
      parent_operation_id: id,
    })
    expect(await read(id)).toMatchObject({ captures: [], releases: [] })
    // The whole amount is free again, and no capture prevents a release.
    expect(await release(id)).toMatchObject({ status: 402, body: { code: 30007 } })
    expect(await capture(id)).toMatchObject({ status: 402 })
  })
})

describe('releasing', () => {
  it('gives parts back; captures take what is left; then nothing is released any more', async () => {
    const { id, expires } = await authorize(token, 10)
    const first = await release(id, { amount: 3, notes: 'Minibar' })
    expect(first).toMatchObject({
      status: 200,
      body: { type: 'RELEASE', status: 'COMPLETED', amount: 3, parent: id },
    })
    expect(first.body).toMatchObject({ fee: 0, amount_net: 3, refundable: false, expires, notes: 'Minibar' })
    expect(await release(id, { amount: 7.01 })).toMatchObject(refused(409, 40015, 'at most 7.00'))
    const second = await release(id, { amount: 2 })
    expect(await capture(id, { amount: 5.01 })).toMatchObject(refused(409, 40015, 'at most 5.00'))
    const rest = await capture(id)
    expect(rest).toMatchObject({ status: 200, body: { amount: 5 } })
    expect(await release(id, { amount: 1 })).toMatchObject(refused(409, 10013, 'after a capture'))
    expect(await read(id)).toMatchObject({ releases: [first.body, second.body], captures: [rest.body] })
  })

  it('of the whole leaves nothing to capture', async () => {
    const { id } = await authorize(token, 10)
    await release(id, { amount: 4 })
    expect(await release(id)).toMatchObject({ status: 200, body: { amount: 6 } })
    expect(await capture(id)).toMatchObject(refused(409, 10013, 'the authorization was released'))
    expect(await capture(id, { amount: 1 })).toMatchObject(
      refused(409, 10013, 'the authorization was released'),
    )
    expect(await release(id, { amount: 1 })).toMatchObject(refused(409, 40015, 'at most 0.00'))
  })
})

describe('an id that is not an authorization of the wallet', () => {
  it('is not found', async () => {
    const { id } = await authorize(token, 10)
    const taken = await capture(id, { amount: 1 })
    const checkout = await world.createCheckout()
    for (const other of [randomUUID(), 'x', taken.body.id, checkout.payment.id]) {
      for (const verb of [capture, release]) expect(await verb(other)).toMatchObject(refused(404, 10004))
      expect(await world.shop.get(`/api/v2/authorizations/${other}`)).toMatchObject(refused(404, 10004))
    }
    const stranger = world.merchant('Plain Shop')
    expect(await stranger.post(`/api/v2/authorizations/${id}/capture`)).toMatchObject(refused(404, 10004))
    expect(await stranger.post(`/api/v2/authorizations/${id}/release`)).toMatchObject(refused(404, 10004))
    expect(await stranger.get(`/api/v2/authorizations/${id}`)).toMatchObject(refused(404, 10004))
    expect((await stranger.get('/api/v2/authorizations')).body).toEqual({ total: 0, elements: [] })
    expect(await capture(id.toUpperCase(), { amount: 1 })).toMatchObject({ status: 200 })
  })
})

describe('a request id', () => {
  it('captures once and is answered alike, also after all was taken', async () => {
    const { id } = await authorize(token, 10)
    const body = { amount: 6, request_id: randomUUID() }
    const first = await capture(id, body)
    await capture(id)
    const again = await capture(id, body)
    expect(again).toMatchObject({ status: 200, text: first.text })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await capture(id, { ...body, amount: 1 })).toMatchObject(refused(422, 10015))
    expect((await read(id)).captures).toHaveLength(2)
    const request = await world.shop.get(`/api/v2/requests/${body.request_id}`)
    const href = `${world.baseUrl}/api/v2/operations/${first.body.id}`
    expect(request.body).toMatchObject({ status: 'COMPLETED', href })
  })

  it('counts as the same where fields are null, and the id is in upper case', async () => {
    const { id } = await authorize(token, 10)
    const body = { amount: 1, request_id: randomUUID() }
    const { text } = await capture(id, body)
    expect(await capture(id, { ...body, notes: null, ext_email: null })).toMatchObject({ status: 200, text })
    expect(await capture(id.toUpperCase(), body)).toMatchObject({ status: 200, text })
    expect(await capture(id, { ...body, notes: 'x' })).toMatchObject(refused(422, 10015))
  })

  it('of a refused capture is free again; of a declined one it is not', async () => {
    const { id } = await authorize(token, 10)
    const key = { 'idempotency-key': randomUUID() }
    expect(await capture(id, { amount: 11 }, key)).toMatchObject(refused(409, 40015))
    expect(await capture(id, { amount: 9 }, key)).toMatchObject({ status: 200 })
    const declining = await authorize(await storeCard(followUpsDeclined), 5)
    const declined = await capture(declining.id, {}, { 'idempotency-key': randomUUID() })
    expect(declined.status).toBe(402)
    const body = { request_id: randomUUID() }
    const first = await release(declining.id, body)
    expect(await release(declining.id, body)).toMatchObject({ status: 402, text: first.text })
  })
})

describe('an acquirer that does not answer', () => {
  it('leaves captures and releases PENDING until it answers', async () => {
    const silent = await accept({ amount: 8 }, cards.silentThenApproved)
    await world.advance('PT30S')
    const declining = await authorize(await storeCard(followUpsSilentThenDeclined), 8)
    const [taken, given] = await Promise.all([
      capture(silent.id, { amount: 3 }),
      release(declining.id, { amount: 3 }),
    ])
    expect(taken).toMatchObject({ status: 200, body: { status: 'PENDING', amount: 3, fee: 0 } })
    expect(given).toMatchObject({ status: 200, body: { status: 'PENDING', amount: 3 } })
    // A capture in progress reserves its amount.
    expect(await capture(silent.id, { amount: 5.01 })).toMatchObject(refused(409, 40015, 'at most 5.00'))
    expect(await release(silent.id, { amount: 1 })).toMatchObject(refused(409, 10013, 'after a capture'))
    await world.advance('PT1M')
    expect(await world.operation(taken.body.id)).toMatchObject({ status: 'COMPLETED', fee: -0.18 })
    expect(await callbackOf(taken.body.id)).toMatchObject({ type: 'CAPTURE', event: 'COMPLETED', amount: 3 })
    expect(await world.operation(given.body.id)).toMatchObject({ status: 'FAIL' })
    expect(await callbackOf(given.body.id)).toMatchObject({ type: 'RELEASE', event: 'FAIL' })
    expect(await read(declining.id)).toMatchObject({ releases: [] })
  })
})

describe('lists', () => {
  it('are narrowed by every filter, newest first, each with its captures and releases', async () => {
    const ext_invoiceid = `L-${randomUUID()}`
    const first = await authorize(token, 3, { ext_invoiceid })
    const second = await authorize(token, 4, { ext_invoiceid })
    const released = await release(first.id, { amount: 1 })
    const captured = await capture(first.id, { amount: 2 })
    const list = async (query: string) => (await world.shop.get(`/api/v2/authorizations?${query}`)).body
    const ids = async (query: string) => (await list(query)).elements.map(({ id }: Json) => id)

    const both = await list(`ext_invoiceid=${ext_invoiceid}`)
    expect(both.total).toBe(2)
    expect(both.elements.map(({ id }: Json) => id)).toEqual([second.id, first.id])
    expect(both.elements[0]).toEqual(await read(second.id))
    expect(both.elements[1]).toMatchObject({ captures: [captured.body], releases: [released.body] })
    expect(both.elements[1]).toEqual(await read(first.id))
    expect(await ids(`ext_invoiceid=${ext_invoiceid}&limit=1&offset=1`)).toEqual([first.id])
    expect(await ids(`id=${first.id}`)).toEqual([first.id])
    expect(await list(`id=${captured.body.id}`)).toEqual({ total: 0, elements: [] })
    expect(await ids(`ext_invoiceid=${ext_invoiceid}&method=cc&number4=0027`)).toHaveLength(2)
    expect(await ids(`ext_invoiceid=${ext_invoiceid}&number4=0068`)).toEqual([])
    expect(await ids(`ext_invoiceid=${ext_invoiceid}&method=MBWAY`)).toEqual([])
    const day = inLisbon(first.date).slice(0, 10)
    expect(await ids(`ext_invoiceid=${ext_invoiceid}&startdate=${day}&enddate=${day}`)).toContain(first.id)
    expect(await ids(`ext_invoiceid=${ext_invoiceid}&startdate=2099-01-01`)).toEqual([])
    expect(await ids(`ext_invoiceid=${ext_invoiceid}&enddate=2020-01-01`)).toEqual([])
    expect((await list('limit=30')).elements.every(({ type }: Json) => type === 'AUTH')).toBe(true)
  })

  it('hold the newest 30 releases; one that is read has all, and the list of operations pages through them', async () => {
    const ext_invoiceid = `M-${randomUUID()}`
    const { id } = await authorize(token, 20, { ext_invoiceid })
    await authorize(token, 20)
    const released: string[] = []
    for (let count = 0; count < 33; count++) released.push((await release(id, { amount: 0.2 })).body.id)
    const captured = await capture(id, { amount: 1 })
    const idsOf = (operations: Json[]) => operations.map((operation) => operation.id)

    const shown = await read(id)
    expect(idsOf(shown.releases)).toEqual(released)
    expect(shown.captures).toEqual([captured.body])
    const list = await world.shop.get(`/api/v2/authorizations?ext_invoiceid=${ext_invoiceid}`)
    const inList = { ...shown, releases: shown.releases.slice(-30) }
    expect(list.body).toEqual({ total: 1, elements: [inList] })
    expect((await world.shop.get(`/api/v2/operations/${id}`)).body).toEqual(shown)

    const page = async (query: string) =>
      (await world.shop.get(`/api/v2/operations?parent=${id}${query}`)).body
    const newestFirst = released.toReversed()
    const first = await page('&type=RELEASE&limit=30')
    expect(first.total).toBe(33)
    expect(idsOf(first.elements)).toEqual(newestFirst.slice(0, 30))
    expect(idsOf((await page('&type=RELEASE&limit=30&offset=1')).elements)).toEqual(newestFirst.slice(30))
    expect((await page('')).total).toBe(34)
    const stranger = world.merchant('Plain Shop')
    expect((await stranger.get(`/api/v2/operations?parent=${id}`)).body.total).toBe(0)
  })

  it.each([
    'limit=0',
    'offset=-1',
    'id=x',
    'method=CASH',
    'number4=27x',
    'startdate=01-01-2026',
    'startdate=2026-02-02&enddate=2026-02-01',
    'phone=912000777&phone=912000778',
    'method=MB&phone=912000777',
  ])('refuse %s', async (query) => {
    expect(await world.shop.get(`/api/v2/authorizations?${query}`)).toMatchObject(refused(400, 10002))
  })

  it.each(['type=AUTH&type=CAPTURE', 'mb_ref=123456789&mb_ref=1'])('ignore %s, and say so', async (query) => {
    const answer = await world.shop.get(`/api/v2/authorizations?${query}`)
    expect(answer).toMatchObject({ status: 200, body: { total: expect.any(Number) } })
    expect(answer.headers.get('warning')).toContain('is not read')
  })
})

it('captures and releases are reported, with checkout and parent', async () => {
  const made = await accept({ amount: 10 })
  const { checkout_id } = await callbackOf(made.id)
  const given = await release(made.id, { amount: 1, ext_invoiceid: 'R-1' })
  const taken = await capture(made.id, { amount: 2, ext_customerid: 'K-1' })
  const shared = {
    event: 'COMPLETED',
    operation_status: 'COMPLETED',
    checkout_id,
    parent_operation_id: made.id,
  }
  expect(await callbackOf(given.body.id)).toMatchObject({
    ...shared,
    type: 'RELEASE',
    amount: 1,
    ext_invoiceid: 'R-1',
  })
  expect(await callbackOf(taken.body.id)).toMatchObject({
    ...shared,
    type: 'CAPTURE',
    amount: 2,
    ext_customerid: 'K-1',
  })
  const direct = await authorize(token, 5)
  const callback = await callbackOf((await capture(direct.id)).body.id)
  expect(callback).toMatchObject({ type: 'CAPTURE', parent_operation_id: direct.id })
  expect(callback).not.toHaveProperty('checkout_id')
})

it('of a phone is captured and released at its network, as one on a card', async () => {
  const phone = '+351912000777'
  const asked = await world.shop.post('/api/v2/payment', {
    method: 'MBWAY',
    type: 'AUTH',
    amount: 10,
    currency: 'EUR',
    mbway: { phone },
  })
  expect(asked).toMatchObject({ status: 200, body: { type: 'AUTH', status: 'PENDING' } })
  const { id } = asked.body
  expect(await capture(id)).toMatchObject(refused(409, 10013, 'accepted first'))
  const listed = await world.shop.get('/api/v2/authorizations?phone=912000777')
  expect(listed.body).toMatchObject({ total: 1, elements: [{ id, mbway: { phone } }] })
  expect(listed.headers.get('warning')).toBeNull()
  const path = `/sandbox/api/phones/${encodeURIComponent(phone)}`
  const { requests } = (await world.request(path)).body
  await world.request(`${path}/requests/${requests[0].id}/approve`, { method: 'POST' })
  await world.eventually(async () => (await read(id)).status === 'COMPLETED')
  expect(await release(id, { amount: 2 })).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
  const taken = await capture(id, { amount: 3 })
  expect(taken).toMatchObject({ status: 200, body: { status: 'COMPLETED', method: 'MBWAY', fee: -0.05 } })
  expect(await capture(id, { amount: 5.01 })).toMatchObject(refused(409, 40015))
  expect((await read(id)).captures).toEqual([taken.body])
})

// This test is the last one, because it moves the clock by more than a month.
it('lapses at the end of its month: the rest is released, and captures stay', async () => {
  const { id, expires } = await authorize(token, 10)
  const whole = await authorize(token, 10)
  await release(id, { amount: 1 })
  const taken = await capture(id, { amount: 2 })
  const now = Date.parse((await world.request('/sandbox/api/clock')).body.now)
  const end = Date.parse(expires.replace('+0000', 'Z'))
  await world.advance(`PT${Math.floor((end - now) / 1000) - 30}S`)
  expect(await capture(id, { amount: 3 })).toMatchObject({ status: 200, body: { expires } })
  await world.advance('PT31S')
  expect(await capture(id)).toMatchObject(refused(409, 10013, 'month of the authorization is over'))
  expect(await release(whole.id)).toMatchObject(refused(409, 10013, 'month of the authorization is over'))
  await world.advance('PT2M')
  expect(await capture(id)).toMatchObject(refused(409, 10013, 'month of the authorization is over'))
  const lapsed = await read(id)
  expect(lapsed).toMatchObject({ status: 'COMPLETED', amount: 10, expires })
  expect(lapsed.captures).toHaveLength(2)
  expect(lapsed.releases).toHaveLength(1)
  expect(await world.operation(taken.body.id)).toMatchObject({ status: 'COMPLETED', refundable: true })
})
