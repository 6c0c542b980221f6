// Refunds with the WooCommerce plugin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Money, moneyOf } from '../money.ts'
import { cards, type Json } from '../world.ts'
import { findPhp } from './php-shop.ts'
import { type ShopWorld, startShopWorld } from './shop-world.ts'

/** Test cards with declined and with late refunds. */
const refundsDeclined = { number: '4000000000000341' }
const refundsSilentThenDeclined = { number: '4000000000000358' }

const php = findPhp()
let s: ShopWorld
let money: Money

const notesWith = (order: Json, part: string) => order.notes.filter((note: string) => note.includes(part))
const show = (id: number) => s.shop.act('show', { id })
const refund = (id: number, amount: string, more: object = {}) =>
  s.shop.act('refund', { id, amount, reason: 'Damaged', ...more })
const refundedAtGateway = async (id: number) =>
  (await s.operationsOf(id, 'REFUND')).map(({ amount, status }) => [amount, status])

async function paidByDebit(): Promise<{ id: number; payment: string }> {
  const id = await s.order()
  await money.payByDebit(await s.checkoutOf(id))
  const waiting = await s.shows(id, ({ status }) => status === 'on-hold')
  expect(notesWith(waiting, 'waiting for the bank (SEPA)')).toHaveLength(1)
  const [{ id: payment }] = await s.operationsOf(id)
  await money.sandbox(`sepa/${payment}/settle`, { outcome: 'paid' })
  await s.shows(id, ({ status }) => status === 'processing')
  return { id, payment }
}

/** Waits for all callbacks of an operation. */
const delivered = (operation: string) =>
  s.world.eventually(async () => {
    const { body } = await s.world.shop.get('/api/v2/events?limit=100')
    const about = body.events.filter((event: Json) => event.body.operation_id === operation)
    return about.length > 0 && about.every((event: Json) => event.delivery.state === 'DELIVERED')
  })

