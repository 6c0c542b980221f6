// A process is suspended between the write, the call to the rail and the settlement.
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Authorizing, authorizing } from '../authorizing.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { buildGates, type Gate, type Gates } from '../gates.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import { askedOnPhone, newPhone, type Phone } from '../phone.ts'
import { askToPay, payByToken } from '../stored-cards.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, startWorld, type World } from '../world.ts'

/** The gateway that keeps running, moves the clock and answers the test. */
let world: World
let other: GatewayProcess
let otherDir: string
let startOther: () => Promise<GatewayProcess>
let gates: Gates
let shop: Authorizing
let subscribers: Subscribers
let token: string
let phone: Phone

beforeAll(async () => {
  const databaseUrl = await createPostgresDatabase()
  world = await startWorld({ databaseUrl })
  otherDir = mkdtempSync(join(tmpdir(), 'comporta-other-'))
  cpSync(world.dataDir, otherDir, { recursive: true })
  const options = {
    dataDir: otherDir,
    databaseUrl,
    environment: { RATE_LIMITS: 'off' },
    port: await freePort(),
  }
  startOther = () => startGatewayProcess(options)
  other = await startOther()
  gates = await buildGates(databaseUrl)
  shop = authorizing(() => world)
  subscribers = subscribersOf(world)
  token = await shop.storeCard()
  phone = newPhone(world)
  const { body } = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
  await phone.approve(body.mandate_id, { amount_limit: 10_000 })
})
afterEach(async () => {
  await gates.openAll()
  for (const pid of [other.pid, world.pid()]) process.kill(pid, 'SIGCONT')
})
afterAll(async () => {
  await gates.end()
  await other.stop()
  await world.stop()
  rmSync(otherDir, { recursive: true, force: true })
})

interface Case {
  ask(): Promise<Answer | undefined>
  /** Whether a worker does this work. The running gateway must then not take it. */
  readonly isWorked?: boolean
  meanwhile?(): Promise<unknown>
}

const post = (path: string, body?: unknown) => world.shop.post(`${other.baseUrl}${path}`, body)
const byPhone = { method: 'MBWAY', amount: 10, currency: 'EUR' }
const newCard = {
  ...cards.frictionless,
  name: 'Ana Silva',
  vcode: '123',
  valdate: '12/2030',
  email: 'a@b.pt',
}

async function paidByPhone(type: 'PAYMENT' | 'AUTH'): Promise<string> {
  const asked = { ...byPhone, type, mbway: { phone: phone.number } }
  const { body } = await world.shop.post('/api/v2/payment', asked)
  expect(await world.operation(body.id)).toMatchObject({ status: 'COMPLETED' })
  return body.id
}

async function onPage(): Promise<Case> {
  const path = `${other.baseUrl}/prows/v2/payment`
  const { body } = await askToPay(world, token, { card: undefined, newCard }, path)
  return {
    async ask() {
      let page = await openPage(body.cardsecure_url_redirect)
      for (let step = 0; step < 6; step++) {
        const form = page.forms.find(({ action }) => /\/secure\/|\/3ds\/return\//.test(action))
        if (form !== undefined) page = await submit(page, form)
      }
      return undefined
    },
  }
}

async function charging(subscription: Json, isVoided: boolean): Promise<Case> {
  return {
    isWorked: true,
    async ask() {
      const path = `/api/v2/subscriptions/${subscription.id}/charge`
      const { status, text } = await post(path, { payment: { amount: 5, currency: 'EUR' } })
      if (status !== 200) throw new Error(text)
      return undefined
    },
    meanwhile: async () => isVoided && world.shop.delete(`/api/v2/subscriptions/${subscription.id}`),
  }
}

async function acceptedOnPhone(): Promise<Json> {
  const checkout = await subscribers.checkout({ end_date: '2040-01-01' })
  const asked = await askedOnPhone(world, checkout)
  const terms = { amount_limit: 500, expiry_date: '2029-05-31' }
  expect((await asked.phone.approve(asked.request.id, terms)).status).toBe(200)
  expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ status: 'APPROVED' })
  return checkout.subscription
}

