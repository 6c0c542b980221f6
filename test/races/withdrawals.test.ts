// Clawbacks while refunds are undecided, with two gateways on PostgreSQL.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import { type Money, moneyOf } from '../money.ts'
import type { Json, Merchant, World } from '../world.ts'

let world: World
let money: Money
/** A second gateway, because a lock inside one process would not protect against it. */
let other: GatewayProcess
let otherDir: string
let client: pg.Client
let merchants: readonly Merchant[]

const failing = 4711
const taking = 4712

beforeAll(async () => {
  world = await openWorld('postgres')
  money = moneyOf(world)
  otherDir = mkdtempSync(join(tmpdir(), 'comporta-other-'))
  cpSync(world.dataDir, otherDir, { recursive: true })
  const { databaseUrl } = world
  const environment = { RATE_LIMITS: 'off' }
  other = await startGatewayProcess({ dataDir: otherDir, databaseUrl, environment, port: await freePort() })
  merchants = [world.shop, ...['Sub Shop A', 'Sub Shop B'].map((name) => world.merchant(name))]
  client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // Makes a declined refund wait before its result is written.
  await client.query(`create function wait_to_fail() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${failing}); return new; end $$`)
  await client.query(`create trigger wait_to_fail before update on operations for each row
    when (new.type = 'REFUND' and new.status = 'FAIL') execute function wait_to_fail()`)
  // Makes the online wallet wait during a clawback, while it has its order locked.
  await client.query(`create function wait_to_take() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${taking}); return new; end $$`)
  await client.query(`create trigger wait_to_take before insert on sandbox.wallet_reversals for each row
    when (new.amount > 0) execute function wait_to_take()`)
})
afterEach(() => client.query('select pg_advisory_unlock_all()'))
afterAll(async () => {
  try {
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  } finally {
    await client.end()
    await other.stop()
    await world.stop()
    rmSync(otherDir, { recursive: true, force: true })
  }
})

const balances = () =>
  Promise.all(
    merchants.map(async (merchant) =>
      Math.round(Number((await merchant.get('/api/v2/balance')).body.balance) * 100),
    ),
  )

const refund = (id: string, body: object) =>
  world.request(`${other.baseUrl}/api/v2/operations/${id}/refund`, {
    method: 'POST',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function isAwaited(lock: number): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`,
  )
  return rows.length > 0
}

async function refundsOf(id: string): Promise<Json[]> {
  return (await world.shop.get(`/api/v2/operations?type=REFUND&parent=${id}&limit=30`)).body.elements
}

function isTakenWhole(refunds: readonly Json[]): boolean {
  const completed = refunds.filter(({ status }) => status === 'COMPLETED')
  return completed.reduce((sum, { amount }) => sum + amount, 0) === -10
}

async function checkout(divided: boolean): Promise<Json> {
  const split = merchants.slice(1).map(({ public_id }) => ({ merchant_wallet: public_id }))
  const payment = { amount: 10, currency: 'EUR', ...(divided && { split }) }
  return world.createCheckout({ payment })
}

interface Kind {
  readonly name: string
  readonly fee: number
  pay(divided: boolean): Promise<string>
  declineRefunds(id: string): Promise<unknown>
  takeBack(id: string): Promise<{ readonly status: number }>
}

const kinds: readonly Kind[] = [
  {
    name: 'a payment that the online wallet takes back',
    fee: 64,
    async pay(divided) {
      const { payment, ...made } = await checkout(divided)
      await money.pay(made, 'paypal')
      await money.sandbox(`online-wallet/${payment.id}/approve`)
      await world.eventually(async () => (await world.operation(payment.id)).status === 'COMPLETED')
      return payment.id
    },
    declineRefunds: (id) =>
      client.query(
        `insert into sandbox.wallet_reversals (key, amount, reason, state, created_at, due_at)
         select key, amount, 'not_received', 'taken', created_at, created_at + interval '1 minute'
         from sandbox.wallet_orders where reference = $1`,
        [id],
      ),
    takeBack: (id) => money.sandbox(`online-wallet/${id}/reverse`),
  },
  {
    name: 'a debit that is returned',
    fee: 30,
    async pay(divided) {
      const { payment, ...made } = await checkout(divided)
      await money.payByDebit(made)
      await money.sandbox(`sepa/${payment.id}/settle`, { outcome: 'paid' })
      await world.eventually(async () => (await world.operation(payment.id)).status === 'COMPLETED')
      return payment.id
    },
    declineRefunds: (id) =>
      client.query('update sandbox.debits set refunded = amount where reference = $1', [id]),
    takeBack: (id) => money.sandbox(`sepa/${id}/settle`, { outcome: 'returned' }),
  },
]

describe.each(kinds)('$name', (kind) => {
  it.each([
    ['a part', { amount: 4 }, false],
    ['a part, shared', { amount: 4 }, true],
    ['all', {}, false],
    ['all, shared', {}, true],
  ])('while a refund of %s is about to fail', async (_, asked, divided) => {
    const before = await balances()
    const id = await kind.pay(divided)
    await kind.declineRefunds(id)
    await client.query('select pg_advisory_lock($1)', [failing])
    const refunding = refund(id, asked)
    await world.eventually(() => isAwaited(failing))
    expect((await kind.takeBack(id)).status).toBe(200)
    await client.query('select pg_advisory_unlock_all()')
    expect((await refunding).body).toMatchObject({ code: 30007 })
    await world.eventually(async () => {
      await world.advance('PT5M')
      return isTakenWhole(await refundsOf(id))
    })
    expect(await balances()).toEqual(before.map((balance, at) => balance - (at === 0 ? kind.fee : 0)))
    expect(await world.operation(id)).toMatchObject({ refundable: false })
    await world.advance('P8D')
    expect((await refundsOf(id)).filter(({ status }) => status === 'COMPLETED')).toHaveLength(
      'amount' in asked ? 2 : 1,
    )
  })

  it('at the same moment as refunds', async () => {
    for (let round = 0; round < 10; round++) {
      const before = await balances()
      const id = await kind.pay(round % 2 === 1)
      const [{ status }] = await Promise.all([
        pause(Math.random() * 12).then(() => kind.takeBack(id)),
        refund(id, round % 3 === 0 ? { amount: 4 } : {}),
      ])
      expect([200, 409, 422]).toContain(status)
      await world.eventually(async () => {
        await world.advance('PT1M')
        const refunds = await refundsOf(id)
        return refunds.every((one) => one.status !== 'PENDING') && isTakenWhole(refunds)
      })
      expect(await balances()).toEqual(before.map((balance, at) => balance - (at === 0 ? kind.fee : 0)))
    }
  })
})

it('refuses a refund that waited during a clawback of the whole payment', async () => {
  const [wallet] = kinds
  if (wallet === undefined) throw new Error('no kind is an online wallet')
  const id = await wallet.pay(false)
  await client.query('select pg_advisory_lock($1)', [taking])
  const takingBack = wallet.takeBack(id)
  await world.eventually(() => isAwaited(taking))
  const refunding = refund(id, { amount: 4 })
  await world.eventually(async () => {
    const { rows } = await client.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%select key from sandbox.wallet_orders%'`,
    )
    return rows.length > 0
  })
  await client.query('select pg_advisory_unlock_all()')
  expect((await takingBack).status).toBe(200)
  expect((await refunding).body).toMatchObject({ code: 30007 })
  await world.eventually(async () => {
    await world.advance('PT5M')
    return isTakenWhole(await refundsOf(id))
  })
})