describe.skipIf(php === undefined)('WooCommerce', () => {
  beforeAll(async () => {
    s = await startShopWorld(php ?? '')
    money = moneyOf(s.world)
  })

  afterAll(async () => {
    expect((await s.world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await s.stop()
  })

  describe('a refund from the order page', () => {
    it('is made in parts and in full, each once; its callbacks change nothing more', async () => {
      const { id } = await s.paidOrder(cards.frictionless)
      expect(await refund(id, '2.35')).toEqual({ id: expect.any(Number) })
      const [first] = await s.operationsOf(id, 'REFUND')
      expect(first).toMatchObject({ amount: -2.35, status: 'COMPLETED', notes: 'Damaged' })
      await delivered(first.id)
      expect(await show(id)).toMatchObject({ status: 'processing', refunds: [['2.35', 'Damaged']] })
      await refund(id, '7.65')
      const [second] = await s.operationsOf(id, 'REFUND')
      await delivered(second.id)
      const order = await show(id)
      expect(order).toMatchObject({ status: 'refunded', total_refunded: '10.00' })
      expect(notesWith(order, 'Comporta: refunded')).toHaveLength(2)
      expect(order.refunds).toHaveLength(2)
    })

    it('is made once when the button is pressed twice', async () => {
      const { id } = await s.paidOrder(cards.frictionless)
      // The other click gets the lock after this one has read the order.
      const { error } = await refund(id, '3.00', { refunded: '0.00', meanwhile: '3.00' })
      expect(error).toContain('was made a moment ago')
      expect(await refund(id, '3.00', { refunded: '0.00' })).toHaveProperty('error')
      expect(await refundedAtGateway(id)).toEqual([[-3, 'COMPLETED']])
      expect(await show(id)).toMatchObject({ total_refunded: '3.00' })
    })

    it('that the gateway refuses is not noted, and the shop manager reads why', async () => {
      const { id, payment } = await s.paidOrder(cards.frictionless)
      await s.sendCallbacksTo('receiver')
      await s.world.shop.post(`/api/v2/operations/${payment}/refund`, { amount: '9.00' })
      expect((await refund(id, '2.00')).error).toMatch(/at most 1\.00 \(40015, [0-9a-f-]{36}\)$/)
      expect(await show(id)).toMatchObject({ refunds: [] })
      await s.sendCallbacksTo('shop')
    })

    it.each([['0.00'], ['0.001'], ['-1.00'], ['ten']])('of %s is refused', async (amount) => {
      const { id } = await s.paidOrder(cards.frictionless)
      expect((await refund(id, amount)).error).toContain('above zero and in whole cents')
    })

    it('that the bank declines is not noted', async () => {
      const { id } = await s.paidOrder(refundsDeclined)
      expect((await refund(id, '2.00')).error).toContain('30007')
      expect(await refundedAtGateway(id)).toEqual([[-2, 'FAIL']])
      expect(await show(id)).toMatchObject({ refunds: [], total_refunded: '0.00' })
    })

    it('of an order that was not paid is refused', async () => {
      const id = await s.order()
      expect((await refund(id, '1.00')).error).toContain('no Comporta payment to refund')
    })

    it('is made once where its answers were lost, and noted when it is asked for again', async () => {
      const { id } = await s.paidOrder(cards.frictionless)
      s.proxy.cutAnswers('/refund', 3)
      expect((await refund(id, '4.00')).error).toContain('The result of the refund is not known')
      expect(await show(id)).toMatchObject({ refunds: [] })
      expect(await refundedAtGateway(id)).toEqual([[-4, 'COMPLETED']])
      expect((await refund(id, '1.00')).error).toContain('the earlier refund of 4.00')
      expect(await refund(id, '4.00', { reason: 'Typed again' })).toEqual({ id: expect.any(Number) })
      expect(await refundedAtGateway(id)).toEqual([[-4, 'COMPLETED']])
      await s.world.advance('PT1M')
      expect(await show(id)).toMatchObject({ total_refunded: '4.00' })
      expect(await refund(id, '1.00')).toEqual({ id: expect.any(Number) })
    })

    it('with lost answers is noted by its callback', async () => {
      const { id } = await s.paidOrder(cards.frictionless)
      s.proxy.cutAnswers('/refund', 3)
      await refund(id, '10.00')
      const [{ id: operation }] = await s.operationsOf(id, 'REFUND')
      const body = JSON.stringify({ operation_id: operation })
      // WooCommerce may still work on the request that got no answer.
      expect(await s.send(body)).toBe(503)
      await s.shop.act('wait', { id, seconds: 60 })
      expect([await s.send(body), await s.send(body)]).toEqual([200, 200])
      const order = await show(id)
      expect(order).toMatchObject({
        status: 'refunded',
        refunds: [['10.00', 'Refunded through the payment gateway']],
      })
    })

    it('with lost answers is guarded from its last try', async () => {
      const { id } = await s.paidOrder(cards.frictionless)
      s.proxy.cutAnswers('/refund', 3)
      const pausesBetweenTries = 1.3
      const atLastTry = Math.trunc(Date.now() / 1000 + pausesBetweenTries)
      await refund(id, '10.00')
      const { open_refund } = await show(id)
      expect(Number(open_refund.sent_at)).toBeGreaterThanOrEqual(atLastTry)
    })

    it('that was left behind by a request that died is found again, not noted twice', async () => {
      const { id } = await s.paidOrder(cards.frictionless)
      s.proxy.cutAnswers('/refund', 3)
      await refund(id, '4.00')
      await s.shop.act('leave', { id, amount: '4.00' })
      await s.shop.act('wait', { id, seconds: 60 })
      const [{ id: operation }] = await s.operationsOf(id, 'REFUND')
      expect(await s.send(JSON.stringify({ operation_id: operation }))).toBe(200)
      expect(await show(id)).toMatchObject({ refunds: [['4.00', 'Damaged']] })
    })

    it.each([
      [cards.silentThenApproved, 'COMPLETED', '10.00', 'refunded'],
      [refundsSilentThenDeclined, 'FAIL', '0.00', 'processing'],
    ] as const)('that is under way is no refund yet: %j, then %s', async (card, end, refunded, status) => {
      const id = await s.order()
      await s.world.payOnPage(await s.checkoutOf(id), card)
      await s.world.advance('PT1M')
      await s.shows(id, (order) => order.status === 'processing')
      await s.sendCallbacksTo('receiver')
      expect((await refund(id, '10.00')).error).toContain('is in progress')
      expect((await refund(id, '10.00')).error).toContain('Do not repeat it')
      expect((await refund(id, '1.00')).error).toContain('refund of 10.00')
      const waiting = await show(id)
      expect(waiting).toMatchObject({ refunds: [], status: 'processing' })
      expect(notesWith(waiting, 'is in progress')).toHaveLength(1)
      await s.world.advance('PT1M')
      await s.shop.act('wait', { id, seconds: 60 })
      const [operation, ...others] = await s.operationsOf(id, 'REFUND')
      expect([operation.status, others]).toEqual([end, []])
      expect(await s.passOn(operation.id, end)).toBe(200)
      const order = await show(id)
      expect(order).toMatchObject({ total_refunded: refunded, status })
      expect(notesWith(order, end === 'FAIL' ? 'did not get it' : 'Refunded through')).toHaveLength(1)
      await s.sendCallbacksTo('shop')
    })

    it('that was under way is noted when the button is pressed after its end', async () => {
      await s.sendCallbacksTo('receiver')
      const id = await s.order()
      await s.world.payOnPage(await s.checkoutOf(id), cards.silentThenApproved)
      await s.world.advance('PT1M')
      await s.comeBack(id)
      expect((await refund(id, '10.00')).error).toContain('is in progress')
      await s.world.advance('PT1M')
      expect(await refund(id, '10.00')).toEqual({ id: expect.any(Number) })
      expect(await show(id)).toMatchObject({ status: 'refunded', total_refunded: '10.00' })
      expect(await refundedAtGateway(id)).toEqual([[-10, 'COMPLETED']])
      await s.sendCallbacksTo('shop')
    })
  })

  describe('a refund from elsewhere', () => {
    it('appears on the order, in parts and in full', async () => {
      const { id, payment } = await s.paidOrder(cards.frictionless)
      const give = (amount: string) =>
        s.world.shop.post(`/api/v2/operations/${payment}/refund`, { type: 'partial', amount })
      await give('0.07')
      const reason = 'Refunded through the payment gateway'
      await s.shows(id, ({ refunds }) => refunds.length === 1)
      expect(await show(id)).toMatchObject({ status: 'processing', refunds: [['0.07', reason]] })
      await give('9.93')
      await s.shows(id, ({ status }) => status === 'refunded')
      expect(await show(id)).toMatchObject({ total_refunded: '10.00' })
    })

    it('that is reported before its payment pays the order, and refunds it', async () => {
      await s.sendCallbacksTo('receiver')
      const id = await s.order()
      await s.world.payOnPage(await s.checkoutOf(id), cards.frictionless)
      const [{ id: payment }] = await s.operationsOf(id)
      const { body } = await s.world.shop.post(`/api/v2/operations/${payment}/refund`, { amount: '1.00' })
      expect(await show(id)).toMatchObject({ status: 'pending' })
      const came = await Promise.all([s.passOn(body.id), s.passOn(body.id), s.passOn(payment)])
      expect(came).toEqual([200, 200, 200])
      const order = await show(id)
      expect(order).toMatchObject({ status: 'processing', paid_times: 1, total_refunded: '1.00' })
      expect(order.refunds).toHaveLength(1)
      await s.sendCallbacksTo('shop')
    })

    it('by a bank that took the money back is said to be that', async () => {
      const { id, payment } = await paidByDebit()
      await money.sandbox(`sepa/${payment}/settle`, { outcome: 'returned' })
      const order = await s.shows(id, ({ status }) => status === 'refunded')
      expect(order.refunds).toEqual([['10.00', 'Clawback by the bank or the card network']])
    })

    it('that came back is written on it with decimals and currency', async () => {
      const id = await s.order()
      await money.pay(await s.checkoutOf(id), 'paypal')
      const [{ id: payment }] = await s.operationsOf(id)
      await money.sandbox(`online-wallet/${payment}/approve`)
      await s.shows(id, ({ status }) => status === 'processing')
      await money.sandbox(`online-wallet/${payment}/reverse`)
      await s.shows(id, ({ status }) => status === 'refunded')
      await money.sandbox(`online-wallet/${payment}/reinstate`)
      const order = await s.shows(id, (one) => notesWith(one, 'came back to you').length === 1)
      expect(notesWith(order, 'Comporta: a refund of 10.00 EUR')).toHaveLength(1)
    })

    it('of more than the order has left is written on it', async () => {
      const { id, payment } = await s.paidOrder(cards.frictionless)
      await s.shop.act('leave', { id, amount: '6.00' })
      await s.world.shop.post(`/api/v2/operations/${payment}/refund`, {})
      const order = await s.shows(id, (one) => notesWith(one, 'could not show this refund').length === 1)
      expect(order).toMatchObject({ total_refunded: '6.00' })
    })
  })

  describe('a refund of a payment that did not pay the order', () => {
    const giveBack = (payment: string) => s.world.shop.post(`/api/v2/operations/${payment}/refund`, {})
    const isNoted = (order: Json) => notesWith(order, 'did not count for this order').length === 1

    /** An order of 20.00 with a payment of 10.00. */
    async function paidTooLittle(): Promise<{ id: number; payment: string }> {
      const id = await s.order()
      const checkout = await s.checkoutOf(id)
      await s.shop.act('change', { id, set: { total: '20.00' } })
      await s.world.payOnPage(checkout, cards.frictionless)
      await s.shows(id, ({ status }) => status === 'on-hold')
      const [{ id: payment }] = await s.operationsOf(id)
      return { id, payment }
    }

    it('is a note where another payment had paid it: the order stays paid', async () => {
      const id = await s.order()
      const checkout = await s.checkoutOf(id)
      await s.shop.act('change', { id, set: { status: 'processing', transaction_id: 'OTHER-1' } })
      await s.world.payOnPage(checkout, cards.frictionless)
      const [{ id: payment }] = await s.operationsOf(id)
      await s.shows(id, (one) => notesWith(one, `Refund ${payment} in the backoffice`).length === 1)
      await giveBack(payment)
      const order = await s.shows(id, isNoted)
      expect(notesWith(order, `10.00 EUR of payment ${payment} were refunded`)).toHaveLength(1)
      expect(order).toMatchObject({ status: 'processing', transaction: 'OTHER-1', refunds: [] })
    })

    it('is a note where it was of another amount, and the order can be paid again', async () => {
      const { id, payment } = await paidTooLittle()
      expect(await s.shop.act('pay', { id })).toMatchObject({
        redirect: expect.stringContaining('/order-received/'),
      })
      await giveBack(payment)
      expect(await s.shows(id, isNoted)).toMatchObject({ status: 'on-hold', refunds: [] })
      await s.shop.act('change', { id, set: { status: 'pending' } })
      await s.world.payOnPage(await s.checkoutOf(id), cards.frictionless)
      const paid = await s.shows(id, ({ status }) => status === 'processing')
      const [again] = await s.operationsOf(id)
      expect(again).toMatchObject({ amount: 20, status: 'COMPLETED' })
      expect(paid).toMatchObject({ transaction: again.id, paid_times: 1 })
      expect(await refund(id, '20.00')).toEqual({ id: expect.any(Number) })
      expect(await show(id)).toMatchObject({ status: 'refunded', total_refunded: '20.00' })
    })

    it.each(['processing', 'completed'])(
      'is one of the order once the shop manager has accepted it as %s',
      async (status) => {
        const { id, payment } = await paidTooLittle()
        expect(await show(id)).toMatchObject({ transaction: '', refundable: false })
        await s.shop.act('change', { id, set: { status } })
        const order = await show(id)
        expect(order).toMatchObject({ status, transaction: payment, refundable: true })
        expect(notesWith(order, `payment ${payment} was accepted`)).toHaveLength(1)
        expect(await refund(id, '4.00')).toEqual({ id: expect.any(Number) })
        await giveBack(payment)
        await s.shows(id, ({ total_refunded }) => total_refunded === '10.00')
      },
    )

    it.each([
      ['was given back whole', 'comporta', '10.00'],
      ['belongs to another method than the order', 'bacs', '1.00'],
    ])('leaves nothing to accept where it %s', async (_, payment_method, amount) => {
      const { id, payment } = await paidTooLittle()
      await s.world.shop.post(`/api/v2/operations/${payment}/refund`, { amount })
      await s.shows(id, isNoted)
      await s.shop.act('change', { id, set: { payment_method, status: 'processing' } })
      expect(await show(id)).toMatchObject({ transaction: '', refundable: false })
    })
  })
})
