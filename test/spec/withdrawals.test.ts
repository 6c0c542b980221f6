// Clawbacks by the online wallet during an undecided refund.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import type { Json, Merchant, World } from '../world.ts'

describe.each(databaseKinds)('on %s', (kind) => {
  let world: World
  let money: Money
  let merchants: readonly Merchant[]

  beforeAll(async () => {
    world = await openWorld(kind)
    money = moneyOf(world)
    merchants = [world.shop, ...['Sub Shop A', 'Sub Shop B'].map((name) => world.merchant(name))]
  })
  afterAll(async () => {
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await world.stop()
  })

  const balances = () =>
    Promise.all(
      merchants.map(async (merchant) =>
        Math.round(Number((await merchant.get('/api/v2/balance')).body.balance) * 100),
      ),
    )
  const refundsOf = async (id: string): Promise<Json[]> =>
    (await world.shop.get(`/api/v2/operations?type=REFUND&parent=${id}&limit=30`)).body.elements
  const amountsOf = async (id: string, status: string) =>
    (await refundsOf(id)).flatMap((refund) => (refund.status === status ? [refund.amount] : [])).sort()
  const healthy = () => world.request('/sandbox/api/chaos', { method: 'DELETE' })

  async function paid(divided: boolean): Promise<string> {
    const split = merchants.slice(1).map(({ public_id }) => ({ merchant_wallet: public_id }))
    const asked = { amount: 10, currency: 'EUR', ...(divided && { split }) }
    const { payment, ...checkout } = await world.createCheckout({ payment: asked })
    await money.pay(checkout, 'paypal')
    await money.sandbox(`online-wallet/${payment.id}/approve`)
    await world.eventually(async () => (await world.operation(payment.id)).status === 'COMPLETED')
    return payment.id
  }

  it.each([
    ['a part', 4, false, [-6], [-4, -6]],
    ['a part, shared', 4, true, [-6], [-4, -6]],
    ['all', 10, false, [], [-10]],
    ['all, shared', 10, true, [], [-10]],
  ])('with a refund of %s that has not arrived and fails', async (_, amount, divided, first, last) => {
    const before = await balances()
    const id = await paid(divided)
    await money.sandbox('chaos', { rail: 'online_wallet', trouble: 'down' })
    const { body } = await world.shop.post(`/api/v2/operations/${id}/refund`, { amount })
    expect(body).toMatchObject({ status: 'PENDING' })
    expect((await money.sandbox(`online-wallet/${id}/reverse`)).body).toMatchObject({ amount: 10 })
    await world.eventually(async () => (await amountsOf(id, 'COMPLETED')).length === first.length)
    expect(await amountsOf(id, 'COMPLETED')).toEqual(first)
    await world.advance('PT1H')
    expect(await amountsOf(id, 'COMPLETED')).toEqual(first)
    await healthy()
    await world.eventually(async () => {
      await world.advance('PT5M')
      return (await amountsOf(id, 'COMPLETED')).length === last.length
    })
    expect(await amountsOf(id, 'COMPLETED')).toEqual(last)
    expect(await amountsOf(id, 'FAIL')).toEqual([-amount])
    // The fee is not returned.
    expect(await balances()).toEqual(before.map((balance, at) => balance - (at === 0 ? 64 : 0)))
    expect(await world.operation(id)).toMatchObject({ refundable: false })
  })

  it('and won: a clawback in two parts is returned, and is not refunded', async () => {
    const id = await paid(true)
    const before = await balances()
    await money.sandbox('chaos', { rail: 'online_wallet', trouble: 'down' })
    await world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 4 })
    await money.sandbox(`online-wallet/${id}/reverse`)
    await healthy()
    await world.eventually(async () => {
      await world.advance('PT5M')
      return (await amountsOf(id, 'COMPLETED')).length === 2
    })
    await money.sandbox(`online-wallet/${id}/reinstate`)
    await world.eventually(async () => (await balances()).join() === before.join())
    expect(await world.operation(id)).toMatchObject({ refundable: false })
  })
})
