// Checkouts by phone, without scripts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { newPhone, type Phone } from '../phone.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const english = { language: 'en' }

/** Submits the number and returns the next page. */
async function payByPhone(
  checkout: Json,
  number: string,
  fields: Record<string, string> = {},
): Promise<Page> {
  const page = await openPage(checkout.url_redirect, english)
  return submit(page, formTo(page, '/mbway'), { phone: number, ...fields }, english)
}

const typed = ({ number }: Phone) => number.slice(4).replace(/(\d{3})(?=\d)/g, '$1 ')
const look = (checkout: Json) => openPage(checkout.url_redirect, english)

describe('a checkout', () => {
  it('waits for the phone, and is paid once it is approved there', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout()
    const waiting = await payByPhone(checkout, typed(phone))
    expect(waiting.text).toContain('Approve on your phone')
    expect(waiting.text).toContain(phone.number.slice(-3))
    expect(waiting.text).toMatch(/Time left: [34]:\d\d/)
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'PENDING',
      method: 'MBWAY',
      client: { phone: phone.number },
    })
    const request = await phone.pending()
    expect(request).toMatchObject({ kind: 'payment', amount: 10, merchant: 'Demo Shop' })
    await phone.approve(request.id)

    const paid = await look(checkout)
    expect(paid.links).toContain(`https://shop.example/ok?checkoutid=${checkout.id}`)
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      fee: -0.15,
      amount_net: 9.85,
      refundable: true,
    })
    const callback = await world.eventually(async () =>
      world.receiver.received('/callbacks').find(({ body }) => body.includes(checkout.payment.id)),
    )
    expect(JSON.parse(callback.body)).toMatchObject({
      event: 'COMPLETED',
      method: 'MBWAY',
      checkout_id: checkout.id,
    })
  })

  it('for an authorization reserves the amount', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout({
      payment: undefined,
      authorization: { amount: 30, currency: 'EUR' },
    })
    await payByPhone(checkout, typed(phone))
    const request = await phone.pending()
    expect(request).toMatchObject({ kind: 'authorization', amount: 30 })
    await phone.approve(request.id)
    expect(await world.operation(checkout.authorization.id)).toMatchObject({
      type: 'AUTH',
      status: 'COMPLETED',
      method: 'MBWAY',
      fee: 0,
    })
  })

  it('refused on the phone says so, and can be paid again, by phone or by card', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout()
    for (let times = 0; times < 2; times++) {
      await payByPhone(checkout, typed(phone))
      await phone.refuse((await phone.pending()).id)
      const refused = await look(checkout)
      expect(refused.text).toContain('The request was refused on the phone')
      expect(formTo(refused, '/mbway').fields.phone).toBe(typed(phone).trim())
    }
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
    await world.payOnPage(checkout, cards.frictionless)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'CC' })
    const encoded = encodeURIComponent(phone.number)
    const found = await world.shop.get(`/api/v2/operations?method=MBWAY&phone=${encoded}`)
    expect(found.body.total).toBe(0)
  })

  it('not approved within 4 minutes says so, and takes no late approval', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout()
    await payByPhone(checkout, typed(phone))
    const { id } = await phone.pending()
    await world.advance('PT4M')
    expect((await look(checkout)).text).toContain('The time to approve is over')
    expect(await phone.approve(id)).toMatchObject({ status: 409, body: { code: 10013 } })
    await payByPhone(checkout, typed(phone))
    const again = await phone.pending()
    expect(again.id).not.toBe(id)
    await phone.approve(again.id)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('waiting for the phone can be neither voided, nor cancelled, nor paid by card', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout()
    const page = await look(checkout)
    await submit(page, formTo(page, '/mbway'), { phone: typed(phone) }, english)
    expect(await world.shop.delete(`/api/v2/checkout/${checkout.id}`)).toMatchObject({
      status: 409,
      body: { code: 10013 },
    })
    expect((await submit(page, formTo(page, '/cancel'), {}, english)).text).toContain('Approve on your phone')
    const card = { number: cards.frictionless.number, expiry: '12 / 30', vcode: '123', name: 'Ana' }
    expect((await submit(page, formTo(page, '/card'), card, english)).text).toContain('Approve on your phone')
    expect(await phone.requests()).toHaveLength(1)
    await phone.approve((await phone.pending()).id)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'MBWAY' })
  })

  it('posted twice asks once, also with a form that was refused before', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout()
    const page = await look(checkout)
    const post = () => submit(page, formTo(page, '/mbway'), { phone: typed(phone) }, english)
    await Promise.all([post(), post()])
    expect(await phone.requests()).toHaveLength(1)
    await phone.refuse((await phone.pending()).id)
    await post()
    expect(await phone.requests()).toHaveLength(1)
  })

  it.each([
    ['nothing', '', 'Enter your phone number.'],
    ['letters', 'my phone', 'Enter a complete number'],
    ['too few digits', '91234', 'Enter a complete number'],
    ['a number that has no MB WAY', '912 345 699', 'This number has no MB WAY.'],
    ['a number abroad', '+34 612 345 678', 'This number has no MB WAY.'],
    ['a card number', '4176 6600 0000 0027', 'Enter a complete number'],
  ])('asks again after %s', async (_, number, callback) => {
    const checkout = await world.createCheckout()
    const page = await payByPhone(checkout, number)
    expect(page.text).toContain(callback)
    expect(page.text).not.toContain('4176')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
  })

  it('asks for the data that the merchant needs', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout({ required_fields: { name: true, email: true, phone: true } })
    const missing = await payByPhone(checkout, typed(phone))
    expect(missing.text).toContain('Enter your e-mail address.')
    await payByPhone(checkout, `+351${typed(phone)}`, { fullname: 'Ana Silva', email: 'ana@example.com' })
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      client: { name: 'Ana Silva', email: 'ana@example.com', phone: phone.number },
    })
    expect(await phone.pending()).toMatchObject({ amount: 10 })
  })

  it('that excludes MBWAY does not offer it', async () => {
    const checkout = await world.createCheckout({ exclude: ['MBWAY'] })
    expect((await look(checkout)).forms.map(({ action }) => action).join()).not.toContain('/mbway')
  })
})

