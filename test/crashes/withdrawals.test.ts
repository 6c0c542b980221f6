// The gateway dies during a clawback while a refund is undecided.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMortalWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import type { Json, World } from '../world.ts'
import { kills } from './kills.ts'

let world: World
let money: Money

beforeAll(async () => {
  world = await startMortalWorld()
  money = moneyOf(world)
})
afterAll(() => world.stop())

const balance = async () => Math.round(Number((await world.shop.get('/api/v2/balance')).body.balance) * 100)
const refundsOf = async (id: string): Promise<Json[]> =>
  (await world.shop.get(`/api/v2/operations?type=REFUND&parent=${id}&limit=30`)).body.elements
const trouble = (rail: string) => money.sandbox('chaos', { rail, trouble: 'down' })
const healthy = () => world.request('/sandbox/api/chaos', { method: 'DELETE' })
const status = async (id: string) => (await world.operation(id)).status

async function paidByWallet(): Promise<string> {
  const { payment, ...checkout } = await world.createCheckout()
  await money.pay(checkout, 'paypal')
  await money.sandbox(`online-wallet/${payment.id}/approve`)
  await world.eventually(async () => (await status(payment.id)) === 'COMPLETED')
  return payment.id
}

async function paidByDebit(): Promise<string> {
  const { payment, ...checkout } = await world.createCheckout()
  await money.payByDebit(checkout)
  await money.sandbox(`sepa/${payment.id}/settle`, { outcome: 'paid' })
  await world.eventually(async () => (await status(payment.id)) === 'COMPLETED')
  return payment.id
}

async function withdrawnWhole(id: string): Promise<void> {
  await world.eventually(async () => {
    await world.advance('PT5M')
    const refunds = await refundsOf(id)
    const sum = refunds.reduce((all, one) => all + (one.status === 'COMPLETED' ? one.amount : 0), 0)
    return refunds.every((one) => one.status !== 'PENDING') && sum === -10
  })
}

async function killed(call: () => Promise<unknown>): Promise<void> {
  await Promise.allSettled([call(), world.crashed()])
  await world.restart()
}

async function expectCleanAudit(): Promise<void> {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
}

it.each(kills.withdrawals)('of a reversal, killed at "%s" (%i)', async (point, count) => {
  const before = await balance()
  const id = await paidByWallet()
  await trouble('online_wallet')
  await world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 4 })
  await world.armCrash(point, count)
  await killed(() => money.sandbox(`online-wallet/${id}/reverse`))
  await healthy()
  await withdrawnWhole(id)
  expect(await balance()).toBe(before - 64)
  await expectCleanAudit()
})

it.each(kills.withdrawals)('of a returned debit, killed at "%s" (%i)', async (point, count) => {
  const before = await balance()
  const id = await paidByDebit()
  await trouble('bank')
  await world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 4 })
  await healthy()
  await world.armCrash(point, count)
  await killed(() => money.sandbox(`sepa/${id}/settle`, { outcome: 'returned' }))
  // The notice may be lost, so the test waits for the week after which the gateway asks the bank.
  await world.advance('P8D')
  await withdrawnWhole(id)
  expect(await balance()).toBe(before - 30)
  await expectCleanAudit()
})

it.each(kills.reinstatements)('of a won dispute, killed at "%s" (%i)', async (point, count) => {
  const id = await paidByWallet()
  const before = await balance()
  await money.sandbox(`online-wallet/${id}/reverse`)
  await world.eventually(async () => (await balance()) === before - 1000)
  await world.armCrash(point, count)
  await killed(() => money.sandbox(`online-wallet/${id}/reinstate`))
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await balance()) === before
  })
  await expectCleanAudit()
})
