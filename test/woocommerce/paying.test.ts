// Payments with the WooCommerce plugin.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { type Money, moneyOf } from '../money.ts'
import { cards, type Json } from '../world.ts'
import { findPhp } from './php-shop.ts'
import { type ShopWorld, startShopWorld } from './shop-world.ts'

const php = findPhp()
let s: ShopWorld
let money: Money

const notesWith = (order: Json, part: string) => order.notes.filter((note: string) => note.includes(part))
const show = (id: number) => s.shop.act('show', { id })
const isPaid = ({ status }: Json) => status === 'processing'

describe.skipIf(php === undefined)('WooCommerce', () => {
  beforeAll(async () => {
    s = await startShopWorld(php ?? '')
    money = moneyOf(s.world)
  })

  afterAll(async () => {
    expect((await s.world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    const log = (await s.shop.act('log')).join('\n')
    for (const secret of [s.settings.api_key, s.settings.signing_secret]) expect(log).not.toContain(secret)
    await s.stop()
  })

  describe('an order', () => {
    it('is paid on the hosted page, by a callback, once', async () => {
      const id = await s.order({ total: '10.10' })
      const page = await s.world.payOnPage(await s.checkoutOf(id), cards.challenge)
      const order = await s.shows(id, isPaid)
      const [payment, ...others] = await s.operationsOf(id)
      expect(others).toEqual([])
      expect(payment).toMatchObject({
        ...{ status: 'COMPLETED', amount: 10.1, notes: `woocommerce:${id}`, ext_email: 'ana@example.com' },
        client: { name: 'Ana Silva', email: 'ana@example.com' },
        items: [{ name: 'Coffee', qt: 2 }, { name: 'Sugar, by the kilo' }],
      })
      expect(order).toMatchObject({ transaction: payment.id, paid_times: 1, refundable: true })
      const { wallet_id } = s.world.shop
      expect(order.link).toBe(`${s.proxy.url}/backoffice/wallets/${wallet_id}/payments/${payment.id}`)
      expect(notesWith(order, '10.10 EUR paid by CC')).toHaveLength(1)
      expect(page.links).toContainEqual(expect.stringContaining(`${s.shop.origin}/wc-api/comporta_return/`))
      expect(await s.comeBack(id)).toContain(`/order-received/${id}?`)
    })

    it('has one checkout, however often and fast the button is pressed', async () => {
      const id = await s.order()
      const pressed = await Promise.all([1, 2, 3, 4].map(() => s.checkoutOf(id)))
      pressed.push(await s.checkoutOf(id))
      expect(new Set(pressed.map(({ url_redirect }) => url_redirect)).size).toBe(1)
      expect(await s.operationsOf(id)).toHaveLength(1)
    })

    it('has one checkout where every answer was lost, and the customer tries again', async () => {
      const id = await s.order()
      s.proxy.cutAnswers('POST /api/v2/checkout', 3)
      const { result, notices } = await s.shop.act('pay', { id })
      expect([result, ...notices]).toEqual(['failure', expect.stringContaining('could not be started')])
      expect(notesWith(await show(id), 'did not answer')).toHaveLength(1)
      await s.checkoutOf(id)
      expect(await s.operationsOf(id)).toHaveLength(1)
    })

    it('continues at once after one lost answer', async () => {
      const id = await s.order()
      s.proxy.cutAnswers('POST /api/v2/checkout', 1)
      await s.checkoutOf(id)
      expect(await s.operationsOf(id)).toHaveLength(1)
    })

    it('fails when its customer gives up, and is paid by another checkout', async () => {
      const id = await s.order()
      const first = await s.checkoutOf(id)
      const page = await openPage(first.url_redirect)
      await submit(page, formTo(page, '/cancel'), {}, { within: s.world.baseUrl })
      await s.shows(id, ({ status }) => status === 'failed')
      expect(await s.comeBack(id)).toContain(`/order-pay/${id}?`)
      const second = await s.checkoutOf(id)
      expect(second.url_redirect).not.toBe(first.url_redirect)
      await s.world.payOnPage(second, cards.frictionless)
      expect(await s.shows(id, isPaid)).toMatchObject({ paid_times: 1 })
    })

    it('waits for its bank reference, which its customer reads in the shop and in the e-mail', async () => {
      const id = await s.order({ total: '19.99' })
      const page = await openPage((await s.checkoutOf(id)).url_redirect)
      await submit(page, formTo(page, '/mb?'))
      const waiting = await s.shows(id, ({ status }) => status === 'on-hold')
      const [{ mb }] = await s.operationsOf(id)
      const words = `entity ${mb.entity}, reference ${mb.ref}, amount 19.99 EUR`
      expect(notesWith(waiting, `entity ${mb.entity}, reference ${mb.ref}`)).toHaveLength(1)
      expect(await s.shop.act('thanks', { id })).toEqual({
        page: expect.stringContaining(words),
        email: expect.stringContaining(words),
      })
      expect(await s.comeBack(id)).toContain('/order-received/')
      await money.sandbox('references/pay', { ...mb, amount: 19.99 })
      const paid = await s.shows(id, isPaid)
      // Payments by reference cannot be refunded.
      expect(paid).toMatchObject({ paid_times: 1, refundable: false })
      expect(await s.shop.act('thanks', { id })).toEqual({ page: '', email: '' })
    })

    it('fails when its reference can be paid no longer', async () => {
      const id = await s.order()
      const page = await openPage((await s.checkoutOf(id)).url_redirect)
      await submit(page, formTo(page, '/mb?'))
      await s.shows(id, ({ status }) => status === 'on-hold')
      await s.world.advance('P3D')
      await s.shows(id, ({ status }) => status === 'failed')
    })

    it('that was paid another way meanwhile says that it was paid twice', async () => {
      const id = await s.order()
      const checkout = await s.checkoutOf(id)
      await s.shop.act('change', { id, set: { status: 'processing', transaction_id: 'OTHER-1' } })
      await s.world.payOnPage(checkout, cards.frictionless)
      const order = await s.shows(id, (one) => notesWith(one, 'a second time').length === 1)
      expect(order).toMatchObject({ status: 'processing', transaction: 'OTHER-1' })
    })

    it('is shown to nobody who comes back with another key', async () => {
      const id = await s.order()
      await s.checkoutOf(id)
      const back = `${s.shop.origin}/wc-api/comporta_return/?order=${id}&key=wc_order_guessed`
      const { headers } = await fetch(back, { redirect: 'manual' })
      expect(headers.get('location')).toBe(`${s.shop.origin}/shop`)
    })

    it('that is cancelled in the shop cannot be paid any more', async () => {
      await s.sendCallbacksTo('receiver')
      const id = await s.order()
      await s.checkoutOf(id)
      await s.shop.act('cancel', { id })
      const [payment] = await s.operationsOf(id)
      expect(payment).toMatchObject({ status: 'VOIDED' })
      expect(await s.passOn(payment.id, 'VOIDED')).toBe(200)
      expect((await show(id)).status).toBe('cancelled')
      await s.sendCallbacksTo('shop')
    })

    it('that is changed gets a checkout over its new total, and the old one is closed', async () => {
      const id = await s.order({ total: '10.00' })
      await s.checkoutOf(id)
      await s.shop.act('change', { id, set: { total: '12.50' } })
      await s.checkoutOf(id)
      const operations = await s.operationsOf(id)
      expect(operations.map(({ status, amount }) => [status, amount])).toEqual([
        ['NEW', 12.5],
        ['VOIDED', 10],
      ])
    })

    it('that is changed while it is paid does not count as paid', async () => {
      const id = await s.order({ total: '10.00' })
      const checkout = await s.checkoutOf(id)
      await s.shop.act('change', { id, set: { total: '10.01' } })
      await s.world.payOnPage(checkout, cards.frictionless)
      const order = await s.shows(id, ({ status }) => status === 'on-hold')
      expect(notesWith(order, 'so the order is not paid')).toHaveLength(1)
      expect(order).toMatchObject({ paid_times: 0, transaction: '' })
    })

    it.each([
      [{ currency: 'USD' }, 'Comporta accepts only EUR'],
      [{ total: '10.005' }, 'in whole cents'],
      [{ total: '0.1e2' }, 'in whole cents'],
      [{ total: '100000.00' }, '40012'],
    ])('with %j is refused, and the shop manager reads why', async (change, why) => {
      const id = await s.order(change)
      expect(await s.shop.act('pay', { id })).toMatchObject({ result: 'failure' })
      expect(notesWith(await show(id), why)).toHaveLength(1)
    })
  })

  describe('a callback', () => {
    const nobody = randomUUID()

    /** Another program makes a checkout that names an order. */
    const foreign = async (notes: string) => {
      const payment = { amount: 10, currency: 'EUR', notes }
      const checkout = await s.world.createCheckout({ payment })
      await s.world.payOnPage(checkout, cards.frictionless)
      return JSON.stringify({ operation_id: checkout.payment.id })
    }

    it.each([
      ['without a signature', 401, { headers: { 'webhook-signature': '' } }],
      ['signed with another secret', 401, { secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` }],
      ['six minutes old', 401, { age: 360 }],
      ['six minutes from the future', 401, { age: -360 }],
      ['with a changed time', 401, { headers: { 'webhook-timestamp': '1' } }],
      ['with a changed id', 401, { headers: { 'webhook-id': 'event-2' } }],
      ['signed, about an operation that the key does not see', 404, {}],
    ] as const)('%s gets %i', async (_, status, change) => {
      expect(await s.send(JSON.stringify({ operation_id: nobody }), change)).toBe(status)
    })

    it.each([
      ['nothing', ''],
      ['no JSON', '{'],
      ['another thing', '{"type":"MANDATE","mandate_id":"1"}'],
      ['a strange id', '{"operation_id":"../../x"}'],
    ])('about %s is taken, and changes nothing', async (_, body) => {
      expect(await s.send(body)).toBe(202)
    })

    it('about no order of this shop is taken, so that it is not repeated, and moves none', async () => {
      const id = await s.order()
      expect(await s.send(await foreign('for the accountant'))).toBe(202)
      expect(await s.send(await foreign('woocommerce:999999'))).toBe(202)
      expect(await s.send(await foreign(`woocommerce:${id}`))).toBe(202)
      expect(await show(id)).toMatchObject({ status: 'pending', notes: [] })
    })

    it('names only the operation: the answer of the gateway counts', async () => {
      const id = await s.order()
      await s.checkoutOf(id)
      const [{ id: operation }] = await s.operationsOf(id)
      const body = { operation_id: operation, operation_status: 'COMPLETED', event: 'COMPLETED', amount: 10 }
      expect(await s.send(JSON.stringify(body))).toBe(200)
      expect(await show(id)).toMatchObject({ status: 'pending', paid_times: 0 })
    })

    it('is verified with either secret while the secret is being changed', async () => {
      const next = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
      const both = { ...s.settings, signing_secret: next, previous_secret: s.settings.signing_secret }
      const body = await foreign('')
      expect(await s.send(body, { secret: next })).toBe(401)
      await s.shop.act('settings', both)
      expect([await s.send(body, { secret: next }), await s.send(body)]).toEqual([202, 202])
      await s.shop.act('settings', { ...both, previous_secret: '' })
      expect([await s.send(body, { secret: next }), await s.send(body)]).toEqual([202, 401])
      await s.shop.act('settings', s.settings)
    })

    it('is sent again while the gateway cannot be asked', async () => {
      await s.sendCallbacksTo('receiver')
      const body = await foreign('')
      s.proxy.cutAnswers('GET /api/v2/operations', 1)
      expect([await s.send(body), await s.send(body)]).toEqual([503, 202])
      await s.sendCallbacksTo('shop')
    })

    it('may come many times, at the moment in which the customer comes back', async () => {
      await s.sendCallbacksTo('receiver')
      const id = await s.order()
      await s.world.payOnPage(await s.checkoutOf(id), cards.frictionless)
      const [payment] = await s.operationsOf(id)
      expect(await show(id)).toMatchObject({ status: 'pending' })
      const came = await Promise.all([
        ...[1, 2, 3].map(() => s.comeBack(id)),
        ...[1, 2, 3, 4].map(() => s.passOn(payment.id)),
      ])
      expect(came.slice(3)).toEqual([200, 200, 200, 200])
      const order = await show(id)
      expect(order).toMatchObject({ status: 'processing', paid_times: 1, transaction: payment.id })
      expect(notesWith(order, 'paid by CC')).toHaveLength(1)
      await s.sendCallbacksTo('shop')
    })

    it('that comes after a later event changes nothing', async () => {
      await s.sendCallbacksTo('receiver')
      const id = await s.order()
      const page = await openPage((await s.checkoutOf(id)).url_redirect)
      await submit(page, formTo(page, '/mb?'))
      const [{ id: operation, mb }] = await s.operationsOf(id)
      await money.sandbox('references/pay', { ...mb, amount: 10 })
      expect(await s.passOn(operation, 'COMPLETED')).toBe(200)
      expect(await s.passOn(operation, 'PENDING')).toBe(200)
      expect(await show(id)).toMatchObject({ status: 'processing', paid_times: 1 })
      await s.sendCallbacksTo('shop')
    })

    it('that the customer has chosen to pay later does not take back what the shop manager decided', async () => {
      await s.sendCallbacksTo('receiver')
      const id = await s.order()
      const page = await openPage((await s.checkoutOf(id)).url_redirect)
      await submit(page, formTo(page, '/mb?'))
      await s.shop.act('change', { id, set: { status: 'completed' } })
      const [{ id: operation }] = await s.operationsOf(id)
      expect(await s.passOn(operation, 'PENDING')).toBe(200)
      expect(await show(id)).toMatchObject({ status: 'completed' })
      await s.sendCallbacksTo('shop')
    })

    it('that never came is caught up with', async () => {
      await s.sendCallbacksTo('receiver')
      s.world.receiver.script('/callbacks', { status: 410 })
      const id = await s.order()
      await s.world.payOnPage(await s.checkoutOf(id), cards.frictionless)
      const [{ id: operation }] = await s.operationsOf(id)
      await s.world.eventually(async () =>
        s.world.receiver.received('/callbacks').find(({ body }) => body.includes(operation)),
      )
      expect((await s.shop.act('run', { hook: 'comporta_catch_up' })).scheduled).toBe('hourly')
      expect(await s.shows(id, isPaid)).toMatchObject({ transaction: operation })
      s.world.receiver.script('/callbacks', { status: 200 })
      await s.sendCallbacksTo('shop')
      await s.shop.act('run', { hook: 'comporta_catch_up' })
      expect(await show(id)).toMatchObject({ paid_times: 1 })
    })
  })

  it.each<[unknown, number | null, string | null]>([
    ['10', 1000, '10.00'],
    ['10.5', 1050, '10.50'],
    ['10.500', 1050, '10.50'],
    [' 0.07 ', 7, '0.07'],
    ['999999999999.99', 99999999999999, '999999999999.99'],
    [8.1, 810, '8.10'],
    [7, 700, '7.00'],
    ['10.005', null, null],
    ['1e2', null, null],
    ['-1', null, null],
    ['', null, null],
    ['10.', null, null],
    ['.5', null, null],
    ['1,5', null, null],
    ['1 000', null, null],
    [null, null, null],
    [true, null, null],
  ])('reads the amount %j as %j cents, written %j', async (amount, cents, text) => {
    expect(await s.shop.act('amount', { amount })).toEqual({ cents, text })
  })

  describe('the settings', () => {
    it.each([
      [{ address: 'http://pay.example.com' }, 'Address of the gateway: enter it as https://'],
      [{ address: 'https://pay.example.com/api' }, 'without path, user or spaces'],
      [{ address: 'pay.example.com' }, 'Address of the gateway'],
      [{ address: 'https://pay.example#x' }, 'without path, user or spaces'],
      [{ address: 'https://pay.example#' }, 'without path, user or spaces'],
      [{ address: 'https://pay.example?x' }, 'without path, user or spaces'],
      [{ address: 'https://user:pw@pay.example' }, 'without path, user or spaces'],
      [{ address: 'https://a b' }, 'spaces'],
      [{ address: 'https://pay.example\\@evil.example' }, 'without path, user or spaces'],
      [{ address: 'https://pay.example\\evil' }, 'without path, user or spaces'],
      [{ address: 'http://127.0.0.1@evil.example' }, 'http works only for localhost'],
      [{ api_key: 'whsec_abc' }, 'API key: it must begin with cmp_live_ or cmp_test_'],
      [{ signing_secret: 'secret' }, 'Signing secret: it must begin with whsec_'],
      [{ previous_secret: 'whsec_!' }, 'Signing secret: it must begin with whsec_'],
    ])('%j are refused, and the ones before stay', async (change, why) => {
      const { errors, settings } = await s.shop.act('settings', { ...s.settings, ...change })
      expect(errors).toEqual([expect.stringContaining(why)])
      expect(settings).toEqual(s.settings)
    })

    it('with a key that the gateway does not know are saved, and say so', async () => {
      const api_key = `${s.settings.api_key?.slice(0, -1)}_`
      const { errors } = await s.shop.act('settings', { ...s.settings, api_key })
      expect(errors).toEqual([
        expect.stringMatching(/do not work yet.*Invalid API key|do not work yet.*20001/),
      ])
      expect((await s.shop.act('settings', s.settings)).errors).toEqual([])
    })

    it('offer the method in euros alone, and say that no money moves', async () => {
      const offered = await s.shop.act('method')
      expect(offered).toMatchObject({
        ...{
          available: true,
          title: 'Card and more',
          features: ['custom_order_tables', 'cart_checkout_blocks'],
        },
        description: expect.stringContaining('Test mode: no real money moves. Card 4176 6600 0000 0027'),
      })
      await s.shop.act('option', { name: 'woocommerce_currency', value: 'BRL' })
      expect(await s.shop.act('method')).toMatchObject({
        available: false,
        form: expect.stringContaining('The shop sells in BRL. Comporta accepts only EUR'),
      })
      await s.shop.act('option', { name: 'woocommerce_currency', value: 'EUR' })
    })

    it('speak Portuguese in a Portuguese shop', async () => {
      await s.shop.act('option', { name: 'locale', value: 'pt_PT' })
      const { description, form } = await s.shop.act('method')
      expect(description).toContain('Modo de teste: não movimenta dinheiro real.')
      expect(form).toContain('Chave da API')
      expect((await s.checkoutOf(await s.order())).url_redirect).toMatch(/\?lang=pt$/)
      await s.shop.act('option', { name: 'locale', value: 'en_US' })
    })

    it('offer the method in the block checkout, too', async () => {
      expect(await s.shop.act('blocks')).toEqual({
        ...{ name: 'comporta', active: true, scripts: ['comporta-blocks'] },
        data: {
          title: 'Card and more',
          description: expect.stringContaining('On the next page.'),
          supports: ['products', 'refunds'],
        },
      })
    })

    it('that are not complete offer nothing, and have callbacks sent again', async () => {
      await s.shop.act('settings', { ...s.settings, signing_secret: '' })
      expect(await s.shop.act('method')).toMatchObject({ available: false })
      expect(await s.send('{}')).toBe(503)
      await s.shop.act('settings', s.settings)
    })
  })
})