/** Operations of every kind, in groups whose statements do not wait for each other. */
const batches: Record<string, (gate: Gate) => Promise<Case[]>> = {
  'payments by token, card data and phone, a capture, a refund': async () => {
    const hold = await shop.authorize(token, 10)
    const paid = await payByToken(world, token)
    return [
      { ask: () => askToPay(world, token, {}, `${other.baseUrl}/prows/v2/payment`) },
      await onPage(),
      { ask: () => post(`/api/v2/authorizations/${hold.id}/capture`, { amount: 4 }) },
      { ask: () => post(`/api/v2/operations/${paid.id}/refund`, { amount: 3 }) },
      {
        async ask() {
          await post('/api/v2/payment', { ...byPhone, type: 'PAYMENT', mbway: { phone: phone.number } })
          return undefined
        },
      },
    ]
  },
  'a release, a refund by phone, a charge of a card': async (gate) => {
    const hold = await shop.authorize(token, 10)
    const paid = await paidByPhone('PAYMENT')
    return [
      { ask: () => post(`/api/v2/authorizations/${hold.id}/release`, { amount: 4 }) },
      { ask: () => post(`/api/v2/operations/${paid}/refund`, { amount: 3 }) },
      await charging(await subscribers.accepted(), gate !== 'decided'),
    ]
  },
  'a capture and a release by phone, a charge under a mandate': async (gate) => {
    const holds = [await paidByPhone('AUTH'), await paidByPhone('AUTH')]
    return [
      { ask: () => post(`/api/v2/authorizations/${holds[0]}/capture`, { amount: 4 }) },
      { ask: () => post(`/api/v2/authorizations/${holds[1]}/release`, { amount: 4 }) },
      // The simulated network runs in the suspended process, and keeps the mandate locked during a charge.
      ...(gate === 'sent' ? [] : [await charging(await acceptedOnPhone(), gate !== 'decided')]),
    ]
  },
}

interface Held {
  readonly batch: readonly Case[]
  readonly answers: Promise<(Answer | undefined)[]>
  operations(): Promise<{ id: string; key: string; status: string; error: string | null }[]>
}

async function holdAt(gate: Gate, batch: readonly Case[]): Promise<Held> {
  const known = new Set(
    (await gates.rows<{ id: string }>(`select id from operations where status <> 'PENDING'`)).map(
      ({ id }) => id,
    ),
  )
  await gates.close(gate)
  const answers: Promise<Answer | undefined>[] = []
  for (const one of batch) {
    const before = await gates.waiting()
    if (one.isWorked === true) process.kill(world.pid(), 'SIGSTOP')
    answers.push(one.ask())
    await world.eventually(async () => (await gates.waiting()) > before)
  }
  return {
    batch,
    answers: Promise.all(answers),
    async operations() {
      const all = await gates.rows<{ id: string; key: string; status: string; error: string | null }>(
        `select id, coalesce(attempt_id, id) as key, status, error from operations where type <> 'USERTRANSFER'`,
      )
      return all.filter(({ id }) => !known.has(id))
    },
  }
}

function suspend(): void {
  process.kill(other.pid, 'SIGSTOP')
  process.kill(world.pid(), 'SIGCONT')
}

async function untilDecided(held: Held): Promise<void> {
  for (const one of held.batch) await one.meanwhile?.()
  await world.eventually(async () => {
    await world.advance('PT10M')
    const operations = await held.operations()
    return operations.length === held.batch.length && operations.every(({ status }) => status !== 'PENDING')
  })
}

const statuses = async (held: Held) => (await held.operations()).map(({ status }) => status)
const allOf = (held: Held, status: string) => held.batch.map(() => status)

async function advance(held: Held): Promise<(Answer | undefined)[]> {
  process.kill(other.pid, 'SIGCONT')
  return held.answers
}

