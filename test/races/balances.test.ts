// Many debits of one balance at once, on a real PostgreSQL: those that fit are made, and nobody ever owes.
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCreditTransfer } from '../../sandbox/bank/rails.ts'
import { createBalances } from '../../src/balances/index.ts'
import { payAs } from '../../src/balances/pay.ts'
import { createKeyMemory } from '../../src/idempotency/memory.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import { createOperations, findOperation } from '../../src/operations/index.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { ibans, type Money, moneyOf } from '../money.ts'
import { joinWalletsWorld } from '../wallets/world.ts'
import { type Json, startWorld, type World } from '../world.ts'

const crowd = 100

let world: World
let money: Money
/** Two processes' worth of modules, each with connections of its own. */
let modules: Awaited<ReturnType<typeof modulesOn>>[]

beforeAll(async () => {
  world = await startWorld('postgres')
  money = moneyOf(world)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', ibans.paid)
  modules = [await modulesOn(world.databaseUrl ?? ''), await modulesOn(world.databaseUrl ?? '')]
})
afterAll(async () => {
  for (const { database } of modules) await database.close()
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

/** Every process of a gateway has the same keys. */
const keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(1)]]) }

async function modulesOn(url: string) {
  const database: Database = openPostgres({ url })
  const { wallets } = await joinWalletsWorld(database, { listening: false })
  const ledger = createLedger({ database })
  const shared = { database, clock: systemClock, random: systemRandomness, ledger, wallets }
  const callbacks = new CallbackWorld(database).callbacks()
  const inquire = async () => ({ kind: 'unclear' }) as const
  const { settle, settleFunded } = createOperations({
    ...{ ...shared, callbacks, inquire, refundRails: {}, payerOf: async () => undefined },
    ...{ handlers: {}, metrics: new Registry() },
    onError: () => undefined,
  })
  const idempotency = createKeyMemory({ database, keyring, clock: systemClock })
  const deps = { ...shared, settle, settleFunded, idempotency, rail: createCreditTransfer(shared) }
  return { database, wallets, deps, balances: createBalances(deps) }
}

const module = (index: number) => modules[index % modules.length] as (typeof modules)[number]
const shopId = () => BigInt(world.shop.wallet_id)

async function checkoutsOf(count: number, amount: number): Promise<Json[]> {
  const payment = { amount, currency: 'EUR' }
  return Promise.all(Array.from({ length: count }, () => world.createCheckout({ payment })))
}

it(`of ${crowd} payments from one balance those that fit are made, and it is never negative`, async () => {
  const { email, wallet_id } = await money.consumer(100)
  const checkouts = await checkoutsOf(crowd, 3)
  const outcomes = await Promise.all(
    checkouts.map(async ({ payment }, index) => {
      const { database, deps } = module(index)
      const operation = await findOperation(database, shopId(), payment.id)
      if (operation === undefined) throw new Error('the checkout has no operation')
      return payAs(deps, operation, BigInt(wallet_id))
    }),
  )
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(33)
  expect(outcomes.filter((outcome) => outcome === 'insufficient_funds')).toHaveLength(67)
  expect(await money.balanceOf(email)).toBe(1)
})

it('of many payments of one checkout one is made', async () => {
  const { email, wallet_id } = await money.consumer(100)
  const [checkout] = await checkoutsOf(1, 10)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const { database, deps } = module(index)
      const operation = await findOperation(database, shopId(), checkout.payment.id)
      return operation && payAs(deps, operation, BigInt(wallet_id))
    }),
  )
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(1)
  expect(await money.balanceOf(email)).toBe(90)
})

it('a consumer who pays on many pages at once is not taken for a thief', async () => {
  const { email, pin } = await money.consumer(50)
  const checkouts = await checkoutsOf(8, 10)
  const pages = await Promise.all(checkouts.map((checkout) => money.pay(checkout, 'wallet', { email, pin })))
  expect(pages.filter(({ text }) => text.includes('Payment made'))).toHaveLength(5)
  expect(pages.filter(({ text }) => text.includes('The balance is too small'))).toHaveLength(3)
  expect(await money.balanceOf(email)).toBe(0)
})

it('of many payouts at once those that fit are ordered', async () => {
  const { balance, bank_reference } = await money.funds()
  const missing = 1000 - Number(balance)
  await money.sandbox('bank/transfer', { reference_text: bank_reference, amount: missing.toFixed(2) })
  const wallet = await module(0).wallets.get(shopId())
  const ordered = await Promise.all(
    Array.from({ length: 30 }, (_, index) => module(index).balances.payOut(wallet, cents(30_000))),
  )
  expect(ordered.filter(({ ok }) => ok)).toHaveLength(3)
  expect(await money.funds()).toMatchObject({ balance: '1000.00', on_its_way: '900.00' })
})

it('of one payout ordered many times under one request id one is made', async () => {
  const before = await money.funds()
  const wallet = await module(0).wallets.get(shopId())
  const requestId = randomUUID()
  const ordered = await Promise.all(
    Array.from({ length: 20 }, (_, index) => module(index).balances.payOut(wallet, cents(100), requestId)),
  )
  const made = ordered.map((one) => (one.ok ? one.value.payout.id : 'refused'))
  expect(new Set(made).size).toBe(1)
  expect(ordered.filter((one) => one.ok && !one.value.isRepeated)).toHaveLength(1)
  const onItsWay = (Number(before.on_its_way) + 1).toFixed(2)
  expect(await money.funds()).toMatchObject({ on_its_way: onItsWay })
})
