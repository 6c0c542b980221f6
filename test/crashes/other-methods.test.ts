// The gateway dies during payouts, top-ups, direct debits and online wallet payments.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMortalWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import type { Json, World } from '../world.ts'
import { kills } from './kills.ts'

const iban = 'PT50000201231234567890154'

let world: World
let money: Money
let ownBankReference: string

beforeAll(async () => {
  world = await startMortalWorld()
  money = moneyOf(world)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', iban)
  ownBankReference = (await money.funds()).bank_reference
  await topUp('1000', ownBankReference)
})
afterAll(() => world.stop())

const topUp = (amount: string, reference_text: string) =>
  money.sandbox('bank/transfer', { reference_text, amount })
const payOut = (requestId: string) =>
  world.cli(
    'payout',
    ...['--wallet', String(world.shop.wallet_id), '--amount', '5', '--request-id', requestId],
  )
const countPayouts = async () => (await world.shop.get('/api/v2/operations?type=WALLETFUNDS')).body.total
const times = <Created>(count: number, make: () => Promise<Created>) =>
  Promise.all(Array.from({ length: count }, make))

it.each(kills.otherMethods)('killed at "%s" (%i) in a burst of all of them', async (point, count) => {
  const consumer = await money.consumer(0)
  const [debited, fromWallet] = await Promise.all([
    times(2, () => world.createCheckout()),
    times(2, () => world.createCheckout()),
  ])
  await Promise.all(fromWallet.map((checkout) => money.pay(checkout, 'paypal')))
  const payoutsBefore = await countPayouts()
  const requestIds = [randomUUID(), randomUUID()]
  await world.armCrash(point, count)
  const topUps = Array.from({ length: 3 }, () => topUp('20', consumer.bank_reference))
  const answered = Promise.all(topUps.map((call) => call.catch(() => undefined)))
  const calls = [
    ...debited.map((checkout) => money.payByDebit(checkout)),
    ...fromWallet.map(({ payment }) => money.sandbox(`online-wallet/${payment.id}/approve`)),
    ...requestIds.map(payOut),
  ]
  const settled = Promise.allSettled(calls)
  await world.crashed()
  const toppedUp = (await answered).filter((answer) => answer?.body?.accepted).length
  await settled
  await world.restart()

  // A client without an answer tries again, with the same request id or on the same page.
  const payouts: Json[] = []
  for (const requestId of requestIds) payouts.push((await payOut(requestId)).json)
  for (const { payment } of fromWallet)
    if ((await world.operation(payment.id)).status === 'PENDING')
      await money.sandbox(`online-wallet/${payment.id}/approve`)
  for (const checkout of debited)
    if ((await world.operation(checkout.payment.id)).status === 'NEW') await money.payByDebit(checkout)

  const areCompleted = (ids: readonly string[], by: string) =>
    world.eventually(async () => {
      await world.advance(by)
      const made = await Promise.all(ids.map((id) => world.operation(id)))
      return made.every(({ status }) => status === 'COMPLETED')
    })
  // The gateway asks the online wallet before the checkout expires. The bank needs days.
  await areCompleted(
    fromWallet.map(({ payment }) => payment.id),
    'PT1M',
  )
  const ordered = [
    ...payouts.map(({ operation_id }) => operation_id),
    ...debited.map(({ payment }) => payment.id),
  ]
  await areCompleted(ordered, 'P3D')
  expect(await countPayouts()).toBe(payoutsBefore + requestIds.length)
  const balance = await money.balanceOf(consumer.email)
  expect([0, 20, 40, 60]).toContain(balance)
  expect(balance).toBeGreaterThanOrEqual(20 * toppedUp)
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})

it('a returned debit includes a refund that the bank never got', async () => {
  const { payment, ...checkout } = await world.createCheckout()
  await money.payByDebit(checkout)
  await money.sandbox(`sepa/${payment.id}/settle`, { outcome: 'paid' })
  expect(await world.operation(payment.id)).toMatchObject({ status: 'COMPLETED' })
  await world.armCrash('attempt opened, rail not asked')
  await world.shop.post(`/api/v2/operations/${payment.id}/refund`, { amount: 4 }).catch(() => undefined)
  await world.crashed()
  await world.restart()

  await money.sandbox(`sepa/${payment.id}/settle`, { outcome: 'returned' })
  const refunds = await world.eventually(async () => {
    await world.advance('PT1M')
    const { elements } = (await world.shop.get('/api/v2/operations?type=REFUND&method=SEPA')).body
    const ofPayment = elements.filter((refund: Json) => refund.parent === payment.id)
    return ofPayment.length === 2 && ofPayment.every(({ status }: Json) => status !== 'PENDING') && ofPayment
  })
  expect(refunds).toMatchObject([
    { status: 'COMPLETED', amount: -6 },
    { status: 'COMPLETED', amount: -4 },
  ])
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})

it.each(kills.payoutSchedules)(
  'a scheduled payout killed at "%s" (%i) is ordered once',
  async (point, count) => {
    await topUp('30', ownBankReference)
    const { body: set } = await world.request('/api/v2/payouts/schedule', {
      method: 'PUT',
      headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ frequency: 'daily' }),
    })
    const before = await countPayouts()
    await world.armCrash(point, count)
    await world.advance('P5D').catch(() => undefined)
    await world.crashed()
    await world.restart()
    const run = await world.eventually(async () => {
      await world.advance('PT1M')
      const { runs } = (await world.shop.get('/api/v2/payouts/schedule')).body
      return runs.find(({ day }: Json) => day === set.next)
    })
    expect(run).toMatchObject({ outcome: 'ordered' })
    expect(await countPayouts()).toBe(before + 1)
    expect((await world.shop.get(`/api/v2/payouts/${run.operation_id}`)).body.amount).toBe(-run.amount)
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  },
)
