// Fields of one operation (SPEC.md "Operation").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const paymentOf = (change: Record<string, unknown>) => ({
  payment: { amount: 10, currency: 'EUR', ...change },
})

const callbacksOf = (operationId: string): Json[] =>
  world.receiver
    .received('/callbacks')
    .map(({ body }) => JSON.parse(body))
    .filter((callback) => callback.operation_id === operationId)

const now = async (): Promise<number> => Date.parse((await world.request('/sandbox/api/clock')).body.now)

describe('data of the merchant', () => {
  it('is shown as it was sent: notes, expiry, items', async () => {
    const expires = new Date((await now()) + 7_200_000).toISOString().replace(/\.\d+Z$/, '+0000')
    const items = [{ name: 'T-shirt', ref: 'A-1', descr: 'Blue', qt: 2, amount: 5 }]
    const sent = { notes: 'Gift: wrap it', expires, items }
    const { payment } = await world.createCheckout(paymentOf(sent))
    expect(payment).toMatchObject(sent)
    expect(await world.operation(payment.id)).toMatchObject(sent)
  })

  it.each([
    ['in UTC', '%T17:30:00Z'],
    ['with a basic offset', '%T19:00:00+0130'],
    ['with an extended offset, behind UTC', '%T12:30:00-05:00'],
    ['with hours alone for an offset', '%T18:30:00+01'],
    ['without a zone, which is UTC', '%T17:30:00'],
    ['with parts of a second, which are cut', '%T17:30:00.999Z'],
  ])('may be a date %s', async (_, form) => {
    const day = new Date((await now()) + 3 * 86_400_000).toISOString().slice(0, 10)
    const { payment } = await world.createCheckout(paymentOf({ expires: form.replace('%', day) }))
    expect(payment.expires).toBe(`${day}T17:30:00+0000`)
    expect((await world.operation(payment.id)).expires).toBe(`${day}T17:30:00+0000`)
  })

  it.each([
    ['ext_invoiceid', 45],
    ['ext_customerid', 45],
    ['ext_employee', 45],
    ['ext_email', 100],
    ['notes', 255],
  ])('%s has at most %i characters', async (field, lengthMax) => {
    const fits = 'ã'.repeat(lengthMax)
    const { payment } = await world.createCheckout(paymentOf({ [field]: fits }))
    expect(payment[field]).toBe(fits)
    const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }
    const refused = await world.shop.post('/api/v2/checkout', {
      ...urls,
      ...paymentOf({ [field]: `${fits}x` }),
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 10002 } })
    expect(refused.body.reason).toContain(`payment.${field} must be at most ${lengthMax} characters`)
  })

  it('names a store of its own', async () => {
    const [store] = world.shop.stores
    expect((await world.createCheckout(paymentOf({ store }))).payment.status).toBe('NEW')
    const [foreign] = world.merchant('Plain Shop').stores
    await expect(world.createCheckout(paymentOf({ store: foreign }))).rejects.toThrow('payment.store must be')
  })

  it('asks for an authorization in place of a payment', async () => {
    const made = await world.createCheckout({
      payment: undefined,
      authorization: { amount: 25, currency: 'EUR' },
    })
    expect(made).toMatchObject({ authorization: { type: 'AUTH', status: 'NEW', amount: 25 } })
    expect(made).not.toHaveProperty('payment')
    expect((await world.shop.get(`/api/v2/checkout/${made.id}`)).body).toEqual(made)
  })

  it('may prefer or exclude phone platforms, which are no methods of operations', async () => {
    const preferred = { exclude: ['GPAY'], default_method: 'APAY', required_fields: { shipping: true } }
    const { exclude, shipping } = await world.createCheckout(preferred)
    expect({ exclude, shipping }).toEqual({ exclude: ['GPAY'], shipping: true })
    const listed = await world.shop.get('/api/v2/operations?method=GPAY')
    expect(listed).toMatchObject({ status: 400, body: { code: 10002 } })
  })
})

describe('data of the customer', () => {
  it('is shown once known: address, name, e-mail and phone, with the merchant’s data', async () => {
    const checkout = await world.createCheckout({
      ...paymentOf({ client: { address: { city: 'Lisboa', country: 'PT', postalcode: '1000-001' } } }),
      required_fields: { email: true, phone: true },
    })
    expect(checkout.payment).not.toHaveProperty('ipaddress')
    const page = await openPage(checkout.url_redirect)
    const typed = { number: cards.frictionless.number, name: 'Ana Silva', expiry: '12/30', vcode: '123' }
    const contact = { email: 'ana@example.com', phone: '+351 911 234 567' }
    await submit(page, formTo(page, '/card'), { ...typed, ...contact })
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      ipaddress: '127.0.0.1',
      client: {
        name: 'Ana Silva',
        ...contact,
        phone: '+351911234567',
        address: { city: 'Lisboa', country: 'PT' },
      },
    })
  })
})

describe('its dates', () => {
  it('are when it was made, and when it last changed', async () => {
    const before = await now()
    const checkout = await world.createCheckout()
    const { id, date, modified_date } = checkout.payment
    const made = Date.parse(date.replace('+0000', 'Z'))
    expect(made).toBeGreaterThanOrEqual(before)
    expect(made).toBeLessThanOrEqual(await now())
    expect(modified_date).toBe(date)
    await world.advance('PT10M')
    await world.payOnPage(checkout, cards.frictionless)
    const paid = await world.operation(id)
    expect(paid.date).toBe(date)
    const minutesLater =
      (Date.parse(paid.modified_date.replace('+0000', 'Z')) - Date.parse(date.replace('+0000', 'Z'))) / 60_000
    expect(Math.floor(minutesLater)).toBe(10)
  })
})

describe('its end', () => {
  it('is final', async () => {
    const checkout = await world.createCheckout()
    const stale = await openPage(checkout.url_redirect)
    await world.payOnPage(checkout, cards.frictionless)
    const paid = await world.operation(checkout.payment.id)
    await submit(stale, formTo(stale, '/cancel'), {}, { within: world.baseUrl })
    expect(await world.shop.delete(`/api/v2/checkout/${checkout.id}`)).toMatchObject({
      status: 409,
      body: { code: 10013 },
    })
    await world.advance('P2D')
    expect(await world.operation(checkout.payment.id)).toEqual(paid)
    expect(callbacksOf(checkout.payment.id).map(({ event }) => event)).toEqual(['COMPLETED'])
  })

  it('by its merchant causes no callback, unless the wallet asks for it', async () => {
    const voidOne = async () => {
      const { id, payment } = await world.createCheckout()
      expect(await world.shop.delete(`/api/v2/checkout/${id}`)).toMatchObject({ status: 200 })
      return payment.id
    }
    const selfEvents = (word: string) =>
      world.cli('merchant', 'set', String(world.shop.wallet_id), '--self-events', word)

    const quiet = await voidOne()
    await selfEvents('on')
    const loud = await voidOne()
    await selfEvents('off')
    await world.eventually(async () => callbacksOf(loud).length > 0)
    expect(callbacksOf(loud)).toMatchObject([{ event: 'VOIDED', operation_status: 'VOIDED' }])
    expect(callbacksOf(quiet)).toEqual([])
  })
})
