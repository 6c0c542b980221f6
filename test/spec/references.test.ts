// Multibanco references (SPEC.md "Bank-reference (MB) payments").
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dateOnWire } from '../../src/http/index.ts'
import { endOfLisbonDay, lisbonDayOf } from '../../src/kernel/lisbon.ts'
import { instant } from '../../src/kernel/time.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { newPhone } from '../phone.ts'
import type { Answer, Json, World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const dayMs = 86_400_000

/** The gateway's time plus some milliseconds, as a date of the API. */
async function fromNow(milliseconds: number): Promise<string> {
  const { now } = (await world.request('/sandbox/api/clock')).body
  return new Date(Date.parse(now.replace('+0000', 'Z')) + milliseconds).toISOString()
}

/** Moves the gateway's clock and runs all due work. */
async function clockTo(moment: number): Promise<void> {
  const { status, text } = await world.request('/sandbox/api/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ set: new Date(moment).toISOString() }),
  })
  if (status !== 200) throw new Error(text)
}

async function askPay(change: Record<string, unknown> = {}): Promise<Answer> {
  return world.shop.post('/api/v2/mb/pay', {
    amount: 10,
    currency: 'EUR',
    method: 'MB',
    type: 'PAYMENT',
    ext_invoiceid: 'MB-1',
    ...change,
  })
}

async function makePayment(change: Record<string, unknown> = {}): Promise<Json> {
  const { status, body, text } = await askPay(change)
  if (status !== 200) throw new Error(text)
  return body
}

async function makeRecurring(change: Record<string, unknown> = {}): Promise<Json> {
  const asked = { max_amount: 20, min_amount: '5.00', ...change }
  const { status, body, text } = await world.shop.post('/api/v2/mb/reference', asked)
  if (status !== 200) throw new Error(text)
  return body
}

async function payerPays(made: Json, amount: unknown, paymentId?: string): Promise<Json> {
  const { body } = await world.request('/sandbox/api/references/pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...made.mb,
      amount,
      ...(paymentId === undefined ? {} : { payment_id: paymentId }),
    }),
  })
  return body
}

