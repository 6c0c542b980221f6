// The history of a wallet's IBANs.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { payoutChecks } from '../../src/payouts/audit.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { findingsAfter } from '../broken-books.ts'
import { createPostgresDatabase } from '../database.ts'

const check = payoutChecks.filter(({ name }) => name === 'payouts_go_to_an_iban_of_their_wallet')
const [old, current, foreign] = [
  'PT50000201231234567890154',
  'PT50000201230000000004094',
  'NL41MOCK0000000001',
]

let database: Database
beforeAll(async () => {
  database = openPostgres({ url: await createPostgresDatabase() })
  await database.run(
    statement(`
      insert into wallets (
        id, public_id, kind, name, email, iban, callback_user, callback_secret_sealed, callback_signing_sealed,
        created_at, modified_at
      )
      overriding system value
      values (7, 'seven', 'merchant', 'Seven', 'seven@example.com', '${old}', 'seven', '\\x00', '\\x00', now(), now())`),
  )
  await database.run(statement(`update wallets set name = 'Seven Ltd' where id = 7`))
  await database.run(statement(`update wallets set iban = '${current}' where id = 7`))
  await database.run(statement('update wallets set iban = null where id = 7'))
})
afterAll(() => database.close())

/** A payout of wallet 7 on its way to `iban`. */
const payoutTo = (iban: string) => `
  with operation as (
    insert into operations (id, wallet_id, type, status, method, amount, currency, channel, created_at, modified_at)
    values (gen_random_uuid(), 7, 'WALLETFUNDS', 'PENDING', 'SEPA', -100, 'EUR', 'API', now(), now())
    returning id
  )
  insert into bank_orders
    (id, wallet_id, kind, operation_id, amount, currency, party_name, party_iban, remittance, due_on, created_at)
  select id, 7, 'transfer', id, 100, 'EUR', 'Seven', '${iban}', 'Payout', '2026-03-02', now() from operation;`

it('a payout goes to the IBAN that the wallet has, or had when it was ordered, and to no other', async () => {
  expect(await findingsAfter(database, check, payoutTo(old) + payoutTo(current))).toEqual([])
  expect(await findingsAfter(database, check, payoutTo(current) + payoutTo(foreign))).toHaveLength(1)
  const moved = `update bank_orders set party_iban = '${foreign}';`
  expect(await findingsAfter(database, check, payoutTo(current) + moved)).toHaveLength(1)
})
