// The gateway is killed while a person answers a bank order by hand. The retry works.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMortalWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import { type SignedIn, signIn } from '../people.ts'
import type { Json, World } from '../world.ts'
import { type Kill, kills } from './kills.ts'

let world: World
let money: Money
let operator: SignedIn
let wallet: string

beforeAll(async () => {
  world = await startMortalWorld()
  money = moneyOf(world)
  wallet = String(world.shop.wallet_id)
  operator = await signIn(world, 'operator@demo.example')
  await world.cli('merchant', 'set', wallet, '--bank-charges', 'on')
})
afterAll(() => world?.stop())

const cents = async () => Math.round(Number((await money.funds()).balance) * 100)

async function debit(amount: number): Promise<{ id: string; order: string }> {
  const checkout = await world.createCheckout({ payment: { amount, currency: 'EUR', ext_invoiceid: 'T-1' } })
  await money.payByDebit(checkout)
  await world.cli('bank', 'export')
  const { id } = checkout.payment
  const { orders } = (await world.cli('bank', 'orders')).json
  return { id, order: orders.find((one: Json) => one.operation_id === id).order_id }
}

async function killedAt([point, count]: Kill, call: () => Promise<unknown>): Promise<void> {
  await world.armCrash(point, count)
  await Promise.all([call().catch(() => undefined), world.crashed()])
  await world.restart()
}

const settle = (order: string, answer: string) =>
  world.cli('bank', 'settle', order, answer, '--fee', '1.50', '--reason', 'letter of the bank')

async function repeated(before: string, call: () => Promise<{ code: number; json: Json }>): Promise<void> {
  const { code, json } = await call()
  if (code === 0) expect(json).toMatchObject({ state: 'answered', fee: '1.50' })
  else expect(json.error.reason).toContain(before)
}

const callbacksOf = async (id: string): Promise<string[]> => {
  const listed = await world.cli('callbacks', 'list', wallet, '--state', 'DUE,DELIVERED,VERIFIED')
  return listed.json.callbacks.flatMap((one: Json) => (one.subject === id ? one.event : []))
}

async function expectOnce(id: string, status: string, balance: number): Promise<void> {
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await world.operation(id)).status === status
  })
  await world.eventually(async () => (await callbacksOf(id)).includes(status))
  await world.advance('PT10M')
  expect((await callbacksOf(id)).filter((event) => event === status)).toHaveLength(1)
  expect(await cents()).toBe(balance)
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
}

describe('by one person', () => {
  it.each(kills.bankSettlements)('as paid, killed at "%s" (%i)', async (...kill) => {
    const { id, order } = await debit(10)
    const before = await cents()
    await killedAt(kill, () => settle(order, '--paid'))
    await repeated('was paid before', () => settle(order, '--paid'))
    await expectOnce(id, 'COMPLETED', before + 1000 - 30 - 150)
  })

  it.each(kills.bankSettlements)('as returned, killed at "%s" (%i)', async (...kill) => {
    const { id, order } = await debit(10)
    const before = await cents()
    await killedAt(kill, () => settle(order, '--returned'))
    await repeated('was returned before', () => settle(order, '--returned'))
    await expectOnce(id, 'FAIL', before - 150)
  })
})

describe('above the limit of one person', () => {
  const proposalKill: Kill = ['transaction written, not committed', 1]

  it('killed during the proposal, it waits once', async () => {
    const { id, order } = await debit(1500)
    const before = await cents()
    await killedAt(proposalKill, () => settle(order, '--paid'))
    expect((await settle(order, '--paid')).json).toMatchObject({ state: 'waiting' })
    expect((await settle(order, '--paid')).json.error.reason).toContain('waits for a second person')
    expect(await cents()).toBe(before)
    await operator.send('POST', `/operator/bank/orders/${order}/approve`, {})
    await expectOnce(id, 'COMPLETED', before + 150_000 - 30 - 150)
  })

  it.each(kills.bankSettlements)('killed at "%s" (%i) of the approval', async (...kill) => {
    const { id, order } = await debit(1500)
    const before = await cents()
    expect((await settle(order, '--paid')).json).toMatchObject({ state: 'waiting' })
    const approve = () => operator.send('POST', `/operator/bank/orders/${order}/approve`, {})
    await killedAt(kill, approve)
    const again = await approve()
    if (again.status === 200) expect(again.body).toEqual({ state: 'answered' })
    else
      expect(again).toMatchObject({ status: 409, body: { reason: expect.stringContaining('no settlement') } })
    await expectOnce(id, 'COMPLETED', before + 150_000 - 30 - 150)
  })

  it.each(kills.bankSettlements)('killed at "%s" (%i) of the approval by command', async (...kill) => {
    const { id, order } = await debit(1500)
    const before = await cents()
    const body = { answer: 'returned', fee: '1,50', reason: 'by phone' }
    await operator.send('POST', `/operator/bank/orders/${order}/settle`, body)
    const approve = () => world.cli('bank', 'settle', order, '--approve')
    await killedAt(kill, approve)
    await repeated('no settlement of order', approve)
    await expectOnce(id, 'FAIL', before - 150)
  })
})
