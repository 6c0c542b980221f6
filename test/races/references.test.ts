// Races on bank references: one payment, one notice.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld('postgres')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

async function makePayment(of = world, change: Record<string, unknown> = {}): Promise<Json> {
  const asked = { amount: 10, currency: 'EUR', method: 'MB', type: 'PAYMENT', ...change }
  const { status, body, text } = await of.shop.post('/api/v2/mb/pay', asked)
  if (status !== 200) throw new Error(text)
  return body
}

async function payerPays(mb: Json, amount: number, payment_id: string = randomUUID()): Promise<Json> {
  const { body } = await world.request('/sandbox/api/references/pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...mb, amount, payment_id }),
  })
  return body
}

async function deleteReference(mb: Json): Promise<number> {
  const { status } = await world.request('/api/v2/mb/reference', {
    method: 'DELETE',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(mb),
  })
  return status
}

const callbacksOf = (ref: string): Json[] =>
  world.receiver
    .received('/callbacks')
    .map(({ body }) => JSON.parse(body))
    .filter(({ mb_ref }) => mb_ref === ref)

it('of 200 payments at once one completes, the others are duplicates', async () => {
  const { id, mb } = await makePayment()
  const answers = await atOnce(200, () => payerPays(mb, 10))
  const accepted = answers.filter(({ accepted }) => accepted)
  expect(accepted).toEqual([{ accepted: true, operation_id: id }])
  expect(new Set(answers.map(({ reason }) => reason))).toEqual(new Set([undefined, 'duplicatepayment']))
  await world.eventually(async () => callbacksOf(mb.ref).length === 200)
  expect(callbacksOf(mb.ref).filter(({ event }) => event === 'COMPLETED')).toHaveLength(1)
  expect(callbacksOf(mb.ref).filter(({ user_error }) => user_error === 'duplicatepayment')).toHaveLength(199)
})

it('the same notice sent 20 times at once has one effect', async () => {
  const { id, mb } = await makePayment()
  const recurring = (await world.shop.post('/api/v2/mb/reference', { max_amount: 20, min_amount: 5 })).body.mb
  const [once, many, wrong] = [randomUUID(), randomUUID(), randomUUID()]
  const answers = await atOnce(20, async () => [
    await payerPays(mb, 10, once),
    await payerPays(recurring, 7, many),
    await payerPays(recurring, 21, wrong),
  ])
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.[0]).toEqual({ accepted: true, operation_id: id })
  expect(answers[0]?.[2]).toEqual({ accepted: false, reason: 'badamount' })
  expect((await world.shop.get(`/api/v2/operations?mb_ref=${recurring.ref}`)).body.total).toBe(1)
  await world.eventually(
    async () => callbacksOf(mb.ref).length === 1 && callbacksOf(recurring.ref).length === 2,
  )
})

it('a recurring reference takes many payments at once, each for itself', async () => {
  const mb = (await world.shop.post('/api/v2/mb/reference', { max_amount: 200, min_amount: 1 })).body.mb
  const answers = await atOnce(100, (index) => payerPays(mb, index + 1))
  expect(new Set(answers.map(({ operation_id }) => operation_id)).size).toBe(100)
  await world.eventually(async () => callbacksOf(mb.ref).length === 100)
})

it('a payment and a deletion: one of them wins', async () => {
  for (let round = 0; round < 20; round++) {
    const { id, mb } = await makePayment()
    // Each round waits for another time, because no single moment separates the two requests.
    const pause = new Promise((resolve) => setTimeout(resolve, round % 5))
    const [paid, deleted] = await Promise.all([payerPays(mb, 10), pause.then(() => deleteReference(mb))])
    expect(deleted).toBe(paid.accepted ? 409 : 200)
    expect((await world.operation(id)).status).toBe(paid.accepted ? 'COMPLETED' : 'VOIDED')
  }
})