async function expectCleanAudit(): Promise<void> {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
}

/** The requests under a key that each rail approved, even if it reversed them later. */
const approved = `
  select key, reversed_by from sandbox.authorizations where decline is null
  union all select key, reversed_by from sandbox.follow_ups where decline is null
  union all select key, reversed_by from sandbox.phone_requests where state = 'approved'
  union all select key, reversed_by from sandbox.phone_follow_ups where reference is not null`
const approvedOf = async (held: Held) =>
  gates.rows<{ key: string; reversed_by: string | null }>(
    `select * from (${approved}) as approved where key = any($1::uuid[])`,
    [(await held.operations()).map(({ key }) => key)],
  )

function expectFailed(answer: Answer | undefined): void {
  if (answer !== undefined) expect([30007, 40021]).toContain(answer.body.code)
}

/** Makes the rails forget cancellations, so that their keys can be used again. */
async function forgetCancelled(): Promise<void> {
  for (const [table, is] of [
    ['sandbox.authorizations', `decline = 'cancelled'`],
    ['sandbox.follow_ups', `decline = 'cancelled'`],
    ['sandbox.phone_requests', `state = 'withdrawn' and phone = ''`],
    ['sandbox.phone_follow_ups', `decline = 'withdrawn'`],
  ])
    await gates.rows(`delete from ${table} where ${is}`)
}

it.each(Object.keys(batches))(
  'suspended before the rail is called, %s fail and nothing is taken',
  async (name) => {
    const held = await holdAt('opened', (await batches[name]?.('opened')) ?? [])
    suspend()
    await gates.open('opened')
    await untilDecided(held)
    expect(await statuses(held)).toEqual(allOf(held, 'FAIL'))
    for (const answer of await advance(held)) expectFailed(answer)
    expect(await statuses(held)).toEqual(allOf(held, 'FAIL'))
    expect(await approvedOf(held)).toEqual([])
    await expectCleanAudit()
  },
)

it.each(Object.keys(batches))('suspended after the rail has decided, %s complete', async (name) => {
  const held = await holdAt('decided', (await batches[name]?.('decided')) ?? [])
  suspend()
  await gates.open('decided')
  await untilDecided(held)
  expect(await statuses(held)).toEqual(allOf(held, 'COMPLETED'))
  for (const answer of await advance(held))
    if (answer !== undefined) expect(answer).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
  expect(await approvedOf(held)).toHaveLength(held.batch.length)
  await expectCleanAudit()
})

it.each(Object.keys(batches))('suspended during the call, late arrivals of %s are reversed', async (name) => {
  const held = await holdAt('sent', (await batches[name]?.('sent')) ?? [])
  suspend()
  await untilDecided(held)
  expect(await statuses(held)).toEqual(allOf(held, 'FAIL'))
  await forgetCancelled()
  await gates.open('sent')
  await world.eventually(async () => (await gates.waiting()) === 0)
  // The suspended process runs the phone network, which writes nothing until the process continues.
  const arrived = (await approvedOf(held)).map(({ key }) => key)
  const { problems } = (await world.cli('audit')).json
  expect(problems.map(({ subject }: Json) => subject)).toEqual(expect.arrayContaining(arrived))
  for (const answer of await advance(held)) expectFailed(answer)
  await world.eventually(async () => {
    await world.advance('PT2H')
    const late = await approvedOf(held)
    return late.length === held.batch.length && late.every(({ reversed_by }) => reversed_by !== null)
  })
  expect(await statuses(held)).toEqual(allOf(held, 'FAIL'))
  await expectCleanAudit()
})

it('a request that arrives under a cancelled key is declined', async () => {
  const [name = ''] = Object.keys(batches)
  const held = await holdAt('sent', (await batches[name]?.('sent')) ?? [])
  suspend()
  await untilDecided(held)
  await gates.open('sent')
  for (const answer of await advance(held)) expectFailed(answer)
  expect(await approvedOf(held)).toEqual([])
  await expectCleanAudit()
})

