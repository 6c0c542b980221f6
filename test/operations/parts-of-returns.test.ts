// A refund counts once as a part of a returned debit.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { openClawback, takeAsPart } from '../../src/operations/for-methods.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { createPostgresDatabase } from '../database.ts'

const walletId = 7n
const [payment, withdrawn, refund, reportId] = [1, 2, 3, 9].map(
  (digit) => `00000000-0000-4000-8000-00000000000${digit}`,
) as [string, string, string, string]

let database: Database
beforeAll(async () => {
  database = openPostgres({ url: await createPostgresDatabase() })
  // The bank returned 6 of 10. The gateway has clawed back 3, and a refund of 3 is undecided.
  await database.run(
    statement(`
      insert into wallets (id, public_id, kind, name, email, callback_user, callback_secret_sealed, callback_signing_sealed,
        created_at, modified_at)
      overriding system value
      values (7, 'seven', 'merchant', 'Seven', 'seven@example.com', 'seven', '\\x00', '\\x00', now(), now())`),
  )
  await database.run(
    statement(`
      insert into operations (
        id, wallet_id, parent_id, type, status, method, amount, refunded, currency, channel, rail_payment_id,
        settled_at, created_at, modified_at
      )
      values
        ('${payment}', 7, null, 'PAYMENT', 'COMPLETED', 'SEPA', 1000, 600, 'EUR', 'CHECKOUT', null, now(), now(), now()),
        ('${withdrawn}', 7, '${payment}', 'REFUND', 'COMPLETED', 'SEPA', -300, 0, 'EUR', 'BANK', '${reportId}',
          now(), now(), now()),
        ('${refund}', 7, '${payment}', 'REFUND', 'PENDING', 'SEPA', -300, 0, 'EUR', 'API', null, null, now(), now())`),
  )
})
afterAll(() => database.close())

const part = (amount: bigint) =>
  database.transaction((tx) =>
    takeAsPart(tx, { walletId, id: refund }, { reportId, paymentId: payment, amount: cents(amount) }),
  )
const withdraw = () =>
  database.transaction((tx) =>
    openClawback(
      { clock: systemClock, random: systemRandomness },
      tx,
      { walletId, id: payment },
      {
        ...{ reportId, channel: 'BANK' as const, reason: 'MD06' },
        amount: cents(600n),
      },
    ),
  )

it('does not count if the total exceeds the return', async () => {
  expect(await part(599n)).toBe(false)
})

it('leaves nothing to claw back, though the payment has more left', async () => {
  expect([await part(600n), await part(600n)]).toEqual([true, true])
  const { withdrawals, missing, undecided } = await withdraw()
  expect([withdrawals.map(({ id }) => id), missing, undecided]).toEqual([[withdrawn], 0n, undefined])
})
