// The merchant's own account: events, balance, payouts, statement.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, statement } from '../../src/storage/index.ts'
import { openWorld } from '../gateway-here.ts'
import { ibans, type Money, moneyOf } from '../money.ts'
import { cards, type Json, type Merchant, type World } from '../world.ts'

let world: World
let money: Money
let shop: Merchant
let plain: Merchant

beforeAll(async () => {
  world = await openWorld('postgres')
  money = moneyOf(world)
  shop = world.shop
  plain = world.merchant('Plain Shop')
  await world.cli('merchant', 'set', String(shop.wallet_id), '--iban', ibans.paid)
  await world.cli('merchant', 'set', String(plain.wallet_id), '--methods', 'CC,BANK')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

async function paid(amount: number): Promise<string> {
  const checkout = await world.createCheckout({ payment: { amount, currency: 'EUR' } })
  await world.payOnPage(checkout, cards.frictionless)
  await money.callbackOf(checkout.payment.id, 'COMPLETED')
  return checkout.payment.id
}

/** Adds money to a merchant's balance, like a bank transfer. */
async function topUp(merchant: Merchant, amount: number): Promise<void> {
  const { bank_reference } = (await world.cli('balance', String(merchant.wallet_id))).json
  const { body } = await money.sandbox('bank/transfer', { reference_text: bank_reference, amount })
  expect(body).toMatchObject({ assigned: true })
}

const put = (path: string, body: unknown, merchant = shop) =>
  world.request(path, {
    method: 'PUT',
    headers: { authorization: `Comporta ${merchant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('events', () => {
  it('are read again in order, each as it was sent, from a cursor to the next', async () => {
    const ids = [await paid(10), await paid(11), await paid(12)]
    // An event can be read after all earlier transactions have ended.
    const completedNow = async (after = '') =>
      (await shop.get(`/api/v2/events${after}`)).body.events.filter(
        ({ event }: Json) => event === 'COMPLETED',
      )
    await world.eventually(async () => (await completedNow()).length === ids.length)
    const first = (await shop.get('/api/v2/events?limit=1')).body
    expect(first).toMatchObject({ events: [expect.any(Object)], more: true })
    const seen: Json[] = [...first.events]
    let next: string = first.next
    for (let more = true; more; ) {
      const { body } = await shop.get(`/api/v2/events?after=${next}&limit=2`)
      seen.push(...body.events)
      next = body.next
      more = body.more
    }
    const completed = seen.filter(({ event }) => event === 'COMPLETED')
    expect(completed.map(({ body }) => body.operation_id)).toEqual(ids)
    const [sent] = world.receiver.received('/callbacks').filter(({ body }) => body.includes(ids[1] ?? '-'))
    const again = seen.find(({ id }) => id === sent?.headers['webhook-id'])
    expect(JSON.stringify(again.body)).toBe(sent?.body)
    expect(again).toMatchObject({ kind: 'operation', event: 'COMPLETED', date: expect.any(String) })
    const delivered = async () =>
      (await shop.get('/api/v2/events')).body.events.every(
        ({ delivery }: Json) => delivery.state === 'DELIVERED' && delivery.attempts === 1,
      )
    await world.eventually(delivered)

    expect((await shop.get(`/api/v2/events?after=${next}`)).body).toEqual({ events: [], next, more: false })
    const late = await paid(13)
    await world.eventually(async () => (await completedNow(`?after=${next}`)).length === 1)
    const { body } = await shop.get(`/api/v2/events?after=${next}`)
    expect(body.events.map(({ body: { operation_id } }: Json) => operation_id)).toEqual([late])
  })

  it('of a wallet that has none answer where to begin', async () => {
    const { body } = await plain.get('/api/v2/events')
    expect(body).toEqual({ events: [], next: expect.any(String), more: false })
    expect((await plain.get(`/api/v2/events?after=${body.next}`)).body).toEqual(body)
  })

  it.each([
    ['after=nonsense', 'after must be'],
    [`after=${randomUUID()}`, 'after must be'],
    ['limit=0', 'limit must be a whole number from 1 to 100'],
  ])('refuse %s', async (query, reason) => {
    const { status, body } = await shop.get(`/api/v2/events?${query}`)
    expect([status, body.code]).toEqual([400, 10002])
    expect(body.reason).toContain(reason)
  })

  it("refuse another wallet's cursor as an unknown one", async () => {
    const { body: own } = await shop.get('/api/v2/events?limit=1')
    expect((await plain.get(`/api/v2/events?after=${own.next}`)).body).toMatchObject({
      code: 10002,
      reason: expect.stringContaining('after must be'),
    })
  })
})

describe('the balance and payouts', () => {
  it('are previewed, ordered once, listed and read', async () => {
    await topUp(shop, 500)
    const { body: before } = await shop.get('/api/v2/balance')
    expect(before).toMatchObject({ pending_payouts: 0, available: before.balance, currency: 'EUR' })
    const asked = { amount: 120.5, notes: 'November' }
    const { body: preview } = await shop.post('/api/v2/payouts', { ...asked, dry_run: true })
    const left = before.available - 120.5
    expect(preview).toMatchObject({ dry_run: true, amount: -120.5, status: 'PENDING', notes: 'November' })
    expect(preview.after.available).toBeCloseTo(left, 2)
    expect((await shop.get('/api/v2/payouts')).body.total).toBe(0)

    const request_id = randomUUID()
    const [one, other] = await Promise.all([
      shop.post('/api/v2/payouts', { ...asked, request_id }),
      shop.post('/api/v2/payouts', { ...asked, request_id }),
    ])
    expect([one.status, other.status].filter((status) => status !== 409)).toContain(200)
    const again = await shop.post('/api/v2/payouts', { ...asked, request_id })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const payout = again.body
    expect(payout).toMatchObject({
      type: 'WALLETFUNDS',
      status: 'PENDING',
      amount: -120.5,
      iban: 'PT50 •••• 0154',
      execution_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      notes: 'November',
    })
    const { body: after } = await shop.get('/api/v2/balance')
    expect(after).toMatchObject({ balance: before.balance, pending_payouts: 120.5 })
    expect(after.available).toBeCloseTo(left, 2)
    expect((await shop.get('/api/v2/payouts')).body).toMatchObject({
      total: 1,
      elements: [{ id: payout.id, iban: payout.iban }],
    })
    expect((await shop.get(`/api/v2/payouts/${payout.id}`)).body).toMatchObject({ id: payout.id })
    expect((await plain.get(`/api/v2/payouts/${payout.id}`)).status).toBe(404)
    expect((await shop.post('/api/v2/payouts', { amount: 1, request_id })).body.code).toBe(10015)
  })

  it.each([
    [{}, 400, 10001, 'amount is required'],
    [{ amount: 'ten' }, 400, 10002, 'amount must be a number'],
    [{ amount: 0 }, 400, 40009, 'amount must be at least 0.01'],
    [{ amount: 99999999 }, 409, 40015, 'amount must be at most'],
    [{ amount: 99999999, dry_run: true }, 409, 40015, 'amount must be at most'],
  ])('refuse %j', async (body, status, code, reason) => {
    const answer = await shop.post('/api/v2/payouts', body)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.reason).toContain(reason)
  })

  it('need the permission payouts, which no key has unless it is given', async () => {
    const { status, body } = await plain.post('/api/v2/payouts', { amount: 1 })
    expect([status, body.code]).toEqual([403, 20002])
    expect(body.reason).toContain('payouts')
    expect((await put('/api/v2/payouts/schedule', { frequency: 'none' }, plain)).status).toBe(403)
    expect((await plain.get('/api/v2/payouts/schedule')).body).toEqual({
      frequency: 'none',
      minimum: 0.01,
      keep: 0,
      runs: [],
    })
  })

  it('of a wallet without an IBAN say so', async () => {
    const { json } = await world.cli('key', 'create', String(plain.wallet_id), '--permissions', 'payouts')
    const answer = await plain.post(
      '/api/v2/payouts',
      { amount: 1 },
      { authorization: `Comporta ${json.api_key}` },
    )
    expect([answer.status, answer.body.code]).toEqual([409, 10013])
    expect(answer.body.reason).toContain('has no IBAN')
  })
})

describe('a payout schedule', () => {
  const runs = async () => (await shop.get('/api/v2/payouts/schedule')).body.runs as Json[]

  it.each([
    [{}, 10001, 'frequency'],
    [{ frequency: 'hourly' }, 10002, 'frequency'],
    [{ frequency: 'weekly' }, 10001, 'day is required'],
    [{ frequency: 'weekly', day: 6 }, 10002, 'day must be the day of the week'],
    [{ frequency: 'daily', minimum: 0 }, 40009, 'minimum must be at least 0.01'],
    [{ frequency: 'daily', keep: -1 }, 40009, 'keep must be at least 0'],
  ])('refuses %j', async (body, code, reason) => {
    const answer = await put('/api/v2/payouts/schedule', body)
    expect(answer.body).toMatchObject({ code, reason: expect.stringContaining(reason) })
  })

  it('pays out once on each day that is due, however far the clock jumps, and keeps what is to stay', async () => {
    const { body } = await put('/api/v2/payouts/schedule', { frequency: 'daily', minimum: '50', keep: 100 })
    expect(body).toMatchObject({ frequency: 'daily', minimum: 50, keep: 100, next: expect.any(String) })
    const { available } = (await shop.get('/api/v2/balance')).body
    expect(available).toBeGreaterThan(150)
    await world.advance('P9D')
    const [ordered, ...earlier] = await runs()
    expect(earlier).toEqual([])
    expect(ordered).toMatchObject({ day: body.next, outcome: 'ordered' })
    expect(ordered?.amount).toBeCloseTo(available - 100, 2)
    const payout = (await shop.get(`/api/v2/payouts/${ordered?.operation_id}`)).body
    expect(payout).toMatchObject({ channel: 'SCHEDULE', amount: -ordered?.amount })
    expect((await shop.get('/api/v2/balance')).body.available).toBe(100)
  })

  it('skips a day with the reason and continues with the next', async () => {
    await world.advance('P7D')
    const [skipped] = await runs()
    expect(skipped).toMatchObject({ outcome: 'skipped', reason: 'below_minimum' })
    await topUp(shop, 75)
    await world.advance('P7D')
    expect((await runs())[0]).toMatchObject({ outcome: 'ordered', amount: 75 })
    const { body } = await put('/api/v2/payouts/schedule', { frequency: 'none' })
    expect(body).not.toHaveProperty('next')
    await topUp(shop, 75)
    const before = (await runs()).length
    await world.advance('P7D')
    expect(await runs()).toHaveLength(before)
  })
})

describe('the statement', () => {
  const today = async () => (await world.request('/sandbox/api/clock')).body.now.slice(0, 10)

  it('adds up to the balance, with income by method, fees, refunds and payouts', async () => {
    // Payouts are not in the sum.
    await world.advance('P7D')
    const id = await paid(40)
    await shop.post(`/api/v2/operations/${id}/refund`, { amount: 15 })
    const { body } = await shop.get(`/api/v2/statement?startdate=${await today()}`)
    const { body: account } = await shop.get('/api/v2/balance')
    expect(body).toMatchObject({
      payments: { CC: 40 },
      fees: -0.55,
      refunds: -15,
      payouts: 0,
      currency: 'EUR',
    })
    expect(body.closing).toBe(account.balance)
    expect(body.closing).toBeCloseTo(body.opening + 40 - 0.55 - 15, 2)
    const [day] = body.days
    expect(day).toMatchObject({ day: await today(), closing: account.balance, entries: 2 })

    const { body: page } = await shop.get(`/api/v2/statement/${day.day}?limit=1`)
    expect(page).toMatchObject({
      elements: [
        { kind: 'payment', method: 'CC', operation_id: id, amount: 40, fee: -0.55, amount_net: 39.45 },
      ],
      next: expect.any(String),
    })
    const { body: rest } = await shop.get(`/api/v2/statement/${day.day}?after=${page.next}`)
    expect(rest.elements).toMatchObject([{ kind: 'refund', amount: -15, fee: 0 }])
    expect(rest).not.toHaveProperty('next')
    expect((await plain.get(`/api/v2/statement/${day.day}`)).body.elements).toEqual([])
  })

  it('is a CSV file, whose last balance is the closing one', async () => {
    const { headers, text } = await shop.get(`/api/v2/statement.csv?startdate=${await today()}`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toContain('attachment')
    const lines = text.trim().split('\r\n')
    expect(lines[0]).toContain('date,kind,method,operation_id')
    expect(lines).toHaveLength(3)
    const { balance } = (await shop.get('/api/v2/balance')).body
    expect(Number(lines.at(-1)?.split(',').at(-1))).toBe(balance)
  })

  it('is a CSV file as spreadsheets in Portuguese read it, if asked so', async () => {
    const path = `/api/v2/statement.csv?startdate=${await today()}`
    const { text: usual } = await shop.get(path)
    expect((await shop.get(`${path}&separator=comma`)).text).toBe(usual)
    const { text, status } = await shop.get(`${path}&separator=Semicolon`)
    expect(status).toBe(200)
    const cells = (file: string, sign: string) =>
      file
        .trim()
        .split('\r\n')
        .map((line) => line.split(sign))
    const amounts = (line: string[]) => line.slice(-4)
    expect(cells(text, ';').slice(1).map(amounts)).toEqual(
      cells(usual, ',')
        .slice(1)
        .map((line) => amounts(line).map((amount) => amount.replace('.', ','))),
    )
    expect(text.split('\r\n')[0]).toBe(usual.split('\r\n')[0]?.replaceAll(',', ';'))
    const refused = await shop.get(`${path}&separator=tab`)
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 10002, reason: 'separator must be comma or semicolon' },
    })
  })

  it('is refused while years of postings are added up, as after an upgrade', async () => {
    const path = `/api/v2/statement/${await today()}`
    const { body: before } = await shop.get(path)
    const database = openPostgres({ url: world.databaseUrl as string })
    await database.run(leaveOutNumbers)
    await database.close()
    for (const asked of [path, '/api/v2/statement', '/api/v2/statement.csv', '/api/v2/fees']) {
      const { status, headers, body } = await shop.get(asked)
      expect(status, asked).toBe(503)
      expect(body).toMatchObject({ code: 20008, reason: expect.stringContaining('is not ready') })
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(5)
    }
    await world.advance('PT1S')
    await world.eventually(async () => (await shop.get(path)).status === 200)
    expect((await shop.get(path)).body).toEqual(before)
  })

  it('has the fees of each month and method', async () => {
    const day = await today()
    const { body } = await shop.get(`/api/v2/fees?startdate=${day}&enddate=${day}`)
    expect(body.elements).toEqual([
      { month: day.slice(0, 7), method: 'CC', payments: 1, volume: 40, fees: -0.55 },
    ])
  })

  it.each([
    ['statement?startdate=soon', 'startdate must be a day'],
    ['statement?startdate=2026-03-02&enddate=2026-03-01', 'enddate must not be before startdate'],
    ['statement?startdate=2024-01-01&enddate=2026-01-01', 'a year at a time'],
    ['statement.csv?enddate=never', 'enddate must be a day'],
    ['statement/yesterday', 'day must be a day'],
    ['statement/2026-03-01?after=x', 'after must be the value of next'],
    ['statement/2026-03-01?limit=0', 'limit must be a whole number'],
    ['fees?startdate=2026-02-30', 'startdate must be a day'],
  ])('refuses %s', async (path, reason) => {
    const { status, body } = await shop.get(`/api/v2/${path}`)
    expect([status, body.code]).toEqual([400, 10002])
    expect(body.reason).toContain(reason)
  })
})

const leaveOutNumbers = statement(
  `select setval('postings_id_seq', last_value + 300000) from postings_id_seq`,
)
