// Debits of one balance by two processes on PostgreSQL.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { ibans, type Money, moneyOf } from '../money.ts'
import { type Json, startWorld, type World } from '../world.ts'

const crowd = 40
const commands = 8

let world: World
let money: Money

beforeAll(async () => {
  world = await startWorld('postgres', { WORKERS: '2' })
  money = moneyOf(world)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', ibans.paid)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

async function checkoutsOf(count: number, amount: number): Promise<Json[]> {
  const payment = { amount, currency: 'EUR' }
  return Promise.all(Array.from({ length: count }, () => world.createCheckout({ payment })))
}

it(`of ${crowd} payments from one balance those that fit succeed, and it is never negative`, async () => {
  const { email, pin } = await money.consumer(40)
  const checkouts = await checkoutsOf(crowd, 3)
  const pages = await Promise.all(
    checkouts.map((checkout) =>
      // The gateway checks PINs one at a time, so on a slow machine it answers "try again".
      world.eventually(async () => {
        const page = await money.pay(checkout, 'wallet', { email, pin })
        return page.status !== 503 && page
      }),
    ),
  )
  expect(pages.filter(({ text }) => text.includes('Payment made'))).toHaveLength(13)
  expect(pages.filter(({ text }) => text.includes('The balance is too small'))).toHaveLength(27)
  expect(await money.balanceOf(email)).toBe(1)
})

it('of many payments of one checkout one succeeds', async () => {
  const { email, pin } = await money.consumer(100)
  const [checkout] = await checkoutsOf(1, 10)
  const pages = await Promise.all(Array.from({ length: 20 }, () => openPage(checkout.url_redirect)))
  await Promise.all(pages.map((page) => submit(page, formTo(page, '/wallet'), { email, pin })))
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'WALLET' })
  expect(await money.balanceOf(email)).toBe(90)
})

it('a consumer who pays on many pages at once is not locked', async () => {
  const { email, pin } = await money.consumer(50)
  const checkouts = await checkoutsOf(8, 10)
  const pages = await Promise.all(checkouts.map((checkout) => money.pay(checkout, 'wallet', { email, pin })))
  expect(pages.filter(({ text }) => text.includes('Payment made'))).toHaveLength(5)
  expect(pages.filter(({ text }) => text.includes('The balance is too small'))).toHaveLength(3)
  expect(await money.balanceOf(email)).toBe(0)
})

const payout = (amount: string, ...more: string[]) =>
  world.cli('payout', '--wallet', String(world.shop.wallet_id), '--amount', amount, ...more)

it('of many payouts at once those that fit are ordered', async () => {
  const { balance, bank_reference } = await money.funds()
  const missing = 1000 - Number(balance)
  await money.sandbox('bank/transfer', { reference_text: bank_reference, amount: missing.toFixed(2) })
  const ordered = await Promise.all(Array.from({ length: commands }, () => payout('300')))
  expect(ordered.filter(({ code }) => code === 0)).toHaveLength(3)
  expect(await money.funds()).toMatchObject({ balance: '1000.00', on_its_way: '900.00' })
})

it('many orders of a payout under one request id make one payout', async () => {
  const before = await money.funds()
  const requestId = randomUUID()
  const ordered = await Promise.all(
    Array.from({ length: commands }, () => payout('1', '--request-id', requestId)),
  )
  expect(ordered.map(({ code }) => code)).toEqual(Array(commands).fill(0))
  expect(new Set(ordered.map(({ json }) => json.operation_id)).size).toBe(1)
  expect(ordered.filter(({ json }) => !json.repeated)).toHaveLength(1)
  const onItsWay = (Number(before.on_its_way) + 1).toFixed(2)
  expect(await money.funds()).toMatchObject({ on_its_way: onItsWay })
})

it('a schedule that is due in both processes orders one payout for each day', async () => {
  const scheduled = async () =>
    (await world.shop.get('/api/v2/payouts?limit=30')).body.elements.filter(
      ({ channel }: Json) => channel === 'SCHEDULE',
    )
  await money.sandbox('bank/transfer', {
    reference_text: (await money.funds()).bank_reference,
    amount: 500,
  })
  await world.request('/api/v2/payouts/schedule', {
    method: 'PUT',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ frequency: 'daily' }),
  })
  await Promise.all(Array.from({ length: 6 }, () => world.advance('P1D')))
  const { runs } = (await world.shop.get('/api/v2/payouts/schedule')).body
  const ordered = runs.filter(({ outcome }: Json) => outcome === 'ordered')
  expect(ordered.length).toBeGreaterThan(0)
  expect((await scheduled()).map(({ id }: Json) => id)).toEqual(
    ordered.map(({ operation_id }: Json) => operation_id),
  )
  expect(new Set(runs.map(({ day }: Json) => day)).size).toBe(runs.length)
  expect(Number((await money.funds()).balance)).toBeGreaterThanOrEqual(0)
})
