// Payments of two processes against a daily limit.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ibans } from '../money.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { cards, startWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld('postgres', { WORKERS: '2' })
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

it('reaches the limit of a day to the cent', async () => {
  const token = await storeCard(world, cards.frictionless.number)
  const declined = await storeCard(world, cards.insufficientFunds.number)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--day-limit', '100')
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      askToPay(world, index % 4 === 0 ? declined : token, { amount: 9 }),
    ),
  )
  const taken = answers.filter(({ status }) => status === 200).length
  expect(answers.filter(({ body }) => body.code === 20011).length).toBeGreaterThan(0)
  expect(taken).toBeLessThanOrEqual(11)

  // A failed payment frees its part of the limit.
  for (let payments = taken; payments < 11; payments++) await payByToken(world, token, { amount: 9 })
  await payByToken(world, token, { amount: 1 })
  const over = await askToPay(world, token, { amount: 0.01 })
  expect(over).toMatchObject({ status: 403, body: { code: 20011 } })
})

it('answers a copy of the request that used up a day like the request', async () => {
  const token = await storeCard(world, cards.frictionless.number)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--day-limit', '150')
  const request = { amount: 50, request_id: randomUUID() }
  const holder = new pg.Client({ connectionString: world.databaseUrl })
  await holder.connect()
  const waiting = async (count: number) => {
    const { rows } = await holder.query(
      "select from pg_locks where relation = 'requests'::regclass and not granted",
    )
    return rows.length >= count
  }
  // The lock delays every claim, so that the second copy arrives during the first.
  await holder.query('begin; lock table requests in share mode')
  try {
    const first = askToPay(world, token, request)
    await world.eventually(() => waiting(1))
    const second = askToPay(world, token, request)
    await Promise.race([second, world.eventually(() => waiting(2))])
    await holder.query('commit')
    const answers = [await first, await second]
    // One copy claims the key and pays. The other gets the same answer, or "in progress".
    const paid = answers.filter(({ status }) => status === 200)
    expect(new Set(paid.map(({ body }) => `${body.id} ${body.status}`)).size).toBe(1)
    expect(paid[0]?.body).toMatchObject({ status: 'COMPLETED', amount: 50 })
    for (const { status, body } of answers)
      if (status !== 200) expect({ status, body }).toMatchObject({ status: 409, body: { code: 10014 } })
  } finally {
    await holder.end()
  }
  expect((await askToPay(world, token, request)).headers.get('idempotent-replayed')).toBe('true')
  expect(await askToPay(world, token, { amount: 0.01 })).toMatchObject({ status: 403, body: { code: 20011 } })
})

it('counts payouts that wait over midnight on their own day', async () => {
  const { wallet_id: walletId } = world.shop
  await world.cli(
    'merchant',
    'set',
    String(walletId),
    '--day-limit',
    'none',
    '--payout-day-limit',
    '40',
    '--iban',
    ibans.paid,
  )
  const token = await storeCard(world, cards.frictionless.number)
  await payByToken(world, token, { amount: 300 })
  const { now } = (await world.request('/sandbox/api/clock')).body
  const evening = new Date(Date.parse(now) + 24 * 3600_000)
  evening.setUTCHours(22, 30, 0, 0)
  await setClock(evening)
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  let answers: Awaited<ReturnType<typeof world.shop.post>>[]
  try {
    await client.query('begin')
    await client.query('select from accounts where wallet_id = $1 for update', [walletId])
    const asked = Promise.all(
      Array.from({ length: 4 }, () => world.shop.post('/api/v2/payouts', { amount: 30 })),
    )
    await world.eventually(async () => {
      const { rows } = await client.query(`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return rows[0].count >= 4
    })
    await setClock(new Date(evening.getTime() + 2 * 3600_000))
    await client.query('commit')
    answers = await asked
  } finally {
    await client.end()
  }
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe(20011)
})

async function setClock(to: Date): Promise<void> {
  const moved = await world.request('/sandbox/api/clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ set: to.toISOString() }),
  })
  expect(moved.status).toBe(200)
}
