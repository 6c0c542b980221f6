// Stripe's bookings of a day, with our keys.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { cents } from '../../../src/kernel/money.ts'
import { after, day, minute, systemClock } from '../../../src/kernel/time.ts'
import type { CardAuthorization } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { openTestDatabase } from '../../database.ts'
import { openConnection } from './connect.ts'
import { type FakeStripe, secretKey, startStripe, webhookSecret } from './index.ts'

let database: Database
let fake: FakeStripe
let passedMs = 0
const now = () => after(systemClock.now(), passedMs)
beforeAll(async () => {
  ;[database, fake] = await Promise.all([openTestDatabase('pglite'), startStripe(now)])
})
afterAll(async () => {
  await fake.provider.close()
  await database.close()
})

const payment = (intent: 'sale' | 'hold', amount: number): CardAuthorization => ({
  ...{ key: randomUUID(), merchant: { id: 1001n, name: 'Loja' }, amount: cents(amount), currency: 'EUR' },
  card: { number: '4242424242424242', expiry: { month: 12, year: 2035 }, vcode: '123', name: 'Ana Sousa' },
  intent,
})

it('names payments, captures, refunds, disputes, payouts and fees', async () => {
  const account = { secretKey, webhookSecret, url: fake.provider.url }
  const { rails, statement } = await openConnection(database, account, { clock: { now } })
  const { acquirer, mobileWallet } = rails
  const [early, sale, hold, mixed] = [
    payment('sale', 100),
    payment('sale', 1000),
    payment('hold', 2000),
    payment('hold', 900),
  ]
  await acquirer.authorize(early)
  passedMs += day
  const today = lisbonDayOf(now())
  for (const one of [sale, hold, mixed]) await acquirer.authorize(one)
  const follow = (of: CardAuthorization, amount: number) => ({
    ...{ key: randomUUID(), original: of.key, merchant: of.merchant, currency: 'EUR', amount: cents(amount) },
  })
  const [capture, twin, other, refund] = [
    follow(hold, 700),
    follow(mixed, 300),
    follow(mixed, 300),
    follow(sale, 400),
  ]
  for (const one of [capture, twin, other]) await acquirer.capture(one)
  await acquirer.refund(refund)
  fake.endRefund(refund.key, 'failed')
  const phone = { key: randomUUID(), merchant: sale.merchant, amount: cents(750), currency: 'EUR' }
  const asked = { ...phone, phone: '+351912345678', expires: after(now(), 4 * minute) }
  await mobileWallet.requestPayment({ ...asked, intent: 'sale' })
  fake.answerPhone(phone.key, 'approve')
  const dispute = fake.dispute(sale.key)
  fake.winDispute(dispute)
  fake.payOut(5000)

  const lines = await statement(today)
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
  expect(lines.map(({ kind, amount, fee, key }) => [kind, Number(amount), Number(fee), key])).toEqual([
    ['payment', 1000, 25, sale.key],
    ['payment', 700, 25, capture.key],
    // Two captures of one amount: the key is unknown.
    ['payment', 300, 25, undefined],
    ['payment', 300, 25, undefined],
    ['refund', -400, 0, refund.key],
    ['refund', 400, 0, refund.key],
    ['payment', 750, 25, phone.key],
    ['dispute', -1000, 2000, sale.key],
    ['dispute', 1000, -2000, sale.key],
    ['payout', -5000, 0, undefined],
    ['fee', -500, 0, undefined],
  ])
  expect(lines[2]?.providerId).toBe(fake.intentOf(mixed.key)?.id)
  expect(await statement(addDays(today, -1))).toMatchObject([{ key: early.key, amount: 100n }])
  expect(await statement(addDays(today, 1))).toEqual([])
})
