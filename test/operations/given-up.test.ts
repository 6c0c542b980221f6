// The gateway crashes after it has given a request up. Another process continues.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CardAttemptDetails } from '../../src/methods/cards/model.ts'
import { finishAttempt } from '../../src/operations/attempts/customers/store.ts'
import { findAttempt, recordStep } from '../../src/operations/for-methods.ts'
import { openPostgres } from '../../src/storage/index.ts'
import { authorizing, followUpsSilentThenDeclined } from '../authorizing.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, type World } from '../world.ts'

let world: World
let database: pg.Client
let databaseUrl: string

beforeAll(async () => {
  databaseUrl = await createPostgresDatabase()
  world = await openWorld({ databaseUrl })
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await database.end()
  await world.stop()
})

/** Writes the state after the crash: the request is given up and due, and its operation is still PENDING. */
async function giveUp(operationId: string): Promise<void> {
  const { rowCount } = await database.query(
    `insert into attempts (wallet_id, id, operation_id, type, method, state, given_up_at, due_at)
     select wallet_id, id, id, type, method, 'GIVEN_UP', created_at, created_at from operations
     where id = $1 and status = 'PENDING'
     on conflict (wallet_id, id) do update set
       state = 'GIVEN_UP', tries = 0, given_up_at = excluded.given_up_at, due_at = excluded.due_at`,
    [operationId],
  )
  expect(rowCount).toBe(1)
}

async function attemptOf(operationId: string) {
  const { rows } = await database.query('select state, tries from attempts where id = $1', [operationId])
  return rows[0]
}

it('a payment fails, and its late approval is reversed', async () => {
  const token = await storeCard(world, cards.silentThenApproved.number)
  const { body: payment } = await askToPay(world, token)
  await giveUp(payment.id)
  await world.eventually(async () => (await world.operation(payment.id)).status === 'FAIL')
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await attemptOf(payment.id)).state === 'REVERSED'
  })
})

it('a charge fails and releases its reservation, and its late approval is reversed', async () => {
  const subscribers = subscribersOf(world)
  const { id } = await subscribers.accepted({}, cards.silentThenApproved)
  const { body: charge } = await subscribers.charge(id, 5)
  const paymentOf = async () => {
    const { rows } = await database.query(`select operation_id from charges where id = $1 and opened`, [
      charge.id,
    ])
    return rows[0]?.operation_id as string | undefined
  }
  const payment = (await world.eventually(paymentOf)) as string
  await giveUp(payment)
  await world.eventually(async () => (await subscribers.chargeOf(id, charge.id)).status === 'FAIL')
  const { rows } = await database.query(
    `select charges.error, subscriptions.cycle_charged::integer as charged
     from charges join subscriptions on subscriptions.id = charges.subscription_id
     where charges.id = $1`,
    [charge.id],
  )
  expect(rows).toEqual([{ error: 'rail_unavailable', charged: 0 }])
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await attemptOf(payment)).state === 'REVERSED'
  })
})

/** Writes the same state for the attempt of a customer. */
async function giveUpByCard(operationId: string): Promise<string> {
  const { rows } = await database.query(
    `update attempts set state = 'GIVEN_UP', tries = 0, given_up_at = created_at, due_at = created_at,
       failure = 'acquirer_unavailable', sealed_card = null
     where operation_id = $1 and owner is not null and state = 'ASKED' returning id`,
    [operationId],
  )
  expect(rows).toHaveLength(1)
  return rows[0].id
}

it.each([
  ['a checkout', () => world.createCheckout()],
  [
    'a subscription that is accepted with a payment',
    () => subscribersOf(world).checkout({}, { payment: { amount: 10, currency: 'EUR' } }),
  ],
])("the customer's attempt at %s is reversed, and they pay with another card", async (_, open) => {
  const checkout = (await open()) as Awaited<ReturnType<World['createCheckout']>> & { url_redirect: string }
  await world.payOnPage(checkout, cards.silentThenApproved)
  const attempt = await giveUpByCard(checkout.payment.id)
  await world.eventually(async () =>
    (await openPage(checkout.url_redirect)).forms.some(({ action }) => action.includes('/card')),
  )
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await attemptOf(attempt)).state === 'REVERSED'
  })
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
  await world.payOnPage(checkout, cards.frictionless)
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
})