it('a process delayed beyond the limit of calls makes no call: the clock moved', async () => {
  const [name = ''] = Object.keys(batches)
  const held = await holdAt('opened', (await batches[name]?.('opened')) ?? [])
  await world.advance('PT5M')
  await gates.open('opened')
  await held.answers
  expect(await approvedOf(held)).toEqual([])
  await untilDecided(held)
  expect(await statuses(held)).toEqual(allOf(held, 'FAIL'))
  await expectCleanAudit()
})

it('a process delayed for a moment renews its lease and continues', async () => {
  const [name = ''] = Object.keys(batches)
  const held = await holdAt('opened', (await batches[name]?.('opened')) ?? [])
  suspend()
  await gates.open('opened')
  // Longer than any statement waits, and shorter than the delay of the resolver.
  await pause(2500)
  for (const answer of await advance(held))
    if (answer !== undefined) expect(answer).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
  await world.eventually(async () => (await statuses(held)).every((status) => status === 'COMPLETED'))
  await expectCleanAudit()
})

it('a process that resumes after another gateway’s charge does not change the allowance', async () => {
  const { id } = await acceptedOnPhone()
  const [{ mandate_id } = { mandate_id: '' }] = await gates.rows<{ mandate_id: string }>(
    'select mandate_id from subscriptions where id = $1',
    [id],
  )
  const used = () => gates.rows('select used from mandate_allowances where mandate_id = $1', [mandate_id])
  const next = await charging(await subscribers.accepted(), false)
  const held = await holdAt('opened', [await charging({ id }, false)])
  suspend()
  await gates.open('opened')
  await untilDecided(held)
  expect(await statuses(held)).toEqual(['COMPLETED'])
  await gates.rows(`update mandates set state = 'SUSPENDED' where id = $1`, [mandate_id])
  // A gateway works on one round of charges at a time, so the other one must be stopped.
  process.kill(world.pid(), 'SIGSTOP')
  await advance(held)
  await next.ask()
  await world.eventually(async () => {
    const [row] = await gates.rows<{ status: string }>('select status from charges order by id desc limit 1')
    return row?.status === 'SUCCESS'
  })
  process.kill(world.pid(), 'SIGCONT')
  expect(await used()).toEqual([{ used: '500' }])
  await gates.rows(`update mandates set state = 'ACTIVE' where id = $1`, [mandate_id])
  await expectCleanAudit()
})

it('a charge under a suspended mandate is cancelled at the network before it fails', async () => {
  const { id } = await acceptedOnPhone()
  const held = await holdAt('sent', [await charging({ id }, false)])
  process.kill(world.pid(), 'SIGCONT')
  const mandate = 'id = (select mandate_id from subscriptions where id = $1)'
  await gates.rows(`update mandates set state = 'SUSPENDED' where ${mandate}`, [id])
  await untilDecided(held)
  expect(await held.operations()).toMatchObject([{ status: 'FAIL', error: 'mandate_suspended' }])
  await gates.open('sent')
  await world.eventually(async () => (await gates.waiting()) === 0)
  await held.answers
  expect(await approvedOf(held)).toEqual([])
  await gates.rows(`update mandates set state = 'ACTIVE' where ${mandate}`, [id])
  await expectCleanAudit()
})