it('a payment that crosses the end of its reference has one outcome', async () => {
  const { now } = (await world.request('/sandbox/api/clock')).body
  const expires = new Date(Date.parse(now.replace('+0000', 'Z')) + 600_000).toISOString()
  const made = await atOnce(30, () => makePayment(world, { instant: true, expires }))
  const [answers] = await Promise.all([
    Promise.all(
      made.map(async ({ mb }, index) => {
        // Each payer waits for another time, because no single moment separates payers and clock.
        await new Promise((resolve) => setTimeout(resolve, index * 3))
        return payerPays(mb, 10)
      }),
    ),
    world.advance('PT10M1S'),
  ])
  for (const [index, { id, mb }] of made.entries()) {
    const status = answers[index].accepted ? 'COMPLETED' : 'FAIL'
    await world.eventually(async () => (await world.operation(id)).status === status)
    await world.eventually(async () => callbacksOf(mb.ref).length === 1)
    expect(callbacksOf(mb.ref)[0].event).toBe(status)
  }
})

it('a payment in time counts, also with a late notice: the network is asked before the end', async () => {
  const { now } = (await world.request('/sandbox/api/clock')).body
  const start = Date.parse(now.replace('+0000', 'Z'))
  const expires = new Date(start + 600_000).toISOString()
  const made = await makePayment(world, { instant: true, expires })
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  // Writes a row as if the connection to the gateway broke at the moment of the payment.
  await client.query(
    `insert into sandbox.reference_payments (id, entity, ref, amount, paid_at, state)
     values ($1, $2, $3, 1000, $4, 'UNANSWERED')`,
    [randomUUID(), made.mb.entity, made.mb.ref, new Date(start + 599_000)],
  )
  await client.end()
  await world.advance('PT11M')
  expect(await world.operation(made.id)).toMatchObject({ status: 'COMPLETED' })
  await world.eventually(async () => callbacksOf(made.mb.ref).length === 1)
  expect(callbacksOf(made.mb.ref)[0].event).toBe('COMPLETED')
})

it('a customer who then pays by card: card or reference pays, never both', async () => {
  const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }
  for (let round = 0; round < 12; round++) {
    const checkout = await world.createCheckout()
    const page = await openPage(checkout.url_redirect)
    await submit(page, formTo(page, '/mb?'))
    const { mb } = await world.operation(checkout.payment.id)
    const again = await openPage(`${checkout.url_redirect}?choose`)
    // Each round waits for another time, because no single moment separates the two requests.
    const pause = new Promise((resolve) => setTimeout(resolve, (round % 6) * 4))
    const [, paid] = await Promise.all([
      submit(again, formTo(again, '/card'), typed),
      pause.then(() => payerPays(mb, 10)),
    ])
    const operation = await world.eventually(async () => {
      const read = await world.operation(checkout.payment.id)
      return read.status === 'COMPLETED' && read
    })
    expect(operation.method).toBe(paid.accepted ? 'MB' : 'CC')
    expect('mb' in operation).toBe(paid.accepted)
  }
})

it('a method chosen twice at once makes one reference', async () => {
  const checkout = await world.createCheckout()
  const page = await openPage(checkout.url_redirect)
  const shown = await atOnce(8, () => submit(page, formTo(page, '/mb?')))
  const { mb } = await world.operation(checkout.payment.id)
  const digits = mb.ref.replace(/\d{3}(?=\d)/g, '$&\u00a0')
  for (const { html } of shown) expect(html).toContain(digits)
  await world.eventually(async () => callbacksOf(mb.ref).length === 1)
  const pending = world.receiver.received('/callbacks').filter(({ body }) => body.includes(checkout.id))
  expect(pending).toHaveLength(1)
})

it('two gateways on one database never issue the same reference', async () => {
  const environment = { MASTER_KEY_FILE: join(world.dataDir, 'master.key') }
  const other = await openWorld({ databaseUrl: world.databaseUrl ?? '' }, environment)
  try {
    const made = await atOnce(600, (index) => makePayment(index % 2 === 0 ? world : other))
    expect(new Set(made.map(({ mb }) => mb.ref.slice(0, 7))).size).toBe(600)
  } finally {
    await other.stop()
  }
})

it('the next deletion finishes one that stopped after voiding the payment', async () => {
  const { id, mb } = await makePayment()
  expect(await deleteReference(mb)).toBe(200)
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  const cutOff = 'update bank_references set deleted_at = null, due_at = now() where ref = $1'
  expect((await client.query(cutOff, [mb.ref])).rowCount).toBe(1)
  await client.end()
  expect((await atOnce(4, () => deleteReference(mb))).sort()).toEqual([200, 409, 409, 409])
  expect(await world.operation(id)).toMatchObject({ status: 'VOIDED' })
  expect(await payerPays(mb, 10)).toMatchObject({ accepted: false })
})
