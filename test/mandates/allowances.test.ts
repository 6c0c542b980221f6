// Monthly allowances of mandates, to the cent.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import {
  countAgain,
  releaseAllowance,
  reserveAgain,
  reserveAllowance,
} from '../../src/methods/mbway/mandates/allowances-store.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'

const walletId = 1001n
const now = systemClock.now()

let database: Database
beforeAll(async () => {
  database = await openTestDatabase('pglite')
})
afterAll(() => database.close())

/** A mandate of 10.00 a month that ends on 15 March. */
async function mandateIn(state: string): Promise<string> {
  const id = randomUUID()
  await database.transaction(async (tx) => {
    // There is no wallet that it could refer to.
    await tx.run(statement('set local session_replication_role = replica'))
    await tx.run(
      statement(`
        insert into mandates (id, wallet_id, type, state, phone, amount_limit, expiry_date, asked_until, due_at,
          created_at, modified_at)
        values ($1, 1001, 'ONECLICK', $2, '351#912345678', 1000, '2026-03-15', now(), now(), now(), now())`),
      [id, state],
    )
  })
  return id
}

const take = (mandateId: string, amount: number, day = '2026-03-02', id = randomUUID()) =>
  reserveAllowance(database, { walletId, mandateId, id, amount: cents(amount) }, day, now)

it('is taken until the limit, and again in the next month', async () => {
  const mandate = await mandateIn('ACTIVE')
  expect(await take(mandate, 600)).toBe(true)
  expect(await take(mandate, 401)).toBe(false)
  expect(await take(mandate, 400)).toBe(true)
  expect(await take(mandate, 1)).toBe(false)
  expect(await take(mandate, 1000, '2026-02-28')).toBe(true)
})

it('is not taken at once beyond the limit', async () => {
  expect(await take(await mandateIn('ACTIVE'), 1001)).toBe(false)
})

it('is taken to the last day of the mandate', async () => {
  const mandate = await mandateIn('ACTIVE')
  expect(await take(mandate, 1, '2026-03-15')).toBe(true)
  expect(await take(mandate, 1, '2026-03-16')).toBe(false)
})

it.each(['REQUESTED', 'SUSPENDED'])('is not taken of a mandate that is %s', async (state) => {
  expect(await take(await mandateIn(state), 1)).toBe(false)
})

it('is given back once', async () => {
  const mandate = await mandateIn('ACTIVE')
  const id = randomUUID()
  expect(await take(mandate, 1000, '2026-03-02', id)).toBe(true)
  await releaseAllowance(database, walletId, id)
  await releaseAllowance(database, walletId, id)
  expect(await take(mandate, 1000)).toBe(true)
  expect(await take(mandate, 1)).toBe(false)
})

it('of a request that may have been sent stays, and moves to the next month if that has room', async () => {
  const mandate = await mandateIn('ACTIVE')
  const id = randomUUID()
  const again = (day: string) =>
    reserveAgain(database, { walletId, mandateId: mandate, id, amount: cents(600) }, day, now)
  const setState = (state: string) =>
    database.run(statement('update mandates set state = $2 where id = $1'), [mandate, state])
  expect(await again('2026-02-28')).toBe(true)
  expect(await again('2026-02-28')).toBe(true)
  await setState('SUSPENDED')
  expect(await again('2026-02-28')).toBe(true)
  expect(await again('2026-03-01')).toBe(false)
  await setState('ACTIVE')
  expect(await take(mandate, 401, '2026-02-28')).toBe(false)
  expect(await take(mandate, 500)).toBe(true)
  // March has 5.00 left: the 6.00 stay in February.
  expect(await again('2026-03-01')).toBe(false)
  expect(await take(mandate, 401, '2026-02-28')).toBe(false)
  expect(await take(mandate, 400, '2026-02-28')).toBe(true)
})

it('of a returned part is not counted again', async () => {
  const reservation = { walletId, mandateId: await mandateIn('ACTIVE'), id: randomUUID(), amount: cents(1) }
  expect(await countAgain(database, reservation, '2026-03-01')).toBeUndefined()
})

it('of a request that may have been sent counts in the month of its repeat', async () => {
  const mandate = await mandateIn('ACTIVE')
  const id = randomUUID()
  const again = (day: string) =>
    reserveAgain(database, { walletId, mandateId: mandate, id, amount: cents(600) }, day, now)
  expect(await again('2026-02-28')).toBe(true)
  expect(await again('2026-03-01')).toBe(true)
  expect(await take(mandate, 1000, '2026-02-28')).toBe(true)
  expect(await take(mandate, 401)).toBe(false)
  await releaseAllowance(database, walletId, id)
  expect(await take(mandate, 1000)).toBe(true)
})
