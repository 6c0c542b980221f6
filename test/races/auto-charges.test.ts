// Automatic charges of two processes: each cycle has one winner, and payments continue meanwhile.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { after, type Instant, instant, toTimestamp } from '../../src/kernel/time.ts'
import { statement } from '../../src/storage/index.ts'
import type { AutoCharge } from '../../src/subscriptions/auto/model.ts'
import { nextStep } from '../../src/subscriptions/auto/rules.ts'
import { chargeCycles, claimDueAutoCharges, type PlannedCharge } from '../../src/subscriptions/auto/store.ts'
import type { NewCharge } from '../../src/subscriptions/model.ts'
import { insertSubscription } from '../../src/subscriptions/store.ts'
import { createPostgresDatabase, openTestDatabase } from '../database.ts'
import { patienceSeconds } from '../patience.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, startWorld, type World } from '../world.ts'

let world: World
let subscribers: Subscribers
let databaseUrl: string

beforeAll(async () => {
  databaseUrl = await createPostgresDatabase()
  world = await startWorld({ databaseUrl }, { WORKERS: '2' })
  subscribers = subscribersOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

it.each([
  ['both still hold the lease', false],
  ['one of them has lost it', true],
])('of two processes that charge the same cycle at once, one does: %s', async (_, isLost) => {
  const database = await openTestDatabase('postgres')
  const now = instant(Date.parse('2027-03-01T08:00:00Z'))
  const ids = { walletId: 1n, subscriptionId: randomUUID() }
  const terms = { amount: cents(500), retries: [1] }
  await insertSubscription(database, {
    ...{ id: ids.subscriptionId, walletId: 1n, amount: cents(5000), currency: 'EUR', createdAt: now },
    ...{
      frequency: 1,
      period: 'MONTH',
      startDate: '2027-03-01',
      checkoutId: randomUUID(),
      autoCharge: terms,
    },
  })
  await database.run(
    statement(
      "update subscriptions set status = 'APPROVED', method = 'CC', attempt_id = id, card_token = id, modified_at = $1",
    ),
    [toTimestamp(now)],
  )
  const claim = async (at: Instant) => {
    const [auto] = await claimDueAutoCharges(database, at, after(at, 30_000), 10)
    if (auto === undefined) throw new Error('nothing is due')
    return auto
  }
  const first = await claim(now)
  const second = isLost ? await claim(after(now, 60_000)) : first
  const planned = (auto: AutoCharge): PlannedCharge => {
    const step = nextStep(
      auto,
      { frequency: 1, period: 'MONTH', startDate: '2027-03-01', endDate: undefined },
      now,
    )
    if (step.kind !== 'charge') throw new Error('no charge is due')
    const { attempt } = step
    const charge: NewCharge = {
      ...{ id: randomUUID(), ...ids, operationId: randomUUID(), amount: attempt.amount, currency: 'EUR' },
      ...{ number: attempt.number, attempt: attempt.attempt, retryOn: attempt.retryOn, createdAt: now },
    }
    const failure = {
      id: randomUUID(),
      walletId: 1n,
      kind: 'charge',
      subject: charge.id,
      event: 'FAIL',
    } as const
    const payload = { charge_order_id: charge.id }
    const sent = { payload, endpoint: 'wallet', hasEndpoint: false, createdAt: now } as const
    return { auto, charge, attempt, error: undefined, failure: { ...failure, ...sent } }
  }
  const outcomes = await Promise.all(
    [first, second, first, second].map((auto) => chargeCycles(database, [planned(auto)])),
  )
  expect(outcomes.flat().sort()).toEqual(['changed', 'changed', 'changed', 'made'])
  if (isLost) expect(outcomes.flat().filter((_, index) => index % 2 === 0)).toEqual(['changed', 'changed'])
  const made = await database.run(statement<{ cycle: number }>('select cycle from charges'), [])
  expect(made).toEqual([{ cycle: 0 }])
  // Paused before its answer: the refusal promises no further attempt.
  await database.run(statement("update auto_charges set status = 'PAUSED', due_at = null"), [])
  await database.run(statement("update charges set status = 'FAIL', error = 'failed', due_at = null"), [])
  const refused = statement<{ outcome: string; retry_on: string | null; promised: string | null }>(
    'select outcome, auto_charges.retry_on, charges.retry_on as promised from auto_charges cross join charges',
  )
  expect(await database.run(refused, [])).toEqual([{ outcome: 'FAILED', retry_on: null, promised: null }])
  await database.close()
})

const due = 200
const acceptedAtOnce = 10

it('200 subscriptions due at 08:00 are charged once each, and customers pay meanwhile', async () => {
  const { now, accepted } = subscribers
  const tomorrow = new Date((await now()).getTime() + 86_400_000)
  const start_date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(tomorrow)
  const ids: string[] = []
  while (ids.length < due) {
    const some = Array.from({ length: acceptedAtOnce }, async (_, index) => {
      const auto_charge = { amount: 2, ext_invoiceid: `A${ids.length + index}` }
      return (await accepted({ start_date, period: 'WEEK', auto_charge })).id as string
    })
    ids.push(...(await Promise.all(some)))
  }
  // The clock jumps while customers pay.
  const expires = new Date((await now()).getTime() + 14 * 86_400_000).toISOString()
  let isMoving = true
  const paying = (async () => {
    let paid = 0
    while (isMoving) {
      const checkout = await world.createCheckout({ payment: { amount: 1, currency: 'EUR' }, expires })
      await world.payOnPage(checkout, cards.frictionless)
      expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
      paid += 1
    }
    return paid
  })()
  await world.advance('P2D')
  await world.eventually(async () => {
    const { body } = await world.shop.get('/api/v2/auto_charges/results')
    return body.paid_at_once === due
  })
  isMoving = false
  expect(await paying).toBeGreaterThan(0)
  await world.advance('P1D')
  for (const [index, id] of ids.entries()) {
    const { total, elements } = (await world.shop.get(`/api/v2/subscriptions/${id}/charge`)).body
    expect(total).toBe(1)
    expect((elements as Json[])[0]?.charge_order.auto_charge).toMatchObject({ number: 1, attempt: 1 })
    expect((await world.shop.get(`/api/v2/operations?ext_invoiceid=A${index}-1`)).body.total).toBe(1)
  }
})

describe('changes of one subscription at once', () => {
  /** Holds rows of the subscription until so many requests wait, and answers them in the order of their calls. */
  async function heldUp(
    lock: string,
    id: string,
    calls: readonly (() => Promise<Answer>)[],
  ): Promise<Answer[]> {
    const holder = new pg.Client({ connectionString: databaseUrl })
    const watcher = new pg.Client({ connectionString: databaseUrl })
    await Promise.all([holder.connect(), watcher.connect()])
    const waiting = async () =>
      Number(
        (
          await watcher.query(
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).rows[0].count,
      )
    await holder.query('begin')
    await holder.query(lock, [id])
    const answers: Promise<Answer>[] = []
    for (const [index, call] of calls.entries()) {
      answers.push(call())
      await expect.poll(waiting, { timeout: patienceSeconds * 1000 }).toBeGreaterThan(index)
    }
    await holder.query('commit')
    const all = await Promise.all(answers)
    await Promise.all([holder.end(), watcher.end()])
    return all
  }

  const lockSchedule = 'select from auto_charges where subscription_id = $1 for update'
  const lockSubscription = 'select from subscriptions where id = $1 for update'
  const path = (id: string) => `/api/v2/subscriptions/${id}`
  const patch = (id: string, auto_charge: object) => () =>
    world.request(path(id), {
      method: 'PATCH',
      headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ auto_charge }),
    })
  const later = async () =>
    new Date((await subscribers.now()).getTime() + 9 * 86_400_000).toISOString().slice(0, 10)
  const subscribed = async (change: object = {}): Promise<string> =>
    (await subscribers.accepted({ start_date: await later(), ...change })).id

  it('a change that meets a cancellation does not start the charges again', async () => {
    const id = await subscribed({ auto_charge: { amount: 5 } })
    const cancel = () => world.shop.delete(path(id))
    const [cancelled, changed] = await heldUp(lockSchedule, id, [cancel, patch(id, { amount: 6 })])
    expect(cancelled?.status).toBe(200)
    expect(changed?.body).toMatchObject({ code: 10013 })
    expect(await subscribers.read(id)).toMatchObject({ status: 'VOIDED', auto_charge: { status: 'ENDED' } })
    await world.advance('P10D')
    expect((await world.shop.get(`${path(id)}/charge`)).body.total).toBe(0)
  })

  it('two changes of different fields are both kept', async () => {
    const id = await subscribed({ auto_charge: { amount: 5 } })
    const calls = [patch(id, { amount: 7 }), patch(id, { max_charges: 3 })]
    const answers = await heldUp(lockSchedule, id, calls)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await subscribers.read(id)).auto_charge).toMatchObject({ amount: 7, max_charges: 3 })
  })

  it('two requests that start the charges each answer with their own amount', async () => {
    const id = await subscribed()
    const answers = await heldUp(lockSubscription, id, [patch(id, { amount: 7 }), patch(id, { amount: 8 })])
    expect(answers.map(({ body }) => body.auto_charge.amount)).toEqual([7, 8])
    expect((await subscribers.read(id)).auto_charge).toMatchObject({ amount: 8 })
  })
})
