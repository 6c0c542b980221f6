// Callbacks: content, attempts and end (SPEC.md "Events").
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

/** Seconds between attempts, plus up to a tenth. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800, 43_200, 43_200]
const jitterMax = 0.1
/** Short pauses can pass during the test. */
const pauseSecondsWorthWaiting = 120

const received = () => world.receiver.received('/callbacks')

/** A payment with one delivered callback. */
async function paid(): Promise<string> {
  const before = received().length
  const checkout = await world.createCheckout({
    payment: { amount: 12.34, currency: 'EUR', ext_invoiceid: 'A-7', ext_customerid: 'C-7' },
  })
  await world.payOnPage(checkout, cards.frictionless)
  await world.receiver.waitFor('/callbacks', before + 1)
  return checkout.payment.id
}

it('of an operation has its twelve fields, also those that have nothing to say', async () => {
  const id = await paid()
  const reported: Json = JSON.parse(received().at(-1)?.body ?? '')
  const operation = await world.operation(id)
  expect(reported).toMatchObject({
    amount: 12.34,
    create_date: operation.date,
    currency: 'EUR',
    event: 'COMPLETED',
    ext_customerid: 'C-7',
    ext_email: null,
    ext_invoiceid: 'A-7',
    method: 'CC',
    modified_date: operation.modified_date,
    operation_id: id,
    operation_status: 'COMPLETED',
    user: world.shop.wallet_id,
  })
})

it('is sent again to an endpoint that failed, the same each time, until it is verified', async () => {
  world.receiver.script('/callbacks', { status: 500 })
  const before = received().length
  await paid()
  await world.eventually(async () => {
    await world.advance('PT1M')
    return received().length >= before + 3
  })
  const [first, ...again] = received().slice(before)
  for (const { body, headers } of again) {
    expect(body).toBe(first?.body)
    expect(headers['webhook-id']).toBe(first?.headers['webhook-id'])
  }
  expect(await world.shop.post('/api/v2/callback/verify', first?.body)).toMatchObject({ text: 'true' })
  const soFar = received().length
  await world.advance('PT12H')
  await world.advance('PT12H')
  expect(received()).toHaveLength(soFar)
})

it('is tried 13 times over about 48 hours, ever more seldom, and kept when it was given up', async () => {
  world.receiver.script('/callbacks', { status: 500 })
  const before = received().length
  await paid()
  for (const [index, pause] of pauses.entries()) {
    const made = before + index + 1
    if (pause >= pauseSecondsWorthWaiting) {
      await world.advance(`PT${Math.floor(pause * 0.9)}S`)
      expect(received()).toHaveLength(made)
      await world.advance(`PT${Math.ceil(pause * (0.1 + jitterMax))}S`)
    } else await world.advance(`PT${Math.ceil(pause * (1 + jitterMax))}S`)
    await world.receiver.waitFor('/callbacks', made + 1)
  }
  await world.advance('P7D')
  expect(received()).toHaveLength(before + 1 + pauses.length)
  const { callbacks } = (await world.cli('callbacks', 'list')).json
  expect(callbacks).toMatchObject([{ state: 'GIVEN_UP', attempts: 13, last_status: 500 }])
})
