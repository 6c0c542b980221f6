// Automatic charges of two processes: each cycle has one winner, and payments continue meanwhile.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { after, type Instant, instant, toTimestamp } from '../../src/kernel/time.ts'
import { statement } from '../../src/storage/index.ts'
import type { AutoCharge } from '../../src/subscriptions/auto/model.ts'
import { nextStep } from '../../src/subscriptions/auto/rules.ts'
import { chargeCycles, claimDueAutoCharges, type PlannedCharge } from '../../src/subscriptions/auto/store.ts'
import type { NewCharge } from '../../src/subscriptions/model.ts'
import { insertSubscription } from '../../src/subscriptions/store.ts'
import { createPostgresDatabase, openTestDatabase } from '../database.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

let world: World
let subscribers: Subscribers

beforeAll(async () => {
  world = await startWorld({ databaseUrl: await createPostgresDatabase() }, { WORKERS: '2' })
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