/** Presses one of the two buttons of the waiting page. */
function leave(waiting: Page, next: 'number' | 'method'): Promise<Page> {
  const way = waiting.forms.find(({ action, fields }) => action.includes('/withdraw') && fields.next === next)
  if (way === undefined) throw new Error(`no way to ${next}: ${waiting.text}`)
  return submit(waiting, way, {}, english)
}

describe('a customer who waits for a phone', () => {
  const units: [string, Json][] = [
    ['payment', {}],
    ['authorization', { payment: undefined, authorization: { amount: 10, currency: 'EUR' } }],
  ]
  it.each(units)('of the kind %s corrects the number', async (_, change) => {
    const [wrong, right] = [newPhone(world), newPhone(world)]
    const checkout = await world.createCheckout(change)
    const { id } = checkout.payment ?? checkout.authorization
    const form = await leave(await payByPhone(checkout, typed(wrong)), 'number')
    expect(form.text).toContain('The request was cancelled')
    expect(form.html).toMatch(/class="notice calm" role="status"/)
    expect(form.html).toMatch(/value="MBWAY" checked/)
    expect(formTo(form, '/mbway').fields.phone).toBe(typed(wrong))
    const [withdrawn] = await wrong.requests()
    expect(await wrong.approve(withdrawn?.id)).toMatchObject({ status: 409, body: { code: 10013 } })

    await submit(form, formTo(form, '/mbway'), { phone: typed(right) }, english)
    await right.approve((await right.pending()).id)
    expect(await world.operation(id)).toMatchObject({
      status: 'COMPLETED',
      method: 'MBWAY',
      client: { phone: right.number },
    })
  })

  it('pays another way', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout()
    const waiting = await payByPhone(checkout, typed(phone))
    const form = await leave(waiting, 'method')
    expect(form.html).toMatch(/value="CC" checked/)
    expect((await leave(waiting, 'method')).url).toBe(form.url)
    await world.payOnPage(checkout, cards.frictionless)
    const [request] = await phone.requests()
    expect(await phone.approve(request?.id)).toMatchObject({ status: 409 })
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'CC' })
  })

  it('gives up, and goes back to the shop', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout()
    const form = await leave(await payByPhone(checkout, typed(phone)), 'method')
    await fetch(new URL(formTo(form, '/cancel').action, form.url), { method: 'POST', redirect: 'manual' })
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL', method: 'MBWAY' })
  })

  it('offers no other way if there is only one, and is too late after the approval', async () => {
    const phone = newPhone(world)
    const checkout = await world.createCheckout({ exclude: ['CC', 'MB', 'PAYPAL', 'WALLET', 'SEPA'] })
    const waiting = await payByPhone(checkout, typed(phone))
    expect(waiting.text).not.toContain('Pay another way')
    await phone.approve((await phone.pending()).id)
    const late = await leave(waiting, 'number')
    expect(late.links).toContain(`https://shop.example/ok?checkoutid=${checkout.id}`)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it.each([
    ['a subscription', {}],
    ['a payment with a subscription', { payment: { amount: 5, currency: 'EUR' } }],
  ])('to accept %s corrects the number, or pays by card', async (_, beside) => {
    const subscribers = subscribersOf(world)
    const [wrong, right] = [newPhone(world), newPhone(world)]
    const checkout = await subscribers.checkout({}, beside)
    const form = await leave(await payByPhone(checkout, typed(wrong)), 'number')
    expect(form.text).toContain('The request was cancelled')
    expect(formTo(form, '/mbway').fields.phone).toBe(typed(wrong))
    const [withdrawn] = await wrong.requests()
    expect(await wrong.approve(withdrawn?.id)).toMatchObject({ status: 409 })
    await submit(form, formTo(form, '/mbway'), { phone: typed(right) }, english)
    await right.approve((await right.pending()).id)
    expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ status: 'APPROVED' })

    const other = await subscribers.checkout({}, beside)
    await leave(await payByPhone(other, typed(wrong)), 'method')
    await world.payOnPage(other, cards.frictionless)
    expect(await subscribers.read(other.subscription.id)).toMatchObject({ status: 'APPROVED' })
    expect((await wrong.mandates()).map(({ state }) => state)).toEqual(['ENDED', 'ENDED'])
  })

  it('finds the number in the form after it was refused, and after the time was over', async () => {
    const phone = newPhone(world)
    for (const checkout of [await world.createCheckout(), await subscribersOf(world).checkout()]) {
      await payByPhone(checkout, typed(phone))
      await phone.refuse((await phone.pending()).id)
      expect(formTo(await look(checkout), '/mbway').fields.phone).toBe(typed(phone))
      await payByPhone(checkout, typed(phone))
      await world.advance('PT4M')
      expect(formTo(await look(checkout), '/mbway').fields.phone).toBe(typed(phone))
    }
  })
})