it('a verified card is not accepted after it was given up, and nothing is reversed', async () => {
  const { subscription, url_redirect } = await subscribersOf(world).checkout()
  const page = await openPage(url_redirect)
  const typed = { number: cards.challenge.number, name: 'Ana', expiry: '12/30', vcode: '123' }
  await submit(page, formTo(page, '/card'), typed)
  // Writes the state of an acquirer that verifies cards and confirms one late.
  const { rows } = await database.query(
    `update attempts set state = 'GIVEN_UP', tries = 0, given_up_at = created_at, due_at = created_at,
       failure = 'acquirer_unavailable', sealed_card = null
     where operation_id = $1 and state = 'OPEN' returning id`,
    [subscription.id],
  )
  expect(rows).toHaveLength(1)
  await database.query(
    `insert into sandbox.authorizations
       (key, merchant_id, amount, currency, intent, last4, reference, approval_code, decided_at)
     values ($1, $2, 1, 'EUR', 'hold', '0092', 'verified', '000000', now())`,
    [rows[0].id, world.shop.wallet_id],
  )
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await attemptOf(rows[0].id)).state === 'CLOSED'
  })
  await database.query('delete from sandbox.authorizations where key = $1', [rows[0].id])
  expect(await subscribersOf(world).read(subscription.id)).toMatchObject({ status: 'NEW' })
  expect(world.output()).not.toContain('has no card any more')
})

it('an attempt whose customer was authenticated does not move for a process that read it before', async () => {
  const checkout = (await world.createCheckout()) as { url_redirect: string; payment: { id: string } }
  const page = await openPage(checkout.url_redirect)
  const typed = { number: cards.challenge.number, name: 'Ana', expiry: '12/30', vcode: '123' }
  await submit(page, formTo(page, '/card'), typed)
  const { rows } = await database.query(
    `select wallet_id, id from attempts where operation_id = $1 and state = 'OPEN'`,
    [checkout.payment.id],
  )
  const gateway = openPostgres({ url: databaseUrl })
  const found = () => findAttempt<CardAttemptDetails>(gateway, 'CC', BigInt(rows[0].wallet_id), rows[0].id)
  try {
    const read = await found()
    if (read === undefined) throw new Error('there is no attempt')
    expect(read.details.step).toBe('CHALLENGED')
    const now = read.modifiedAt
    const authenticated = await recordStep(gateway, read, { step: 'AUTHENTICATED' }, now, now)
    expect(authenticated?.details.step).toBe('AUTHENTICATED')
    const end = { state: 'DECLINED', failure: 'authentication_timeout' } as const
    expect(await recordStep(gateway, read, { step: 'CHALLENGED' }, now, now)).toBeUndefined()
    expect(await finishAttempt(gateway, read, end, now)).toBe(false)
  } finally {
    await gateway.close()
  }
  await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
})

it.each([
  ['a payment', 'PAYMENT'],
  ['a capture', 'CAPTURE'],
  ['a release', 'RELEASE'],
  ['a refund', 'REFUND'],
] as const)('%s that never reached its rail is not reported as a decline', async (_, type) => {
  const shop = authorizing(() => world)
  const token = await storeCard(
    world,
    type === 'PAYMENT' ? cards.silentThenApproved.number : followUpsSilentThenDeclined,
  )
  const asks = {
    PAYMENT: () => askToPay(world, token),
    CAPTURE: async () => shop.capture((await shop.authorize(token, 10)).id, { amount: 2 }),
    RELEASE: async () => shop.release((await shop.authorize(token, 10)).id, { amount: 2 }),
    REFUND: async () =>
      world.shop.post(`/api/v2/operations/${(await payByToken(world, token)).id}/refund`, { amount: 2 }),
  }
  const asking = asks[type]()
  const pending = async () =>
    (await database.query(`select id from operations where type = $1 and status = 'PENDING'`, [type])).rows[0]
  await expect.poll(pending).toBeDefined()
  const { id } = await pending()
  await giveUp(id)
  expect(await asking).toMatchObject({
    status: 503,
    body: { code: 40021, reason: expect.stringContaining('could not be reached'), operation_id: id },
  })
})