/** Two requests of each kind, so that one statement can settle both. */
const keyedPairs: Record<string, () => Promise<{ path: string; body: Json; status: number }[]>> = {
  'a payment and an authorization by token': async () => [
    { path: '/prows/v2/payment', body: payBody(token), status: 200 },
    { path: '/prows/v2/authorization', body: payBody(token), status: 200 },
  ],
  'a capture and a release': async () => {
    const holds = [await shop.authorize(token, 10), await shop.authorize(token, 10)]
    return [
      { path: `/api/v2/authorizations/${holds[0].id}/capture`, body: keyed({ amount: 4 }), status: 200 },
      { path: `/api/v2/authorizations/${holds[1].id}/release`, body: keyed({}), status: 200 },
    ]
  },
  'a refund and a payment that is declined': async () => {
    const paid = await payByToken(world, token)
    const declined = await shop.storeCard(cards.declined.number)
    return [
      { path: `/api/v2/operations/${paid.id}/refund`, body: keyed({ amount: 3 }), status: 200 },
      { path: '/prows/v2/payment', body: payBody(declined), status: 402 },
    ]
  },
}
const keyed = (body: Json) => ({ ...body, request_id: randomUUID() })
const payBody = (card: string) =>
  keyed({
    amount: 10,
    currency: 'EUR',
    callback: world.receiver.url('/operation'),
    cardsecure_url_confirm: world.receiver.url('/confirm'),
    cardsecure_url_cancel: world.receiver.url('/cancel'),
    card: { token: card },
  })