describe('a checkout that asks phones again and again', () => {
  it('asks three times without an answer, and says so in both languages', async () => {
    const phone = newPhone(world)
    for (let times = 0; times < 3; times++) await payByPhone(await world.createCheckout(), typed(phone))
    const checkout = await world.createCheckout()
    const refused = await payByPhone(checkout, typed(phone))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.text).toContain('We have sent several requests already')
    expect(formTo(refused, '/mbway').fields.phone).toBe(typed(phone))
    const portuguese = await openPage(`${checkout.url_redirect}?lang=pt`)
    const again = await submit(portuguese, formTo(portuguese, '/mbway'), { phone: typed(phone) })
    expect(again.text).toContain('Já enviámos vários pedidos')
    expect(await phone.requests()).toHaveLength(3)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
  })

  it.each(['payment', 'subscription'])(
    'asks ten times within an hour for a %s, whichever phones',
    async (kind) => {
      const checkout =
        kind === 'payment' ? await world.createCheckout() : await subscribersOf(world).checkout()
      for (let times = 0; times < 10; times++) {
        const phone = newPhone(world)
        await payByPhone(checkout, typed(phone))
        await phone.refuse((await phone.pending()).id)
      }
      const eleventh = newPhone(world)
      const refused = await payByPhone(checkout, typed(eleventh))
      expect(refused.text).toContain('We have sent several requests already')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
      expect(await eleventh.requests()).toHaveLength(0)
      await world.advance('PT1H')
      expect((await payByPhone(checkout, typed(eleventh))).text).toContain('Approve on your phone')
    },
  )
})

