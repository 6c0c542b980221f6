// A process that gave a request up and died before it failed the operation: who goes on with what.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase } from '../database.ts'
import { askToPay, storeCard } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, startWorld, type World } from '../world.ts'

let world: World
let database: pg.Client

beforeAll(async () => {
  const databaseUrl = await createPostgresDatabase()
  world = await startWorld({ databaseUrl })
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await database.end()
  await world.stop()
})

/** As the process left it: the request is given up, due to be asked about, and its operation still PENDING. */
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

it('a payment fails, and what its rail approved is reversed', async () => {
  const token = await storeCard(world, cards.silentThenApproved.number)
  const { body: payment } = await askToPay(world, token)
  await giveUp(payment.id)
  await world.eventually(async () => (await world.operation(payment.id)).status === 'FAIL')
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await attemptOf(payment.id)).state === 'REVERSED'
  })
})

it('a charge fails with all that was reserved for it, and what its rail approved is reversed', async () => {
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