const send = (baseUrl: string, path: string, body: Json) =>
  world.shop.post(baseUrl + path, body, { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` })
const answeredOf = async (requestId: string) => {
  const [row] = await gates.rows<{ status: string; in_one_commit: boolean }>(
    `select operations.status, operations.xmin = requests.xmin as in_one_commit
     from requests join operations
       on operations.wallet_id = requests.wallet_id and operations.id = requests.resource_id
     where requests.request_id = $1`,
    [requestId],
  )
  return row
}

it.each(Object.keys(keyedPairs))(
  'killed between settlement and answer, repeats of %s get always the same answer',
  async (name) => {
    const pair = (await keyedPairs[name]?.()) ?? []
    await gates.close('settled')
    const unanswered: Promise<Answer | undefined>[] = []
    for (const [index, { path, body }] of pair.entries()) {
      unanswered.push(send(other.baseUrl, path, body).catch(() => undefined))
      await world.eventually(async () => (await gates.waiting()) > index)
    }
    process.kill(other.pid, 'SIGSTOP')
    await gates.open('settled')
    for (const { body } of pair)
      await world.eventually(async () => (await answeredOf(body.request_id))?.status !== 'PENDING')
    await other.kill()
    expect(await Promise.all(unanswered)).toEqual(pair.map(() => undefined))
    other = await startOther()

    for (const { path, body, status } of pair) {
      const first = await send(world.baseUrl, path, body)
      expect(first).toMatchObject({ status })
      expect(first.headers.get('idempotent-replayed')).toBe('true')
      expect((await send(other.baseUrl, path, body)).text).toBe(first.text)
      if (status === 200) expect(await world.operation(first.body.id)).toMatchObject(first.body)
      else expect(first.body).toMatchObject({ code: 30007, operation_id: expect.any(String) })
    }
    await expectCleanAudit()
  },
)

it.each(Object.keys(keyedPairs))('one commit settles and answers %s', async (name) => {
  for (const { path, body, status } of (await keyedPairs[name]?.()) ?? []) {
    const first = await send(world.baseUrl, path, body)
    expect(first).toMatchObject({ status })
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(await answeredOf(body.request_id)).toMatchObject({ in_one_commit: true })
    const again = await send(other.baseUrl, path, body)
    expect(again).toMatchObject({ status, text: first.text })
    if (status === 200) expect(await world.operation(first.body.id)).toMatchObject(first.body)
  }
})

it('one statement opens a payment by card data and its attempt', async () => {
  const { card: _, ...body } = payBody(token)
  const { status } = await send(world.baseUrl, '/prows/v2/payment', { ...body, newCard })
  expect(status).toBe(200)
  // Reads which statement of its transaction wrote the row.
  const written = await gates.rows<{ xmin: string; cmin: string }>(
    `select made.xmin, made.cmin from operations as made join requests on id = resource_id where request_id = $1
     union select made.xmin, made.cmin from attempts as made join requests on operation_id = resource_id
       where request_id = $1
     union select xmin, cmin from requests where request_id = $1`,
    [body.request_id],
  )
  expect(written).toHaveLength(1)
})

it('the answer of a process that replaced a stalled one stays, and the payment is settled', async () => {
  const body = payBody(token)
  await gates.close('decided')
  const asked = send(other.baseUrl, '/prows/v2/payment', body)
  await world.eventually(async () => (await gates.waiting()) === 1)
  await gates.rows(
    `update requests set created_at = created_at - interval '2 minutes' where request_id = $1`,
    [body.request_id],
  )
  const first = await send(world.baseUrl, '/prows/v2/payment', body)
  expect(first).toMatchObject({ status: 200, body: { status: 'PENDING' } })
  await gates.open('decided')
  expect(await asked).toMatchObject({ status: 200, text: first.text })
  expect(await answeredOf(body.request_id)).toMatchObject({ status: 'COMPLETED', in_one_commit: false })
  expect((await send(world.baseUrl, '/prows/v2/payment', body)).text).toBe(first.text)
})

async function onItsWay() {
  const client = { phone: phone.number }
  const checkout = await world.createCheckout({ payment: { amount: 10, currency: 'EUR', client } })
  const form = await openPage(other.baseUrl + new URL(checkout.url_redirect).pathname)
  await gates.close('sent')
  const asked = submit(form, formTo(form, '/mbway'), {})
  await world.eventually(async () => (await gates.waiting()) === 1)
  return { checkout, asked, waiting: await openPage(checkout.url_redirect) }
}
const requestsOf = ({ payment: { id } }: Json) =>
  gates.rows<{ state: string; is_reversed: boolean; is_reserved: boolean }>(
    `select attempt.state, request.reversed_by is not null as is_reversed, reservation.id is not null as is_reserved
     from attempts as attempt
     left join sandbox.phone_requests as request on request.key = attempt.id and request.state = 'approved'
     left join mandate_reservations as reservation on reservation.id = attempt.id
     where attempt.operation_id = $1 and attempt.method = 'MBWAY'`,
    [id],
  )

it('a charge that the customer took back is reversed if the network takes it later', async () => {
  const { checkout, asked, waiting } = await onItsWay()
  await submit(waiting, formTo(waiting, '/withdraw'))
  await asked
  await forgetCancelled()
  await gates.open('sent')
  await world.eventually(async () => (await gates.waiting()) === 0)
  await world.payOnPage(checkout, cards.frictionless)
  await world.eventually(async () => {
    await world.advance('PT2H')
    return (await requestsOf(checkout))[0]?.is_reversed
  })
  expect(await requestsOf(checkout)).toEqual([{ state: 'REVERSED', is_reversed: true, is_reserved: false }])
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'CC' })
  await expectCleanAudit()
})

it('a charge that the network takes during the customer’s cancellation is paid and counts', async () => {
  const { checkout, asked, waiting } = await onItsWay()
  await gates.close('abandoned')
  const withdrawn = submit(waiting, formTo(waiting, '/withdraw'))
  await world.eventually(async () => (await gates.waiting()) === 2)
  await forgetCancelled()
  await gates.open('sent')
  await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
  await gates.open('abandoned')
  await Promise.all([asked, withdrawn])
  expect(await requestsOf(checkout)).toEqual([{ state: 'APPROVED', is_reversed: false, is_reserved: true }])
  await expectCleanAudit()
})

it('the operator sees how many approvals are not reversed yet', async () => {
  const told = async () =>
    /^comporta_late_approvals_unreversed (\d+)$/m.exec((await world.request('/metrics')).text)?.[1]
  expect(await told()).toBe('0')
  await gates.rows(
    `insert into attempts (wallet_id, id, operation_id, type, method, state, due_at)
     values (1000, gen_random_uuid(), gen_random_uuid(), 'PAYMENT', 'CC', 'TO_REVERSE', 'infinity')`,
  )
  expect(await told()).toBe('1')
  await gates.rows(`delete from attempts where due_at = 'infinity'`)
})