function deleteReference(body: unknown, merchant = world.shop): Promise<Answer> {
  return world.request('/api/v2/mb/reference', {
    method: 'DELETE',
    headers: { authorization: `Comporta ${merchant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** A merchant with its own references. */
async function otherPartner() {
  const merchant = world.merchant('Sub Shop B')
  const wallet = String(merchant.wallet_id)
  await world.cli('merchant', 'set', wallet, '--rights', 'partner')
  const made = await world.cli('key', 'create', wallet, '--permissions', 'mb_reference')
  return { ...merchant, api_key: made.json.api_key }
}

/** Events of a reference, in order. */
function callbacksOf(ref: string): Json[] {
  const bodies = world.receiver.received('/callbacks').map(({ body }) => JSON.parse(body))
  return bodies.filter(({ mb_ref }) => mb_ref === ref)
}

async function eventsOf(ref: string, count: number): Promise<string[]> {
  await world.eventually(async () => callbacksOf(ref).length >= count)
  return callbacksOf(ref).map(({ event }) => event)
}

const refused = (reason: string) => ({ accepted: false, reason })

describe('a payment by reference', () => {
  it('is PENDING with its reference, then COMPLETED by the first payment, once', async () => {
    const made = await makePayment({
      ext_customerid: 'C-7',
      ext_employee: 'E-7',
      ext_email: 'ana@example.com',
      notes: 'Bill 7',
      items: [{ name: 'Tea', qt: 1 }],
      client: { name: 'Ana Silva' },
      store: world.shop.stores[0],
    })
    expect(made).toMatchObject({
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'MB',
      amount: 10,
      amount_net: 9.5,
      fee: -0.5,
      refundable: false,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      date: expect.stringMatching(/\+0000$/),
      modified_date: expect.stringMatching(/\+0000$/),
      ext_customerid: 'C-7',
      ext_employee: 'E-7',
      ext_email: 'ana@example.com',
      notes: 'Bill 7',
      items: [{ name: 'Tea', qt: 1 }],
      client: { name: 'Ana Silva' },
      mb: { entity: '21312', ref: expect.stringMatching(/^\d{9}$/) },
      merchant: { name: 'Demo Shop' },
    })
    expect(made.expires).toMatch(/T2[23]:59:59\+0000$/)
    expect(await payerPays(made, 10)).toEqual({ accepted: true, operation_id: made.id })
    const paid = await world.operation(made.id)
    expect(paid).toMatchObject({ status: 'COMPLETED', fee: -0.5, amount_net: 9.5, mb: made.mb })
    expect(paid.refundable).toBe(false)
    const [event] = await world.eventually(
      async () => callbacksOf(made.mb.ref).length > 0 && callbacksOf(made.mb.ref),
    )
    expect(event).toMatchObject({
      event: 'COMPLETED',
      operation_id: made.id,
      operation_status: 'COMPLETED',
      amount: 10,
      method: 'MB',
      mb_entity: '21312',
      ext_invoiceid: 'MB-1',
      user: world.shop.wallet_id,
    })
    const verified = await world.shop.post('/api/v2/callback/verify', event)
    expect([verified.status, verified.text]).toEqual([200, 'true'])
  })

  it('expires with its Lisbon day, and says so', async () => {
    const made = await makePayment({ expires: await fromNow(3 * dayMs) })
    const lisbon = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Lisbon', timeStyle: 'medium' })
    expect(lisbon.format(new Date(made.expires.replace('+0000', 'Z')))).toBe('23:59:59')
    const early = await askPay({ expires: await fromNow(2 * dayMs - 5000) })
    expect(early).toMatchObject({ status: 400, body: { code: 10002 } })
    expect(early.body.reason).toContain('expires must be at least 2 days ahead')
  })

  it.each([
    [{ amount: undefined }, 10001, 'amount is required'],
    [{ currency: undefined }, 10001, 'currency is required'],
    [{ method: 'CC' }, 10002, 'method must be MB'],
    [{ type: 'AUTH' }, 10002, 'type must be PAYMENT'],
    [{ amount: 0 }, 40009, 'amount must be at least 0.01'],
    [{ amount: -1 }, 40009, 'amount must be at least 0.01'],
    [{ amount: 100_000 }, 40012, 'amount must be at most 99999.99'],
    [{ amount: '10.001' }, 10002, 'amount must have at most 2 decimals'],
    [{ amount: null }, 10002, 'amount'],
    [{ currency: 'USD' }, 10002, 'currency must be EUR'],
    [{ method: 'CC' }, 10002, 'method must be MB'],
    [{ type: 'AUTH' }, 10002, 'type must be PAYMENT'],
    [{ expires: 'tomorrow' }, 10002, 'expires must be an ISO 8601 date'],
    [{ expires: '2026-02-30' }, 10002, 'expires must be a date and time that exist'],
    [{ expires: 20261231 }, 10002, 'expires'],
    [{ starts: '2030-01-01' }, 10002, 'starts requires instant: true'],
    [{ instant: 'yes' }, 10002, 'instant'],
    [{ instant: true }, 10001, 'expires is required with instant'],
    [{ instant: true, expires: '2020-01-01' }, 10002, 'expires must be in the future'],
    [{ ext_email: 'a'.repeat(101) }, 10002, 'ext_email must be at most 100'],
    [{ store: 999_999 }, 10002, 'store must be'],
    [{ split: Array(101).fill({}) }, 40018, 'split must hold 1 to 100'],
    [{ request_id: 'x' }, 10002, 'request_id must be a UUID'],
  ])('is refused with %o', async (change, code, reason) => {
    const { status, body } = await askPay(change)
    expect([status, body.code]).toEqual([400, code])
    expect(body.reason).toContain(reason)
  })

  it('is for partners, with permission, with the method', async () => {
    const plain = await world.merchant('Plain Shop').post('/api/v2/mb/pay', {})
    expect(plain).toMatchObject({ status: 403, body: { code: 20002 } })
    const listed = await world.shop.get('/api/v2/operations?mb_ref=999999999')
    expect(listed.body).toEqual({ total: 0, elements: [] })
  })

  it('is made once for one request id, and can be asked about', async () => {
    const request_id = randomUUID()
    const [first, second] = [await askPay({ request_id }), await askPay({ request_id })]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await askPay({ request_id, amount: 11 })).toMatchObject({ status: 422, body: { code: 10015 } })
    expect((await world.shop.get(`/api/v2/requests/${request_id}`)).body).toMatchObject({ status: 'PENDING' })
    const listed = await world.shop.get(`/api/v2/operations?mb_ref=${first.body.mb.ref}&method=MB`)
    expect(listed.body).toMatchObject({ total: 1, elements: [{ id: first.body.id }] })
  })

  it('is VOIDED by deleting its reference, which cannot be paid afterwards', async () => {
    const made = await makePayment()
    expect(await deleteReference(made.mb, world.merchant('Plain Shop'))).toMatchObject({ status: 403 })
    const other = await otherPartner()
    expect(await deleteReference(made.mb, other)).toMatchObject({ status: 404, body: { code: 10004 } })
    expect(await world.operation(made.id)).toMatchObject({ status: 'PENDING' })
    const deleted = await deleteReference({ mb: made.mb })
    expect([deleted.status, deleted.body]).toEqual([200, ['OK']])
    expect(await world.operation(made.id)).toMatchObject({ status: 'VOIDED' })
    expect(await payerPays(made, 10)).toEqual(refused('deleted'))
    expect(await deleteReference(made.mb)).toMatchObject({ status: 409, body: { code: 10013 } })
    expect(callbacksOf(made.mb.ref)).toEqual([])
  })

  it.each([
    [{}, 400, 10001],
    [{ entity: '21312' }, 400, 10001],
    [{ entity: '21312', ref: '000000000' }, 404, 10004],
    [{ entity: '99999', ref: '123456789' }, 404, 10004],
    [{ entity: '21312', ref: 'abcdefghi' }, 404, 10004],
    [{ entity: { a: 1 }, ref: [] }, 400, 10002],
  ])('no reference is deleted by %o', async (body, status, code) => {
    expect(await deleteReference(body)).toMatchObject({ status, body: { code } })
  })

  it('that was paid is not deleted', async () => {
    const made = await makePayment()
    await payerPays(made, 10)
    expect(await deleteReference(made.mb)).toMatchObject({ status: 409, body: { code: 10013 } })
  })
})

describe('the first day', () => {
  it('a wrong amount or a second payment is refused here and reported, once each', async () => {
    const made = await makePayment({ ext_email: 'ana@example.com' })
    const wrong = randomUUID()
    for (let event = 0; event < 3; event++)
      expect(await payerPays(made, 9.99, wrong)).toEqual(refused('badamount'))
    await payerPays(made, 10)
    expect(await payerPays(made, 10)).toEqual(refused('duplicatepayment'))
    // Callbacks of one reference can arrive out of order.
    expect((await eventsOf(made.mb.ref, 3)).toSorted()).toEqual(['COMPLETED', 'USERERROR', 'USERERROR'])
    const [bad, second] = ['badamount', 'duplicatepayment'].map((why) =>
      callbacksOf(made.mb.ref).find(({ user_error: said }) => said === why),
    )
    expect(bad).toMatchObject({
      event: 'USERERROR',
      user_error: 'badamount',
      operation_id: made.id,
      operation_status: 'PENDING',
      amount: 10,
      ext_email: 'ana@example.com',
      mb_entity: '21312',
      method: 'MB',
    })
    expect(second).toMatchObject({ user_error: 'duplicatepayment', operation_status: 'COMPLETED' })
    expect((await world.shop.post('/api/v2/callback/verify', bad)).text).toBe('true')
    expect((await world.operation(made.id)).amount_net).toBe(9.5)
  })

  it('of an instant reference has no such callback', async () => {
    const made = await makePayment({ instant: true, expires: await fromNow(3_600_000) })
    expect(await payerPays(made, 9.99)).toEqual(refused('badamount'))
    expect(await payerPays(made, 10)).toMatchObject({ accepted: true })
    expect(await payerPays(made, 10)).toEqual(refused('duplicatepayment'))
    expect(await eventsOf(made.mb.ref, 1)).toEqual(['COMPLETED'])
  })

  it('ends after 24 hours: then the network refuses and reports nothing', async () => {
    const [made, recurring] = [
      await makePayment({ expires: await fromNow(9 * dayMs) }),
      await makeRecurring(),
    ]
    await world.advance('PT24H1M')
    expect(await payerPays(made, 10.01)).toEqual(refused('badamount'))
    expect(await payerPays(recurring, 20.01)).toEqual(refused('badamount'))
    expect(await payerPays(made, 10)).toMatchObject({ accepted: true })
    expect(await payerPays(made, 10)).toEqual(refused('duplicatepayment'))
    expect(await eventsOf(made.mb.ref, 1)).toEqual(['COMPLETED'])
    expect(callbacksOf(recurring.mb.ref)).toEqual([])
  })
})

describe('an instant reference', () => {
  it('is payable between its exact times, for its own fee, and cannot be cancelled', async () => {
    const starts = await fromNow(600_000)
    const made = await makePayment({ instant: true, starts, expires: await fromNow(1_200_000) })
    expect(made).toMatchObject({ instant: true, starts: `${starts.slice(0, 19)}+0000` })
    expect(await payerPays(made, 10)).toEqual(refused('not_started'))
    expect(await deleteReference(made.mb)).toMatchObject({ status: 409, body: { code: 10013 } })
    await world.advance('PT10M')
    expect(await payerPays(made, 10)).toMatchObject({ accepted: true })
    expect(await world.operation(made.id)).toMatchObject({ status: 'COMPLETED', fee: -0.7, amount_net: 9.3 })
  })

  it('is refused after its last second, and fails with a callback', async () => {
    const made = await makePayment({ instant: true, expires: await fromNow(600_000) })
    await world.advance('PT10M2S')
    expect(await payerPays(made, 10)).toEqual(refused('expired'))
    expect(await world.operation(made.id)).toMatchObject({ status: 'FAIL', fee: 0 })
    expect(await eventsOf(made.mb.ref, 1)).toEqual(['FAIL'])
    expect(callbacksOf(made.mb.ref)[0]).toMatchObject({ error: 'expired', operation_status: 'FAIL' })
  })
})

describe('the times of an instant reference', () => {
  it('name an end ahead, and a start ahead of that, which is now where it is left out', async () => {
    const [soon, later] = [await fromNow(600_000), await fromNow(1_200_000)]
    const past = await fromNow(-60_000)
    for (const [times, code, reason] of [
      [{}, 10001, 'expires is required with instant'],
      [{ expires: past }, 10002, 'expires must be in the future'],
      [{ starts: past, expires: later }, 10002, 'starts must be in the future'],
      [{ starts: later, expires: soon }, 10002, 'starts must be earlier than expires'],
    ] as const) {
      const answer = await askPay({ instant: true, ...times })
      expect(answer).toMatchObject({ status: 400, body: { code, reason: expect.stringContaining(reason) } })
    }
    const made = await makePayment({ instant: true, expires: later })
    expect(await payerPays(made, 10)).toMatchObject({ accepted: true })
  })

  it('are in UTC where they name no zone', async () => {
    const [starts, expires] = [await fromNow(600_000), await fromNow(1_200_000)].map((date) =>
      date.slice(0, 19),
    )
    const made = await makePayment({ instant: true, starts, expires })
    expect(made).toMatchObject({ starts: `${starts}+0000`, expires: `${expires}+0000` })
  })
})

describe('a recurring reference', () => {
  it('paid three times makes three operations and three callbacks', async () => {
    const recurring = await makeRecurring({ ext_invoiceid: 'R-1', ext_email: 'r@example.com' })
    expect(recurring).toEqual({ mb: { entity: '21312', ref: expect.stringMatching(/^\d{9}$/) } })
    const payments = [5, '20.00', 12.34]
    const made = []
    for (const amount of payments) made.push((await payerPays(recurring, amount)).operation_id)
    expect(new Set(made).size).toBe(3)
    expect(await eventsOf(recurring.mb.ref, 3)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
    expect(callbacksOf(recurring.mb.ref)[2]).toMatchObject({
      operation_id: made[2],
      amount: 12.34,
      operation_status: 'COMPLETED',
      method: 'MB',
      ext_invoiceid: 'R-1',
      ext_email: 'r@example.com',
      ext_customerid: null,
      mb_entity: '21312',
      user: world.shop.wallet_id,
    })
    const { body } = await world.shop.get(`/api/v2/operations?mb_ref=${recurring.mb.ref}`)
    expect(body.total).toBe(3)
    expect(body.elements.map(({ amount }: Json) => amount)).toEqual([12.34, 20, 5])
    expect(body.elements[0]).toMatchObject({ status: 'COMPLETED', fee: -0.5, mb: recurring.mb })
  })

  it('takes nothing below or above its limits, which is reported in its first day', async () => {
    const recurring = await makeRecurring()
    expect(await payerPays(recurring, 4.99)).toEqual(refused('badamount'))
    expect(await payerPays(recurring, 20.01)).toEqual(refused('badamount'))
    expect(await eventsOf(recurring.mb.ref, 2)).toEqual(['USERERROR', 'USERERROR'])
    expect(callbacksOf(recurring.mb.ref)[0]).toMatchObject({
      user_error: 'badamount',
      amount: 4.99,
      operation_id: null,
    })
    expect((await world.shop.post('/api/v2/callback/verify', callbacksOf(recurring.mb.ref)[0])).text).toBe(
      'true',
    )
    const { body } = await world.shop.get(`/api/v2/operations?mb_ref=${recurring.mb.ref}`)
    expect(body.total).toBe(0)
  })

  it('takes nothing once deleted or over', async () => {
    const [deleted, over] = [await makeRecurring(), await makeRecurring({ expires: await fromNow(0) })]
    expect((await payerPays(over, 5)).accepted).toBe(true)
    expect((await deleteReference(deleted)).body).toEqual(['OK'])
    expect(await payerPays(deleted, 5)).toEqual(refused('deleted'))
    expect(await deleteReference(deleted)).toMatchObject({ status: 409, body: { code: 10013 } })
    await world.advance('P1DT1M')
    expect(await payerPays(over, 5)).toMatchObject({ accepted: false })
    expect(await deleteReference(over)).toMatchObject({ status: 409, body: { code: 10013 } })
    expect(await payerPays(deleted, 5)).toEqual(refused('deleted'))
  })

  it.each([
    [{ max_amount: undefined }, 10001, 'max_amount is required'],
    [{ min_amount: undefined }, 10001, 'min_amount is required'],
    [{ min_amount: 20.01 }, 10002, 'min_amount must not be above max_amount'],
    [{ min_amount: 0 }, 40009, 'min_amount must be at least 0.01'],
    [{ max_amount: 100_000 }, 40012, 'max_amount must be at most 99999.99'],
    [{ currency: 'USD' }, 10002, 'currency must be EUR'],
    [{ op_type: 'AUTH' }, 10002, 'op_type must be PAYMENT'],
    [{ expires: '2020-01-01' }, 10002, 'expires must be in the future'],
  ])('is refused with %o', async (change, code, reason) => {
    const answer = await world.shop.post('/api/v2/mb/reference', { max_amount: 20, min_amount: 5, ...change })
    expect([answer.status, answer.body.code]).toEqual([400, code])
    expect(answer.body.reason).toContain(reason)
  })

  it('is made once for one request id', async () => {
    const asked = { max_amount: 20, min_amount: 5, request_id: randomUUID() }
    const first = await world.shop.post('/api/v2/mb/reference', asked)
    expect((await world.shop.post('/api/v2/mb/reference', asked)).text).toBe(first.text)
    const request = await world.shop.get(`/api/v2/requests/${asked.request_id}`)
    expect(request.body.status).toBe('COMPLETED')
    expect(request.body.href).toContain(`mb_ref=${first.body.mb.ref}`)
    expect(await payerPays(first.body, 5)).toMatchObject({ accepted: true })
    expect(
      (
        await world.request(request.body.href, {
          headers: { authorization: `Comporta ${world.shop.api_key}` },
        })
      ).body.total,
    ).toBe(1)
  })
})

describe('on a checkout', () => {
  it.each([
    ['without an end', {}, {}, 10001, 'payment.expires is required with instant'],
    ['a day ahead', { expires: dayMs + 60_000 }, {}, 10002, 'payment.expires must be less than a day ahead'],
    [
      'without the method',
      { expires: 60_000 },
      { exclude: ['MB'] },
      10002,
      'payment.instant needs the method MB',
    ],
    ['of no boolean', { expires: 60_000, instant: 'yes' }, {}, 10002, 'payment.instant'],
    [
      'that starts in the past',
      { starts: -1000, expires: 60_000 },
      {},
      10002,
      'payment.starts must be in the',
    ],
    [
      'that starts at its end',
      { starts: 60_000, expires: 60_000 },
      {},
      10002,
      'payment.starts must be earlier than payment.expires',
    ],
    [
      'with a start that is not instant',
      { starts: 30_000, expires: 60_000, instant: false },
      {},
      10002,
      'payment.starts needs instant',
    ],
  ])(
    'an instant reference %s is refused',
    async (_, { expires, starts, ...inside }: Json, beside, code, reason) => {
      const now = Date.parse(await fromNow(0))
      const named = Object.entries({ expires, starts }).filter(([, ahead]) => ahead !== undefined)
      const ends = Object.fromEntries(
        named.map(([name, ahead]) => [name, new Date(now + ahead).toISOString()]),
      )
      const answer = await world.shop.post('/api/v2/checkout', {
        payment: { amount: 10, currency: 'EUR', instant: true, ...ends, ...inside },
        url_confirm: 'https://shop.example/ok',
        url_cancel: 'https://shop.example/no',
        ...beside,
      })
      expect([answer.status, answer.body.code]).toEqual([400, code])
      expect(answer.body.reason).toContain(reason)
    },
  )

  it('choosing it reports PENDING with the reference, paying it COMPLETED, and instant costs its own fee', async () => {
    const expires = await fromNow(3_600_000)
    const { id, payment, url_redirect } = await world.createCheckout({
      payment: { amount: 10, currency: 'EUR', instant: true, expires },
    })
    const page = await openPage(url_redirect)
    const shown = await submit(page, formTo(page, '/mb?'))
    const chosen = await world.operation(payment.id)
    expect(chosen).toMatchObject({ status: 'PENDING', method: 'MB', instant: true, expires: payment.expires })
    expect(shown.html).toContain(chosen.mb.ref.replace(/\d{3}(?=\d)/g, '$&\u00a0'))
    expect(await payerPays(chosen, 10)).toEqual({ accepted: true, operation_id: payment.id })
    expect(await eventsOf(chosen.mb.ref, 2)).toEqual(['PENDING', 'COMPLETED'])
    for (const event of callbacksOf(chosen.mb.ref))
      expect(event).toMatchObject({ checkout_id: id, mb_entity: '21312' })
    expect(await world.operation(payment.id)).toMatchObject({ status: 'COMPLETED', fee: -0.7 })
  })
})

it('an instant reference of a checkout is not payable before it starts, nor after its last second', async () => {
  const now = Date.parse(await fromNow(0))
  const at = (ahead: number) => new Date(now + ahead).toISOString()
  const asked = { amount: 10, currency: 'EUR', instant: true, starts: at(1_800_900), expires: at(3_600_900) }
  const { payment, url_redirect } = await world.createCheckout({ payment: asked })
  const forgotten = await world.createCheckout({ payment: asked })
  const lost = await openPage(forgotten.url_redirect)
  await submit(lost, formTo(lost, '/mb?'))
  const page = await openPage(url_redirect)
  const shown = await submit(page, formTo(page, '/mb?'))
  expect(shown.text).toMatch(/Pay from .*Pay by/)
  const chosen = await world.operation(payment.id)
  expect(chosen).toMatchObject({ instant: true, starts: payment.starts, expires: payment.expires })
  expect(await payerPays(chosen, 10)).toEqual({ accepted: false, reason: 'not_started' })
  await world.advance('PT30M1S')
  expect((await openPage(url_redirect)).text).not.toContain('Pay from')
  expect(await payerPays(chosen, 10)).toEqual({ accepted: true, operation_id: payment.id })
  await clockTo(Date.parse(payment.expires.replace('+0000', 'Z')) + 1000)
  const late = await payerPays(await world.operation(forgotten.payment.id), 10)
  expect(late).toEqual({ accepted: false, reason: 'expired' })
})

describe('time', () => {
  it('gives a reference without expires 1000 minutes, to the end of that Lisbon day', async () => {
    const day = (await fromNow(2 * dayMs)).slice(0, 10)
    for (const moment of [`${day}T01:00:00Z`, `${day}T12:00:00Z`]) {
      await clockTo(Date.parse(moment))
      const lastDay = lisbonDayOf(instant(Date.parse(moment) + 1000 * 60_000))
      expect((await makePayment()).expires).toBe(dateOnWire(endOfLisbonDay(lastDay)))
    }
  })

  it('ends a recurring reference with the Lisbon day of its expires, to the second', async () => {
    const expires = await fromNow(2 * dayMs)
    const recurring = await makeRecurring({ expires })
    const last = Date.parse(
      dateOnWire(endOfLisbonDay(lisbonDayOf(instant(Date.parse(expires))))).replace('+0000', 'Z'),
    )
    await clockTo(last - 60_000)
    expect(await payerPays(recurring, 5)).toMatchObject({ accepted: true })
    await clockTo(last + 1000)
    expect(await payerPays(recurring, 5)).toEqual(refused('expired'))
  })

  it('carries a reference over its last second, and it is refused', async () => {
    const made = await makePayment()
    const last = Date.parse(made.expires.replace('+0000', 'Z'))
    const twin = await makePayment()
    await clockTo(last - 60_000)
    expect(await payerPays(twin, 10)).toMatchObject({ accepted: true })
    await clockTo(last + 1000)
    expect(await payerPays(made, 10)).toEqual(refused('expired'))
    expect(await world.operation(made.id)).toMatchObject({ status: 'FAIL' })
    expect(await eventsOf(made.mb.ref, 1)).toEqual(['FAIL'])
    expect(await eventsOf(twin.mb.ref, 1)).toEqual(['COMPLETED'])
  })

  it('of a checkout keeps its reference payable as long as its page, in any order of methods', async () => {
    const day = (await fromNow(2 * dayMs)).slice(0, 10)
    const morning = Date.parse(`${day}T01:00:00Z`)
    await clockTo(morning)
    const { id, payment, url_redirect } = await world.createCheckout()
    const page = await openPage(url_redirect)
    const shown = await submit(page, formTo(page, '/mb?'))
    const first = await world.operation(payment.id)
    // 1000 minutes would end with the day on which the page was opened.
    const end = dateOnWire(endOfLisbonDay(lisbonDayOf(instant(morning + dayMs))))
    expect(first.expires).toBe(end)
    expect((await world.shop.get(`/api/v2/checkout/${id}`)).body.payment.expires).toBe(end)
    expect(shown.text).toMatch(/Pay by \d+ \w+ \d{4}, 23:59/)
    const phone = newPhone(world)
    await submit(page, formTo(page, '/mbway'), { phone: phone.number })
    await phone.refuse((await phone.pending()).id)

    await clockTo(morning + dayMs + 60_000)
    const again = await openPage(url_redirect)
    expect(again.text).toContain('Valid until today, 23:59 (Lisbon time)')
    await submit(again, formTo(again, '/mb?'))
    const second = await world.operation(payment.id)
    expect(second).toMatchObject({ status: 'PENDING', method: 'MB', expires: end })
    expect(await payerPays(first, 10)).toEqual(refused('deleted'))
    expect(await payerPays(second, 10)).toEqual({ accepted: true, operation_id: payment.id })
  })
})

it('an unknown reference cannot be paid', async () => {
  expect(await payerPays({ mb: { entity: '21312', ref: '123456789' } }, 10)).toEqual(
    refused('unknown_reference'),
  )
  expect(await payerPays({ mb: { entity: '99999', ref: '123456789' } }, 10)).toEqual(
    refused('unknown_reference'),
  )
  expect(await payerPays({ mb: { entity: '21312', ref: '12' } }, 10)).toMatchObject({ code: 10002 })
  expect(await payerPays({ mb: {} }, 10)).toMatchObject({ code: 10001 })
  expect(await payerPays({ mb: { entity: '21312', ref: '123456789' } }, 0)).toMatchObject({ code: 10002 })
})

it('the numbers left are measured', async () => {
  const { text } = await world.request('/metrics')
  expect(text).toMatch(/comporta_reference_numbers_free_ratio\{entity="21312"\} (1|0\.9\d+)/)
})

it('the books and every reference agree', async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})
