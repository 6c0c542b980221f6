// Charges with an unknown result, whose subscription has ended in the meantime.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { cards, startWorld, type World } from '../world.ts'

let world: World
let subscribers: Subscribers
let database: pg.Client

beforeAll(async () => {
  const databaseUrl = await createPostgresDatabase()
  world = await startWorld({ databaseUrl })
  subscribers = subscribersOf(world)
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await world.stop()
})

/** Kills the gateway before the acquirer gets the payment of the charge. */
async function killBeforeReceived(
  subscriptionId: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  await database.query('begin')
  await database.query('lock table sandbox.authorizations in exclusive mode')
  const { body } = await subscribers.charge(subscriptionId, 5)
  await world.eventually(async () => {
    const { rows } = await database.query('select opened from charges where id = $1', [body.id])
    return rows[0]?.opened
  })
  await meanwhile()
  await world.kill()
  // PostgreSQL notices a lost client late, and would still execute its statements. So this ends its connections.
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await database.query('rollback')
  await world.restart()
  return body.id
}

const untilProcessed = (subscriptionId: string, chargeId: string) =>
  world.eventually(async () => {
    await world.advance('PT1M')
    const charge = await subscribers.chargeOf(subscriptionId, chargeId)
    return ['SUCCESS', 'FAIL'].includes(charge.status) && charge
  })

it.each(['canceled', 'voided'] as const)('fails when the subscription is %s meanwhile', async (end) => {
  const checkout = await subscribers.checkout()
  const { id } = checkout.subscription
  const result = await world.payOnPage(checkout, cards.frictionless)
  const link = result.links.find((href) => href.includes('/subscription/')) ?? ''
  const chargeId = await killBeforeReceived(id, () =>
    end === 'voided'
      ? world.shop.delete(`/api/v2/subscriptions/${id}`)
      : openPage(new URL(link.replace('?', '/cancel?'), world.baseUrl).href, {}, { method: 'POST' }),
  )
  expect(await subscribers.read(id)).toMatchObject({ status: end.toUpperCase() })
  expect(await untilProcessed(id, chargeId)).toMatchObject({ status: 'FAIL' })
  const { rows } = await database.query(
    `select charges.error, sandbox.authorizations.key as received
     from charges left join sandbox.authorizations
       on sandbox.authorizations.key = charges.operation_id and sandbox.authorizations.decline is distinct from 'cancelled'
     where charges.id = $1`,
    [chargeId],
  )
  expect(rows).toEqual([{ error: `subscription_${end}`, received: null }])
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})

it('succeeds when the subscription is active', async () => {
  const { id } = await subscribers.accepted()
  const chargeId = await killBeforeReceived(id, async () => undefined)
  expect(await untilProcessed(id, chargeId)).toMatchObject({ status: 'SUCCESS' })
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})