describe('a customer with a mandate', () => {
  /** A phone with a mandate of `limit` euros a month for Demo Shop. */
  async function withMandate(limit = 100): Promise<{ phone: Phone; mandateId: string }> {
    const phone = newPhone(world)
    const { body } = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
    await phone.approve(body.mandate_id, { amount_limit: limit })
    return { phone, mandateId: body.mandate_id }
  }
  const available = async (id: string): Promise<number> =>
    (await world.shop.get(`/api/v2/mandate/mbway/${id}`)).body.amount_available
  const paying = (phone: string, change: Json = {}) => ({
    payment: { amount: 10, currency: 'EUR', client: { phone, ...change } },
  })

  it('is asked on the phone when a customer types the number on the page', async () => {
    const { phone, mandateId } = await withMandate()
    const authorization = { payment: undefined, authorization: { amount: 10, currency: 'EUR' } }
    for (const change of [{}, authorization, { required_fields: { phone: true } }]) {
      const checkout = await world.createCheckout(change)
      expect((await payByPhone(checkout, typed(phone))).text).toContain('Approve on your phone')
      expect((checkout.payment ?? checkout.authorization).status).toBe('NEW')
      const asked = await phone.pending()
      expect(asked.amount).toBe(10)
      await phone.refuse(asked.id)
      // The form keeps the typed number, without a request.
      const again = await look(checkout)
      expect(formTo(again, '/mbway').fields.phone).toBe(typed(phone))
      await submit(again, formTo(again, '/mbway'), {}, english)
      await phone.refuse((await phone.pending()).id)
    }
    expect(await available(mandateId)).toBe(100)
  })

  it('is asked on the phone when another number was named by the shop, or typed with another method', async () => {
    const { phone, mandateId } = await withMandate()
    const named = await world.createCheckout(paying(newPhone(world).number))
    expect((await payByPhone(named, typed(phone))).text).toContain('Approve on your phone')
    await phone.refuse((await phone.pending()).id)

    const checkout = await world.createCheckout({ required_fields: { phone: true } })
    const page = await look(checkout)
    await submit(page, formTo(page, '/mb?'), { phone: phone.number }, english)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ client: { phone: phone.number } })
    const choosing = await openPage(`${checkout.url_redirect}?choose`, english)
    expect((await submit(choosing, formTo(choosing, '/mbway'), {}, english)).text).toContain(
      'Approve on your phone',
    )
    await phone.refuse((await phone.pending()).id)
    expect(await available(mandateId)).toBe(100)
  })

  it('is asked on the phone when the key that named it may not use mandates', async () => {
    const { phone, mandateId } = await withMandate()
    const wallet = String(world.shop.wallet_id)
    const made = await world.cli('key', 'create', wallet, '--permissions', 'checkout')
    const answer = await world.request('/api/v2/checkout', {
      method: 'POST',
      headers: { authorization: `Comporta ${made.json.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...paying(phone.number),
        url_confirm: 'https://shop.example/ok',
        url_cancel: 'https://shop.example/no',
      }),
    })
    expect((await payByPhone(answer.body, typed(phone))).text).toContain('Approve on your phone')
    await phone.refuse((await phone.pending()).id)
    expect(await available(mandateId)).toBe(100)
  })

  it('of the shop’s customer pays without the phone within the month’s limit', async () => {
    const { phone, mandateId } = await withMandate(15)
    const first = await world.createCheckout(paying(phone.number))
    const paid = await payByPhone(first, typed(phone))
    expect(paid.links).toContain(`https://shop.example/ok?checkoutid=${first.id}`)
    expect(await world.operation(first.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'MBWAY' })

    const second = await world.createCheckout(paying(phone.number))
    expect((await payByPhone(second, typed(phone))).text).toContain('Approve on your phone')
    await phone.refuse((await phone.pending()).id)
    expect(await available(mandateId)).toBe(5)
  })

  it('of another shop is still asked', async () => {
    const phone = newPhone(world)
    const { body } = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
    await phone.approve(body.mandate_id)
    const other = world.merchant('Sub Shop A')
    await world.cli('merchant', 'set', String(other.wallet_id), '--methods', 'CC,MBWAY')
    const checkout = await other.post('/api/v2/checkout', {
      ...paying(phone.number),
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    })
    expect((await payByPhone(checkout.body, typed(phone))).text).toContain('Approve on your phone')
    expect(await phone.pending()).toMatchObject({ merchant: 'Sub Shop A' })
  })
})
