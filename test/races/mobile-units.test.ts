// The customer approves on the phone while the merchant voids.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { askedOnPhone, newPhone, type Phone } from '../phone.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

let world: World
let database: pg.Client
let subscribers: Subscribers

beforeAll(async () => {
  const databaseUrl = await createPostgresDatabase()
  world = await startWorld({ databaseUrl }, { WORKERS: '2' })
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  subscribers = subscribersOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await database.end()
  await world.stop()
})

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const statusOf = async ({ id }: Json) => (await subscribers.read(id)).status
const voided = ({ id }: Json) => world.shop.delete(`/api/v2/subscriptions/${id}`)

/**
 * Runs two actors. The first starts `ahead` milliseconds before the second; with Infinity it finishes first. Each
 * round takes another lead, because no single moment separates their requests.
 */
async function race<Own, Other>(
  customersLeadMs: number,
  customer: () => Promise<Own>,
  other: () => Promise<Other>,
): Promise<[Own, Other]> {
  if (customersLeadMs === Infinity) return [await customer(), await other()]
  if (customersLeadMs === -Infinity) {
    const first = await other()
    return [await customer(), first]
  }
  return Promise.all([
    after(Math.max(0, -customersLeadMs)).then(customer),
    after(Math.max(0, customersLeadMs)).then(other),
  ])
}

function mandatesEnded(phone: Phone): Promise<unknown> {
  return world.eventually(async () => (await phone.mandates()).every(({ state }) => state === 'ENDED'))
}

it('approved and voided at once: first paid and then voided, or neither paid nor accepted', async () => {
  const seen = new Set<string>()
  for (const customersLeadMs of [-Infinity, -40, -20, -12, -6, -3, 0, 0, 3, 6, 12, 20, 40, Infinity]) {
    const checkout = await subscribers.checkout({}, { payment: { amount: 5, currency: 'EUR' } })
    const { phone, request } = await askedOnPhone(world, checkout)
    const [approved, answer] = await race(
      customersLeadMs,
      () => phone.approve(request.id),
      () => voided(checkout.subscription),
    )
    if (answer.status !== 200)
      await world.eventually(async () => (await voided(checkout.subscription)).status === 200)
    const paid = approved.status === 200
    expect(await statusOf(checkout.subscription)).toBe('VOIDED')
    expect((await world.operation(checkout.payment.id)).status).toBe(paid ? 'COMPLETED' : 'VOIDED')
    await mandatesEnded(phone)
    seen.add(paid ? 'paid' : 'not paid')
  }
  expect(seen.size).toBe(2)
})

it('a mandate approved while its subscription is voided has no effect, and ends', async () => {
  // Each round waits for another time, because no single moment separates phone and merchant.
  for (let round = 0; round < 12; round++) {
    const checkout = await subscribers.checkout()
    const { phone, request } = await askedOnPhone(world, checkout)
    const [, answer] = await Promise.all([
      after((round % 4) * 5).then(() => phone.approve(request.id)),
      after(Math.floor(round / 4) * 5).then(() => voided(checkout.subscription)),
    ])
    expect(answer.body).toMatchObject({ status: 'VOIDED' })
    await mandatesEnded(phone)
    await world.eventually(async () => {
      const { state } = (await world.shop.get(`/api/v2/mandate/mbway/${request.id}`)).body
      return state === 'EXPIRED' || state === 'VOIDED'
    })
    expect((await subscribers.charge(checkout.subscription.id, 1)).body).toMatchObject({ code: 10013 })
  }
})

it('approved on the phone after another attempt was chosen: the mandate ends, and the card is charged', async () => {
  const checkout = await subscribers.checkout({}, { payment: { amount: 5, currency: 'EUR' } })
  const { phone, request } = await askedOnPhone(world, checkout)
  // Changes the row as if a process abandoned the request while the network still has it.
  await database.query(
    'update operations set attempt_id = gen_random_uuid(), under_approval = false, method = null where id = $1',
    [checkout.payment.id],
  )
  expect((await phone.approve(request.id)).status).toBe(200)
  await mandatesEnded(phone)
  await world.payOnPage(checkout, cards.frictionless)
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'CC' })
  expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ status: 'APPROVED' })
  const charged = await subscribers.charge(checkout.subscription.id, 1)
  expect(charged.status).toBe(200)
  const charge = await subscribers.processed(checkout.subscription.id, charged.body.id)
  expect(charge).toMatchObject({ status: 'SUCCESS' })
})

it('approved and canceled on the phone at once: a payment stays, and no later charge happens', async () => {
  for (let round = 0; round < 8; round++) {
    const checkout = await subscribers.checkout({}, { payment: { amount: 5, currency: 'EUR' } })
    const { phone, request } = await askedOnPhone(world, checkout)
    const cancel = async () => {
      while ((await phone.change(request.mandate_id, 'cancel')).status !== 200) await after(2)
    }
    // Each round waits for another time, so that two touches of one phone race.
    await Promise.all([phone.approve(request.id), after(round * 3).then(cancel)])
    await world.eventually(async () => (await statusOf(checkout.subscription)) === 'CANCELED')
    expect((await world.operation(checkout.payment.id)).status).toBe('COMPLETED')
  }
})

it('a phone asked by many at once, in two processes, has three open requests', async () => {
  for (let round = 0; round < 4; round++) {
    const phone = newPhone(world)
    const checkouts = await Promise.all([1, 2, 3, 4].map(() => world.createCheckout()))
    const pages = await Promise.all(checkouts.map(({ url_redirect }) => openPage(url_redirect)))
    const mbway = { phone: phone.number }
    const payment = { method: 'MBWAY', type: 'PAYMENT', amount: 5, currency: 'EUR', mbway }
    const statuses = await Promise.all([
      ...Array.from({ length: 6 }, async () => (await world.shop.post('/api/v2/payment', payment)).status),
      ...[1, 2].map(async () => {
        const mandate = { phone: phone.number, type: 'ONECLICK' }
        return (await world.shop.post('/api/v2/mandate/mbway', mandate)).status
      }),
      ...pages.map(async (page) => (await submit(page, formTo(page, '/mbway'), mbway)).status),
    ])
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(9)
    expect(await phone.requests()).toHaveLength(3)
  }
})

it.each(['payment', 'subscription', 'unit'])(
  'a %s approved on the phone and taken back on the page at once: one of the two, and paid once',
  async (kind) => {
    const seen = new Set<string>()
    for (const customersLeadMs of [-Infinity, -20, -12, -6, -3, 0, 0, 3, 6, 12, 20, Infinity]) {
      const payment = { amount: 5, currency: 'EUR' }
      const checkout =
        kind === 'payment'
          ? await world.createCheckout({ payment })
          : await subscribers.checkout({}, kind === 'unit' ? { payment } : {})
      const { phone, request } = await askedOnPhone(world, checkout)
      const waiting = await openPage(checkout.url_redirect)
      const [approved] = await race(
        customersLeadMs,
        () => phone.approve(request.id),
        () => submit(waiting, formTo(waiting, '/withdraw')),
      )
      const won = approved.status === 200
      seen.add(won ? 'approved' : 'taken back')
      if (!won) await world.payOnPage(checkout, cards.frictionless)
      const method = won ? 'MBWAY' : 'CC'
      if (kind !== 'subscription')
        expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method })
      if (kind !== 'payment')
        expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ status: 'APPROVED' })
      expect((await phone.requests()).map(({ state }) => state)).toEqual([won ? 'APPROVED' : 'WITHDRAWN'])
      if (!won) await mandatesEnded(phone)
    }
    expect(seen.size).toBe(2)
  },
)
