// Subscriptions that charge themselves, as a merchant sees them, under the moved clock.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { moneyOf } from '../money.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, type TestCard, type World } from '../world.ts'

let world: World
let subscribers: Subscribers
beforeAll(async () => {
  world = await openWorld('postgres')
  subscribers = subscribersOf(world)
  await moveTo('2027-01-20T10:00:00Z')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

async function moveTo(moment: string): Promise<void> {
  const answer = await world.request('/sandbox/api/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ set: moment }),
  })
  expect(answer.status, answer.text).toBe(200)
}

const lisbon = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Lisbon',
  dateStyle: 'short',
  timeStyle: 'short',
})

/** Charges, oldest first, as `day hour number attempt status`. */
async function chargesOf(id: string): Promise<Json[]> {
  const elements: Json[] = []
  for (let offset = 0; ; offset++) {
    const { body } = await world.shop.get(`/api/v2/subscriptions/${id}/charge?limit=30&offset=${offset}`)
    elements.push(...body.elements.map((element: Json) => element.charge_order))
    if (elements.length >= body.total || body.elements.length === 0) return elements.toReversed()
  }
}

const madeAt = (charge: Json) => lisbon.format(new Date(charge.date))

async function linesOf(id: string): Promise<string[]> {
  return (await chargesOf(id)).map((charge) => {
    const { number, attempt } = charge.auto_charge ?? {}
    return `${madeAt(charge)} ${number}.${attempt} ${charge.status}`
  })
}

async function subscribed(
  autoCharge: object,
  change: object = {},
  card: TestCard = cards.frictionless,
): Promise<string> {
  return (await subscribers.accepted({ auto_charge: autoCharge, ...change }, card)).id
}

const autoChargeOf = async (id: string): Promise<Json> => (await subscribers.read(id)).auto_charge

function patch(id: string, autoCharge: unknown): Promise<Answer> {
  const headers = { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ auto_charge: autoCharge })
  return world.request(`/api/v2/subscriptions/${id}`, { method: 'PATCH', headers, body })
}

const own = () => ({ authorization: `Comporta ${world.shop.api_key}` })

/** The callback of a charge with this number and attempt. */
async function callbackOf(id: string, event: string, number: number, attempt: number): Promise<Json> {
  const callback = await world.eventually(async () =>
    world.receiver
      .received('/callbacks')
      .map(({ body }) => JSON.parse(body))
      .find(
        (payload) =>
          payload.subscription_id === id &&
          payload.event === event &&
          payload.auto_charge?.number === number &&
          payload.auto_charge.attempt === attempt,
      ),
  )
  expect((await world.shop.post('/api/v2/callback/verify', callback)).text).toBe('true')
  return callback
}

