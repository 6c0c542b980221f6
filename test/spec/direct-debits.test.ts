// Direct debits (SEPA).
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { ibans, type Money, moneyOf } from '../money.ts'
import type { Json, World } from '../world.ts'

let world: World
let money: Money

beforeAll(async () => {
  world = await openWorld()
  money = moneyOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const settle = (id: string, outcome: unknown) => money.sandbox(`sepa/${id}/settle`, { outcome })

async function ordered(iban?: string): Promise<Json> {
  const checkout = await world.createCheckout()
  expect((await money.payByDebit(checkout, iban)).text).toContain('Direct debit ordered')
  return checkout
}

async function paid(): Promise<string> {
  const { payment } = await ordered()
  expect((await settle(payment.id, 'paid')).body).toEqual({ operation_id: payment.id, state: 'paid' })
  return payment.id
}

const operation = (id: string) => world.operation(id)
const refundsOf = async (id: string) => {
  const { body } = await world.shop.get('/api/v2/operations?type=REFUND&limit=30')
  return body.elements.filter(({ parent }: Json) => parent === id)
}

describe('a checkout by SEPA', () => {
  it('is PENDING, reported to the merchant, and shown with account, mandate and day', async () => {
    const checkout = await ordered()
    expect(await operation(checkout.payment.id)).toMatchObject({ status: 'PENDING', method: 'SEPA', fee: 0 })
    expect(await money.callbackOf(checkout.payment.id, 'PENDING')).toMatchObject({
      method: 'SEPA',
      amount: 10,
    })
    const page = await openPage(checkout.url_redirect, { language: 'pt' })
    expect(page.text).toContain('Débito direto pedido')
    expect(page.text).toContain('PT50 •••• 0154')
    expect(page.text).not.toContain(ibans.paid)
    expect(page.links).toContainEqual(
      expect.stringContaining(`https://shop.example/ok?checkoutid=${checkout.id}`),
    )
  })

  it('cannot be paid another way, cancelled or expire meanwhile', async () => {
    const checkout = await ordered()
    expect((await money.pay(checkout, 'cancel').catch(() => undefined))?.text ?? '').not.toContain(
      'cancelled',
    )
    expect((await world.shop.delete(`/api/v2/checkout/${checkout.id}`)).body).toMatchObject({ code: 10013 })
    expect(await operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
  })

  it.each([
    [{ iban: '' }, 'Enter your IBAN.'],
    [{ iban: 'PT50000201231234567890155' }, 'This IBAN is not right. Check its letters and digits.'],
    [{ iban: 'BR1800360305000010009795493C1' }, 'This account is outside SEPA'],
    [{ holder: '' }, 'Enter the name of the account holder.'],
    [{ mandate: '' }, 'Tick the box to accept the mandate. Without it your bank cannot pay.'],
  ])('with %j shows the error and the rest, and begins nothing', async (change, expected) => {
    const checkout = await world.createCheckout()
    const page = await money.pay(checkout, 'sepa', { holder: 'Ana Sousa', iban: ibans.paid, ...change })
    expect(page.status).toBe(422)
    expect(page.text).toContain(expected)
    if (!('holder' in change)) expect(page.html).toContain('value="Ana Sousa"')
    expect(await operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
  })

  it.each([
    ['CH9300762011623852957', 'CH', true],
    ['GB29NWBK60161331926819', 'GB', true],
    ['NO9386011117947', '', false],
  ])(
    'of an account %s asks for the address where its bank wants one, on a page without scripts',
    async (iban, country, wants) => {
      const checkout = await world.createCheckout()
      const page = await openPage(checkout.url_redirect)
      expect(page.html).not.toContain('name="street"')
      const fields = { holder: 'Ana Sousa', iban, mandate: 'accepted' }
      const asked = await submit(page, formTo(page, '/sepa'), fields)
      if (!wants) {
        expect(asked.text).toContain('Direct debit ordered')
        return
      }
      expect(asked.status).toBe(422)
      expect(asked.text).toContain('The banks require the address of the account holder')
      expect(asked.text).toContain('Enter the street and door number.')
      expect(asked.html).toMatch(new RegExp(`<option value="${country}" selected>`))
      expect(await operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
      const address = { street: 'Bahnhofstraße 1', postalcode: '8001', city: 'Zürich', country }
      const done = await submit(asked, formTo(asked, '/sepa'), { ...fields, ...address })
      expect(done.text).toContain('Direct debit ordered')
      const { json } = await world.cli('bank', 'export')
      const file = readFileSync(json.files[0].path, 'utf8')
      expect(file).toContain(
        `<Dbtr><Nm>Ana Sousa</Nm><PstlAdr><PstCd>8001</PstCd><TwnNm>Zurich</TwnNm><Ctry>${country}</Ctry><AdrLine>Bahnhofstrasse 1</AdrLine></PstlAdr></Dbtr>`,
      )
    },
  )

  it('is paid by the bank on the next day it settles, or returned', async () => {
    const good = await ordered()
    const [poor, closed, silent] = [
      await ordered(ibans.noFunds),
      await ordered(ibans.closed),
      await world.createCheckout(),
    ]
    // The silent bank answers after the gateway's time-out.
    const paying = money.payByDebit(silent, ibans.silent)
    await world.eventually(async () => (await operation(silent.payment.id)).status === 'PENDING')
    await world.advance('P6D')
    expect(await operation(good.payment.id)).toMatchObject({
      status: 'COMPLETED',
      fee: -0.3,
      refundable: true,
    })
    expect((await openPage(good.url_redirect)).text).toContain('Payment made')
    expect(await operation(silent.payment.id)).toMatchObject({ status: 'COMPLETED' })
    expect((await paying).text).toContain('Payment made')
    expect(await operation(poor.payment.id)).toMatchObject({ status: 'FAIL' })
    expect(await money.callbackOf(poor.payment.id, 'FAIL')).toMatchObject({ error: 'insufficient_funds' })
    expect(await money.callbackOf(closed.payment.id, 'FAIL')).toMatchObject({ error: 'account_closed' })
    expect((await openPage(poor.url_redirect)).text).toContain('The payment was not made')
  })
})

describe('the bank, by hand', () => {
  it('pays at once, and the same again is refused', async () => {
    const id = await paid()
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
    expect(await settle(id, 'paid')).toMatchObject({
      status: 409,
      body: { code: 10013, reason: 'it is paid already' },
    })
  })

  it('returns what was never paid: the payment failed, for good', async () => {
    const { payment } = await ordered()
    await settle(payment.id, 'returned')
    expect(await operation(payment.id)).toMatchObject({ status: 'FAIL', refundable: false })
    expect((await settle(payment.id, 'paid')).body).toMatchObject({ code: 10013 })
    expect(await refundsOf(payment.id)).toEqual([])
  })

  it('returns what was paid: a REFUND of its own, reported to the merchant and taken from the balance', async () => {
    const id = await paid()
    const before = Number((await money.funds()).balance)
    await settle(id, 'returned')
    const [refund, ...others] = await refundsOf(id)
    expect(others).toEqual([])
    expect(refund).toMatchObject({
      status: 'COMPLETED',
      method: 'SEPA',
      amount: -10,
      fee: 0,
      amount_net: -10,
    })
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', refundable: false })
    expect(await money.callbackOf(refund.id, 'COMPLETED')).toMatchObject({
      type: 'REFUND',
      parent_operation_id: id,
      error: 'refused_by_debtor',
    })
    expect(Number((await money.funds()).balance)).toBe(before - 10)
    expect((await settle(id, 'returned')).body).toMatchObject({ code: 10013 })
  })

  it('returns what was divided from all who have of it', async () => {
    const sub = world.merchant('Sub Shop A')
    const split = [{ merchant_wallet: sub.public_id, amount_fraction: '1/3' }]
    const made = await world.createCheckout({ payment: { amount: 10, currency: 'EUR', split } })
    await money.payByDebit(made)
    await settle(made.payment.id, 'paid')
    await world.shop.post(`/api/v2/operations/${made.payment.id}/refund`, { amount: 4 })
    await settle(made.payment.id, 'returned')
    const amounts = (await refundsOf(made.payment.id)).map(({ amount }: { amount: number }) => amount)
    expect(amounts.sort()).toEqual([-4, -6])
    const seen = (await sub.get('/api/v2/operations?type=USERTRANSFER')).body.elements
    expect(seen.reduce((sum: number, { amount }: { amount: number }) => sum + amount * 100, 0)).toBeCloseTo(0)
  })

  it('returns nothing more than eight weeks after it paid', async () => {
    const id = await paid()
    await world.advance('P70D')
    expect((await settle(id, 'returned')).body).toMatchObject({
      code: 10013,
      reason: 'it was paid more than eight weeks ago, and cannot be returned any more',
    })
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', refundable: true })
  })

  it.each([
    [undefined, 10001, 'outcome is required'],
    ['lost', 10002, 'outcome must be paid or returned'],
    [1, 10002, 'outcome must be paid or returned'],
  ])('refuses the outcome %j', async (outcome, code, reason) => {
    const { payment } = await ordered()
    expect((await settle(payment.id, outcome)).body).toMatchObject({ code, reason })
  })

  it('knows no debit that was never ordered', async () => {
    const { payment } = await world.createCheckout()
    expect(await settle(payment.id, 'paid')).toMatchObject({ status: 404, body: { code: 10004 } })
    expect(await settle('none', 'paid')).toMatchObject({ status: 404, body: { code: 10004 } })
  })
})