it('a charge is made at 08:00 on the start date, numbered and reported, and not before', async () => {
  const terms = { amount: 9.99, ext_invoiceid: 'CLUB', items: [{ name: 'Coffee', qt: 1 }], max_charges: 2 }
  const checkout = await subscribers.checkout({ start_date: '2027-01-22', auto_charge: terms })
  expect(checkout.subscription.auto_charge).toEqual({
    ...{ status: 'NEW', ...terms, retries: [1, 3, 5, 7], charges: 0, next_on: '2027-01-22' },
  })
  expect((await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body.subscription.auto_charge).toEqual(
    checkout.subscription.auto_charge,
  )
  await world.payOnPage(checkout, cards.frictionless)
  const { id } = checkout.subscription
  await moveTo('2027-01-22T07:59:00Z')
  expect(await chargesOf(id)).toEqual([])
  expect(await autoChargeOf(id)).toMatchObject({ status: 'ACTIVE', charges: 0, next_on: '2027-01-22' })

  await moveTo('2027-01-22T08:00:00Z')
  const [charge] = await chargesOf(id)
  expect(charge).toMatchObject({ status: 'SUCCESS', amount: 9.99 })
  expect(charge?.auto_charge).toEqual({ number: 1, attempt: 1, retry_on: null, next_on: '2027-02-22' })
  expect(await callbackOf(id, 'SUCCESS', 1, 1)).toMatchObject({
    charge_order_id: charge?.id,
    amount: 9.99,
    ext_invoiceid: 'CLUB-1',
    auto_charge: { number: 1, attempt: 1, retry_on: null, next_on: '2027-02-22' },
  })
  const { elements } = (await world.shop.get('/api/v2/operations?ext_invoiceid=CLUB-1')).body
  expect(elements).toMatchObject([{ status: 'COMPLETED', amount: 9.99, method: 'CC' }])
  expect(await autoChargeOf(id)).toMatchObject({
    charges: 1,
    latest: { charge_id: charge?.id, attempt: 1, result: 'PAID' },
    next_on: '2027-02-22',
  })

  await moveTo('2027-02-22T08:00:00Z')
  expect((await callbackOf(id, 'SUCCESS', 2, 1)).auto_charge).toMatchObject({ next_on: null })
  const ended = await world.eventually(async () => {
    const auto = await autoChargeOf(id)
    return auto.status === 'ENDED' && auto
  })
  expect(ended).not.toHaveProperty('next_on')
  await moveTo('2027-03-22T09:00:00Z')
  expect(await linesOf(id)).toHaveLength(2)
  expect((await subscribers.charge(id, 1)).status).toBe(200)
})

describe('two years of cycles', () => {
  const anchors = ['2027-03-29', '2027-03-30', '2027-03-31']
  const ids: string[] = []

  it('are charged once each, at 08:00 in Lisbon, also in short months and when clocks change', async () => {
    await moveTo('2027-03-24T12:00:00Z')
    for (const start of anchors) ids.push(await subscribed({ amount: 1 }, { start_date: start }))
    // Both changes of the clock: 28 March and 31 October 2027.
    const daily = await subscribed(
      { amount: 1 },
      { start_date: '2027-03-27', period: 'DAY', end_date: '2027-03-30' },
    )
    const weekly = await subscribed(
      { amount: 1 },
      { start_date: '2027-03-28', period: 'WEEK', frequency: 31 },
    )
    const wanted = anchors.map((start) =>
      Array.from({ length: 24 }, (_, month) => {
        const first = new Date(Date.UTC(2027, 2 + month, 1))
        const last = new Date(Date.UTC(2027, 3 + month, 0)).getUTCDate()
        first.setUTCDate(Math.min(Number(start.slice(8)), last))
        return first.toISOString().slice(0, 10)
      }),
    )
    const days = new Set([
      ...wanted.flat(),
      '2027-03-27',
      '2027-03-28',
      '2027-03-29',
      '2027-03-30',
      '2027-10-31',
    ])
    for (const day of [...days].sort()) {
      for (const time of ['07:59:30', '08:00:00', '08:00:30']) await moveTo(momentInLisbon(day, time))
    }
    for (const [index, id] of ids.entries()) {
      const expected = wanted[index]?.map((day, month) => `${day} 08:00 ${month + 1}.1 SUCCESS`)
      expect(await linesOf(id)).toEqual(expected)
    }
    expect(await linesOf(daily)).toEqual(
      ['2027-03-27', '2027-03-28', '2027-03-29', '2027-03-30'].map(
        (day, index) => `${day} 08:00 ${index + 1}.1 SUCCESS`,
      ),
    )
    expect((await linesOf(weekly)).slice(0, 2)).toEqual([
      '2027-03-28 08:00 1.1 SUCCESS',
      '2027-10-31 08:00 2.1 SUCCESS',
    ])
  })

  it('missed days after an outage are caught up once', async () => {
    const { next_on } = await autoChargeOf(ids[0] as string)
    expect(next_on).toBe('2029-03-29')
    const daily = await subscribed({ amount: 1 }, { start_date: '2029-03-28', period: 'DAY' })
    await moveTo('2029-04-01T15:00:00+0100')
    expect((await linesOf(ids[0] as string)).slice(24)).toEqual(['2029-04-01 15:00 25.1 SUCCESS'])
    // The allowance of the days before is over.
    expect(await linesOf(daily)).toEqual(['2029-04-01 15:00 1.1 SUCCESS'])
    await moveTo('2029-04-01T16:00:00+0100')
    expect(await linesOf(ids[0] as string)).toHaveLength(25)
    expect(await linesOf(daily)).toHaveLength(1)
    await moveTo('2029-04-29T08:00:00+0100')
    expect((await linesOf(ids[0] as string)).slice(25)).toEqual(['2029-04-29 08:00 26.1 SUCCESS'])
    for (const id of [...ids, daily]) await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })
})

/** That time by the clocks of Lisbon. */
function momentInLisbon(day: string, time: string): string {
  for (const offset of ['+0000', '+0100']) {
    const moment = new Date(`${day}T${time}${offset.slice(0, 3)}:00`)
    if (lisbon.format(moment) === `${day} ${time.slice(0, 5)}`) return `${day}T${time}${offset}`
  }
  throw new Error(`${day} ${time} does not exist in Lisbon`)
}

describe('a refused charge', () => {
  beforeAll(() => moveTo('2029-05-01T12:00:00+0100'))

  it('is tried again after 1, 3, 5 and 7 days if its reason can pass, and then no more', async () => {
    const id = await subscribed({ amount: 5 }, { start_date: '2029-05-02' }, cards.insufficientFunds)
    for (let day = 2; day <= 12; day++) await moveTo(`2029-05-${String(day).padStart(2, '0')}T08:00:00+0100`)
    expect(await linesOf(id)).toEqual([
      '2029-05-02 08:00 1.1 FAIL',
      '2029-05-03 08:00 1.2 FAIL',
      '2029-05-05 08:00 1.3 FAIL',
      '2029-05-07 08:00 1.4 FAIL',
      '2029-05-09 08:00 1.5 FAIL',
    ])
    expect(await callbackOf(id, 'FAIL', 1, 1)).toMatchObject({
      error: 'insufficient_funds',
      auto_charge: { retry_on: '2029-05-03', next_on: '2029-06-02' },
    })
    expect(await callbackOf(id, 'FAIL', 1, 5)).toMatchObject({ auto_charge: { retry_on: null } })
    expect(await autoChargeOf(id)).toMatchObject({
      status: 'ACTIVE',
      charges: 1,
      latest: { attempt: 5, result: 'FAILED', error: 'insufficient_funds' },
      next_on: '2029-06-02',
    })
    await moveTo('2029-06-02T08:00:00+0100')
    expect((await linesOf(id)).slice(5)).toEqual(['2029-06-02 08:00 2.1 FAIL'])
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
    await moveTo('2029-06-04T08:00:00+0100')
    expect(await linesOf(id)).toHaveLength(6)
  })

  it('succeeds at a later attempt', async () => {
    const consumer = await moneyOf(world).consumer(1)
    const checkout = await subscribers.checkout({ start_date: '2029-06-05', auto_charge: { amount: 3 } })
    await moneyOf(world).pay(checkout, 'wallet', { email: consumer.email, pin: consumer.pin })
    const { id } = checkout.subscription
    await moveTo('2029-06-05T08:00:00+0100')
    expect(await autoChargeOf(id)).toMatchObject({
      latest: { result: 'RETRYING', error: 'insufficient_funds' },
      next_on: '2029-06-06',
    })
    await moneyOf(world).sandbox('bank/transfer', { reference_text: consumer.bank_reference, amount: 10 })
    await moveTo('2029-06-06T08:00:00+0100')
    expect(await linesOf(id)).toEqual(['2029-06-05 08:00 1.1 FAIL', '2029-06-06 08:00 1.2 SUCCESS'])
    await moveTo('2029-06-20T08:00:00+0100')
    expect(await linesOf(id)).toHaveLength(2)
    expect(await autoChargeOf(id)).toMatchObject({ latest: { result: 'PAID' }, next_on: '2029-07-05' })
  })

  it('ends its attempts with its cycle, and is tried as often as the merchant wants', async () => {
    const weekly = await subscribed(
      { amount: 5 },
      { start_date: '2029-06-21', period: 'WEEK' },
      cards.insufficientFunds,
    )
    const never = await subscribed(
      { amount: 5, retries: [] },
      { start_date: '2029-06-21' },
      cards.insufficientFunds,
    )
    for (let day = 21; day <= 28; day++) await moveTo(`2029-06-${day}T08:00:00+0100`)
    expect(await linesOf(weekly)).toEqual([
      '2029-06-21 08:00 1.1 FAIL',
      '2029-06-22 08:00 1.2 FAIL',
      '2029-06-24 08:00 1.3 FAIL',
      '2029-06-26 08:00 1.4 FAIL',
      '2029-06-28 08:00 2.1 FAIL',
    ])
    expect(await linesOf(never)).toEqual(['2029-06-21 08:00 1.1 FAIL'])
    for (const id of [weekly, never]) await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })
})

it('the calendar shows due charges by status, result and day', async () => {
  await moveTo('2029-06-29T12:00:00+0100')
  const soon = await subscribed({ amount: 5 }, { start_date: '2029-06-30' }, cards.insufficientFunds)
  const later = await subscribed({ amount: 5 }, { start_date: '2029-06-30' })
  const list = async (query: string) => {
    const { status, body } = await world.shop.get(`/api/v2/auto_charges?${query}`)
    expect(status).toBe(200)
    return body.elements.map((entry: Json) => entry.subscription_id)
  }
  await moveTo('2029-06-30T08:00:00+0100')
  expect(await list('startdate=2029-07-01&enddate=2029-07-01')).toEqual([soon])
  expect(await list('startdate=2029-07-30&enddate=2029-07-30&status=active')).toEqual([later])
  expect(await list('result=RETRYING')).toEqual([soon])
  expect((await world.shop.get('/api/v2/auto_charges?status=ACTIVE&limit=1')).body).toMatchObject({
    elements: [{ subscription_id: soon, auto_charge: { next_on: '2029-07-01' } }],
  })
  expect((await world.shop.get('/api/v2/auto_charges?status=perhaps')).body).toMatchObject({ code: 10002 })
  expect((await world.shop.get('/api/v2/auto_charges?offset=900')).body.elements).toEqual([])
  const results = await world.shop.get('/api/v2/auto_charges/results?startdate=2029-06-30&enddate=2029-06-30')
  expect(results.body).toEqual({
    ...{ cycles: 2, paid_at_once: 1, recovered: 0, retrying: 1, failed: 0 },
    ...{ recovered_amount: 0, failed_amount: 0, reasons: [{ error: 'insufficient_funds', charges: 1 }] },
  })
  for (const id of [soon, later]) await world.shop.delete(`/api/v2/subscriptions/${id}`)
})

describe('the merchant', () => {
  beforeAll(() => moveTo('2029-07-01T12:00:00+0100'))

  it('pauses and resumes: a cycle that began meanwhile is not charged', async () => {
    const id = await subscribed({ amount: 2 }, { start_date: '2029-07-02' })
    await moveTo('2029-07-02T08:00:00+0100')
    const paused = await world.shop.post(`/api/v2/subscriptions/${id}/pause`, {})
    expect(paused.body).toMatchObject({ id, auto_charge: { status: 'PAUSED', next_on: '2029-08-02' } })
    expect((await world.shop.post(`/api/v2/subscriptions/${id}/pause`, {})).body).toEqual(paused.body)
    await moveTo('2029-08-05T08:00:00+0100')
    const resumed = await world.shop.post(`/api/v2/subscriptions/${id}/resume`, {})
    expect(resumed.body.auto_charge).toMatchObject({ status: 'ACTIVE', next_on: '2029-09-02' })
    await moveTo('2029-08-30T08:00:00+0100')
    await world.shop.post(`/api/v2/subscriptions/${id}/pause`, {})
    await world.shop.post(`/api/v2/subscriptions/${id}/resume`, {})
    await moveTo('2029-09-02T08:00:00+0100')
    expect(await linesOf(id)).toEqual(['2029-07-02 08:00 1.1 SUCCESS', '2029-09-02 08:00 2.1 SUCCESS'])
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
    expect(await autoChargeOf(id)).toMatchObject({ status: 'ENDED' })
    expect((await world.shop.post(`/api/v2/subscriptions/${id}/resume`, {})).body).toMatchObject({
      code: 10013,
    })
    expect((await patch(id, { amount: 1 })).body).toMatchObject({ code: 10013 })
  })

  it('changes the amount from the next cycle, within the limit', async () => {
    await moveTo('2029-09-03T12:00:00+0100')
    const id = await subscribed(
      { amount: 5 },
      { start_date: '2029-09-04', period: 'WEEK' },
      cards.insufficientFunds,
    )
    await moveTo('2029-09-04T08:00:00+0100')
    const changed = await patch(id, { amount: 20, max_charges: 2 })
    expect(changed.body.auto_charge).toMatchObject({ amount: 20, max_charges: 2, next_on: '2029-09-05' })
    expect((await patch(id, { amount: 20.01 })).body).toMatchObject({
      code: 10002,
      reason: 'auto_charge.amount must be at most 20.00, which the customer allows in each cycle',
    })
    for (const day of ['05', '11']) await moveTo(`2029-09-${day}T08:00:00+0100`)
    const amounts = (await chargesOf(id)).map(({ amount, auto_charge }) => [auto_charge.number, amount])
    expect(amounts).toEqual([
      [1, 5],
      [1, 5],
      [2, 20],
    ])
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })

  it('charges by hand besides: both use the limit of the cycle, and the first one wins', async () => {
    const id = await subscribed({ amount: 15 }, { start_date: '2029-09-12' })
    const lucky = await subscribed({ amount: 15 }, { start_date: '2029-09-12' })
    await moveTo('2029-09-12T07:00:00+0100')
    expect((await subscribers.charge(id, 6)).status).toBe(200)
    expect((await subscribers.charge(lucky, 5)).status).toBe(200)
    await moveTo('2029-09-12T08:00:00+0100')
    expect(await callbackOf(id, 'FAIL', 1, 1)).toMatchObject({
      error: 'period_total_reached',
      auto_charge: { retry_on: null, next_on: '2029-10-12' },
    })
    expect(await callbackOf(lucky, 'SUCCESS', 1, 1)).toMatchObject({ amount: 15 })
    expect((await subscribers.charge(id, 14)).status).toBe(200)
    expect((await subscribers.charge(lucky, 0.01)).body).toMatchObject({ code: 40013 })
  })

  it('starts it on an accepted subscription from the next cycle, ends it, and starts it again', async () => {
    const { id } = await subscribers.accepted({ start_date: '2029-09-13' })
    expect((await world.shop.post(`/api/v2/subscriptions/${id}/pause`, {})).status).toBe(404)
    expect((await patch(id, {})).body).toMatchObject({
      code: 10001,
      reason: 'auto_charge.amount is required',
    })
    await moveTo('2029-09-13T10:00:00+0100')
    expect((await patch(id, { amount: 4 })).body.auto_charge).toMatchObject({
      status: 'ACTIVE',
      charges: 0,
      next_on: '2029-10-13',
    })
    await moveTo('2029-10-13T08:00:00+0100')
    const headers = { authorization: `Comporta ${world.shop.api_key}` }
    const ended = await world.request(`/api/v2/subscriptions/${id}/auto_charge`, {
      method: 'DELETE',
      headers,
    })
    expect(ended.body.auto_charge).toMatchObject({ status: 'ENDED', charges: 1 })
    await moveTo('2029-11-14T08:00:00Z')
    expect((await patch(id, { ext_invoiceid: 'AGAIN' })).body.auto_charge).toMatchObject({
      status: 'ACTIVE',
      amount: 4,
      next_on: '2029-12-13',
    })
    await moveTo('2029-12-13T08:00:00Z')
    expect(await linesOf(id)).toEqual(['2029-10-13 08:00 1.1 SUCCESS', '2029-12-13 08:00 2.1 SUCCESS'])
    expect(await callbackOf(id, 'SUCCESS', 2, 1)).toMatchObject({ ext_invoiceid: 'AGAIN-2' })
  })

  it('starts it before 08:00 on the first day of a cycle: the cycle is left to the merchant', async () => {
    const { id } = await subscribers.accepted({ start_date: '2029-12-14' })
    await moveTo('2030-01-14T07:00:00Z')
    expect((await subscribers.charge(id, 4)).status).toBe(200)
    expect((await patch(id, { amount: 4 })).body.auto_charge).toMatchObject({ next_on: '2030-02-14' })
    await moveTo('2030-01-14T08:00:00Z')
    expect(await chargesOf(id)).toHaveLength(1)
    await world.request(`/api/v2/subscriptions/${id}/auto_charge`, { method: 'DELETE', headers: own() })
    await moveTo('2030-02-14T07:00:00Z')
    expect((await patch(id, {})).body.auto_charge).toMatchObject({ next_on: '2030-03-14' })
    await moveTo('2030-03-14T08:00:00Z')
    expect((await linesOf(id)).slice(1)).toEqual(['2030-03-14 08:00 1.1 SUCCESS'])
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })

  it.each([
    [{ amount: 20.01 }, 10002, 'subscription.auto_charge.amount must be at most 20.00'],
    [{ max_charges: 3 }, 10001, 'subscription.auto_charge.amount is required'],
    [{ amount: 1, retries: [3, 1] }, 10002, 'subscription.auto_charge.retries must be ascending days'],
    [{ amount: 1, max_charges: 0 }, 10002, 'max_charges'],
    [{ amount: 1, ext_invoiceid: 'x'.repeat(39) }, 10002, 'ext_invoiceid'],
  ])('cannot ask for %j', async (autoCharge, code, reason) => {
    const start_date = await subscribers.today()
    const subscription = { amount: 20, currency: 'EUR', frequency: 1, period: 'MONTH', start_date }
    const { body } = await world.shop.post('/api/v2/checkout', {
      subscription: { ...subscription, auto_charge: autoCharge },
      url_confirm: 'https://shop.example/ok',
    })
    expect(body).toMatchObject({ code, reason: expect.stringContaining(reason) })
  })
})

describe('the link of a failed charge', () => {
  beforeAll(async () => {
    await turnMail(true)
    await moveTo('2030-04-28T12:00:00+0100')
  })
  afterAll(() => turnMail(false))

  async function turnMail(enabled: boolean): Promise<void> {
    const headers = { ...own(), 'content-type': 'application/json' }
    const body = JSON.stringify({ enabled })
    const path = '/api/v2/mails/kinds/charge_failed'
    expect((await world.request(path, { method: 'PUT', headers, body })).status).toBe(200)
  }

  async function mailTo(to: string): Promise<Json> {
    return world.eventually(async () => {
      const { elements } = (await world.request(`/sandbox/api/mail?to=${encodeURIComponent(to)}`)).body
      return elements[0]
    })
  }

  const linkIn = ({ text }: Json) => /https?:\S+\/charge\/\S+/.exec(text)?.[0]

  it('does not start charges again that the merchant ended', async () => {
    const email = 'stopped@example.com'
    const change = { start_date: '2030-04-29', client: { name: 'Ana', email } }
    const id = await subscribed({ amount: 5 }, change, cards.insufficientFunds)
    await moveTo('2030-04-29T08:00:00+0100')
    const url = linkIn(await mailTo(email)) ?? ''
    const page = await openPage(url)
    const form = page.forms[0] as (typeof page.forms)[number]
    await world.request(`/api/v2/subscriptions/${id}/auto_charge`, { method: 'DELETE', headers: own() })
    expect((await submit(page, form, {})).text).toMatch(/This link has ended|Este link terminou/)
    expect(await autoChargeOf(id)).toMatchObject({ status: 'ENDED', latest: { result: 'FAILED' } })
    for (const day of ['2030-05-29', '2030-06-29']) await moveTo(`${day}T08:00:00+0100`)
    expect(await linesOf(id)).toEqual(['2030-04-29 08:00 1.1 FAIL'])
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })

  it('does not charge a card again that was refused for good', async () => {
    const email = 'lost@example.com'
    const change = { start_date: '2030-06-30', client: { name: 'Ana', email } }
    const checkout = await subscribers.checkout({ auto_charge: { amount: 5 }, ...change })
    const accepted = await world.payOnPage(checkout, { number: '4000000000009987' })
    const manage = accepted.links.find((link) => /\/subscription\//.test(link)) ?? ''
    const { id } = checkout.subscription
    await moveTo('2030-06-30T08:00:00+0100')
    expect(await callbackOf(id, 'FAIL', 1, 1)).toMatchObject({ error: 'lost_or_stolen' })
    expect(linkIn(await mailTo(email))).toBeUndefined()
    const page = await openPage(new URL(manage, accepted.url).href)
    expect(page.forms).toEqual([])
    const path = new URL(page.url).pathname
    expect((await openPage(`${new URL(page.url).origin}${path}/retry`, {}, { method: 'POST' })).status).toBe(
      200,
    )
    await moveTo('2030-06-30T08:01:00+0100')
    expect(await linesOf(id)).toEqual(['2030-06-30 08:00 1.1 FAIL'])
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })

  it('tries a card at most three times more in a day', async () => {
    const email = 'often@example.com'
    const change = { start_date: '2030-07-01', client: { name: 'Ana', email } }
    const id = await subscribed({ amount: 5 }, change, cards.insufficientFunds)
    await moveTo('2030-07-01T08:00:00+0100')
    const url = linkIn(await mailTo(email)) ?? ''
    for (let attempt = 2; attempt <= 5; attempt++) {
      const page = await openPage(url)
      const form = page.forms[0]
      if (form === undefined) break
      await submit(page, form, {})
      await callbackOf(id, 'FAIL', 1, attempt)
      await world.eventually(async () => (await autoChargeOf(id)).latest.result === 'RETRYING')
    }
    expect(await linesOf(id)).toHaveLength(4)
    expect((await openPage(url)).text).toMatch(/enough for today|Por hoje já chega/)
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })
})
