// Customers and the cards that they save for a shop.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { signIn } from '../people.ts'
import { newPhone, type Phone } from '../phone.ts'
import { askToPay } from '../stored-cards.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld('postgres')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const path = '/api/v2/customers'
const anas = { name: 'Ana Silva', email: 'ana@example.com', phone: '+351911234567' }

async function createCustomer(change: Record<string, unknown> = {}): Promise<Json> {
  const made = await world.shop.post(path, change)
  expect(made.status, made.text).toBe(200)
  return made.body
}

function patch(id: string, body: unknown): Promise<Answer> {
  return world.request(`${path}/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Another merchant with a key for customers. */
async function otherMerchant() {
  const { wallet_id } = world.merchant('Plain Shop')
  const { json } = await world.cli('key', 'create', String(wallet_id), '--permissions', 'checkout,customers')
  const send = (method: string) => (to: string, body?: unknown) =>
    world.request(to, {
      method,
      headers: {
        authorization: `Comporta ${json.api_key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return { get: send('GET'), post: send('POST'), patch: send('PATCH'), delete: send('DELETE') }
}

const read = async (id: string): Promise<Json> => (await world.shop.get(`${path}/${id}`)).body
const find = async (query: string): Promise<string[]> =>
  (await world.shop.get(`${path}?${query}`)).body.elements.map(({ id }: Json) => id)
const methodsOf = async (id: string): Promise<Json[]> =>
  (await world.shop.get(`${path}/${id}/payment_methods`)).body.elements

const checkoutFor = (id: string, change: Record<string, unknown> = {}) =>
  world.createCheckout({ customer: { id }, ...change })
const open = async (checkout: Json) => openPage(checkout.url_redirect)

const typed = { name: 'Ana Silva', expiry: '12 / 30', vcode: '123' }
const savedForm = (page: Page) => page.forms.find(({ fields }) => 'saved' in fields)
const cardForm = (page: Page) => {
  const form = page.forms.find(({ action, fields }) => action.includes('/card') && 'number' in fields)
  if (form === undefined) throw new Error(page.text)
  return form
}

/** Goes through the pages of the bank. */
async function finish(page: Page, otp = '0101'): Promise<Page> {
  let shown = page
  for (let step = 0; step < 6; step++) {
    const next = shown.forms.find(({ action }) => /\/bank\b|\/challenge\b|\/3ds\/return\//.test(action))
    if (next === undefined) return shown
    shown = await submit(shown, next, 'otp' in next.fields ? { otp } : {})
  }
  return shown
}

async function pay(checkout: Json, number: string, fields: Record<string, string> = {}): Promise<Page> {
  const page = await open(checkout)
  const vcode = number.startsWith('3') ? '1234' : '123'
  return finish(await submit(page, cardForm(page), { ...typed, vcode, number, ...fields }))
}

async function saved(number: string = cards.frictionless.number, customer?: Json): Promise<Json> {
  const owner = customer ?? (await createCustomer())
  const page = await pay(await checkoutFor(owner.id), number, { save: 'yes' })
  expect(page.text).toContain('Payment made')
  return owner
}

async function payWithSaved(page: Page, fields: Record<string, string> = {}): Promise<Page> {
  const form = savedForm(page)
  if (form === undefined) throw new Error(`no saved card is offered: ${page.text}`)
  return finish(await submit(page, form, { vcode: '123', ...fields }))
}

const statusOf = async ({ payment }: Json) => (await world.operation(payment.id)).status

describe('a customer', () => {
  it('is created, read, changed and deleted', async () => {
    const customer = await createCustomer({ ext_customerid: 'C-1', ...anas, phone: '911 234 567' })
    expect(customer).toMatchObject({ ext_customerid: 'C-1', ...anas })
    expect(customer.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
    expect(await read(customer.id)).toEqual(customer)
    const changed = await patch(customer.id, { email: 'a@b.example', name: '', phone: null })
    expect(changed.body).toMatchObject({ id: customer.id, ext_customerid: 'C-1', email: 'a@b.example' })
    expect(changed.body).not.toHaveProperty('name')
    expect(changed.body).not.toHaveProperty('phone')
    expect((await world.shop.delete(`${path}/${customer.id}`)).text).toBe('true')
    for (const answer of [
      await world.shop.get(`${path}/${customer.id}`),
      await world.shop.delete(`${path}/${customer.id}`),
      await patch(customer.id, {}),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 10004 } })
  })

  it('is found by each of its fields, and by parts of none but the name', async () => {
    const tag = randomUUID().slice(0, 8)
    const ana = await createCustomer({
      ext_customerid: `E-${tag}`,
      name: `Ána_${tag} Silva`,
      email: `${tag}@Example.com`,
      phone: '+351912000111',
    })
    await createCustomer({ name: `Ána-${tag} Silva`, email: `x${tag}@example.com` })
    for (const query of [
      `ext_customerid=E-${tag}`,
      `name=ÁNA_${tag}`,
      `name=ana_${tag}`,
      `email=${tag}@example.COM`,
      `name=ána_${tag}&email=${tag}@example.com`,
      `q=E-${tag}`,
      `q=${tag}@example.com`,
      `q=ÁNA_${tag} si`,
      `q=${ana.id}`,
    ])
      expect(await find(query), query).toEqual([ana.id])
    expect(await find(`phone=${encodeURIComponent('+351912000111')}`)).toContain(ana.id)
    expect(await find('q=912000111')).toContain(ana.id)
    expect(await find(`q=${tag}`)).toEqual([])
    expect(await find(`name=${tag}`)).toEqual([])
    expect(await find('name=%25')).toEqual([])
  })

  it('has a reference of its own', async () => {
    const one = await createCustomer({ ext_customerid: 'C-2' })
    const two = await createCustomer({})
    for (const answer of [
      await world.shop.post(path, { ext_customerid: 'C-2' }),
      await patch(two.id, { ext_customerid: 'C-2' }),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: 10013 } })
    await patch(one.id, { ext_customerid: '' })
    expect((await patch(two.id, { ext_customerid: 'C-2' })).status).toBe(200)
    const { body } = await (await otherMerchant()).post(path, { ext_customerid: 'C-2' })
    expect(body.ext_customerid).toBe('C-2')
  })

  it('is created once under one key, and a refused key can be used again', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const [one, two] = await Promise.all([world.shop.post(path, anas, key), world.shop.post(path, anas, key)])
    const made = [one, two].filter(({ status }) => status === 200)
    const again = await world.shop.post(path, anas, key)
    expect(made.every(({ text }) => text === again.text)).toBe(true)
    const other = { 'idempotency-key': randomUUID() }
    const { id } = await createCustomer({ ext_customerid: 'C-3' })
    expect((await world.shop.post(path, { ext_customerid: 'C-3' }, other)).status).toBe(409)
    await world.shop.delete(`${path}/${id}`)
    expect((await world.shop.post(path, { ext_customerid: 'C-3' }, other)).status).toBe(200)
  })

  it.each([
    [{ email: 'ana' }, 'email must be an e-mail address such as ana@example.com'],
    [{ phone: '1' }, 'phone must be a phone number with + and its country code, such as +351911234567'],
    [{ name: cards.frictionless.number }, 'name must not hold a card number'],
    [{ ext_customerid: 'x'.repeat(46) }, undefined],
  ])('%j is refused', async (body, reason) => {
    const answer = await world.shop.post(path, body)
    expect(answer).toMatchObject({ status: 400, body: reason === undefined ? {} : { reason } })
  })

  it('is of one merchant', async () => {
    const other = await otherMerchant()
    const customer = await saved()
    const [card] = await methodsOf(customer.id)
    const checkout = await other.post('/api/v2/checkout', {
      payment: { amount: 10, currency: 'EUR' },
      customer: { id: customer.id },
      url_confirm: 'https://shop.example/ok',
    })
    expect(checkout).toMatchObject({
      body: { reason: 'customer.id must be a customer of this wallet: create it first' },
    })
    for (const answer of [
      await other.get(`${path}/${customer.id}`),
      await other.get(`${path}/${customer.id}/payment_methods`),
      await other.delete(`${path}/${customer.id}`),
      await other.delete(`${path}/${customer.id}/payment_methods/${card.id}`),
      await other.patch(`${path}/${customer.id}`, { name: 'X' }),
    ])
      expect(answer.status).toBe(404)
    expect((await other.get(`${path}?q=${customer.id}`)).body.total).toBe(0)
    expect(await methodsOf(customer.id)).toEqual([card])
  })
})

describe('a checkout', () => {
  it('without a customer offers to save nothing, as before', async () => {
    const checkout = await world.createCheckout({ customer: {} })
    expect(checkout).not.toHaveProperty('customer')
    const page = await open(checkout)
    expect(page.html).not.toContain('name="save"')
    await pay(checkout, cards.frictionless.number, { save: 'yes' })
    expect(await statusOf(checkout)).toBe('COMPLETED')
  })

  it('with a customer passes on the reference, unless the payment has its own', async () => {
    const customer = await createCustomer({ ext_customerid: 'C-9' })
    const checkout = await checkoutFor(customer.id)
    expect(checkout).toMatchObject({ customer: { id: customer.id }, payment: { ext_customerid: 'C-9' } })
    const own = await checkoutFor(customer.id, {
      payment: { amount: 1, currency: 'EUR', ext_customerid: 'X' },
    })
    expect(own.payment.ext_customerid).toBe('X')
    expect((await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body.customer).toEqual({
      id: customer.id,
    })
  })

  const naming = (customer: unknown) =>
    world.shop.post('/api/v2/checkout', {
      payment: { amount: 10, currency: 'EUR' },
      customer,
      url_confirm: 'https://shop.example/ok',
    })

  it('refuses an unknown customer', async () => {
    const answer = await naming({ id: randomUUID() })
    expect(answer.status).toBe(400)
    expect(answer.body.reason).toMatch(/^customer\.id must be/)
  })

  it.each(['abc', { id: 'C-1' }, { id: 17, vat: '501964843' }])(
    'ignores what names none of ours: %j',
    async (sent) => {
      const answer = await naming(sent)
      expect(answer.status).toBe(200)
      expect(answer.body.customer).toBeUndefined()
      expect(answer.headers.get('warning')).toMatch(/customer(\.id)? is ignored: it must be/)
    },
  )

  it('needs the permission customers to name one', async () => {
    const key = await world.cli('key', 'create', String(world.shop.wallet_id), '--permissions', 'checkout')
    const headers = { authorization: `Comporta ${key.json.api_key}`, 'content-type': 'application/json' }
    const { id } = await createCustomer()
    const body = { payment: { amount: 1, currency: 'EUR' }, url_confirm: 'https://shop.example/ok' }
    const post = (more: object) =>
      world.request('/api/v2/checkout', {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...body, ...more }),
      })
    expect((await post({ customer: { id } })).status).toBe(403)
    expect((await post({})).status).toBe(200)
    expect((await world.request(`${path}/${id}`, { headers })).status).toBe(403)
  })
})

describe('a card', () => {
  it('is saved if the customer ticks it, and pays the next checkout', async () => {
    const customer = await createCustomer()
    const first = await checkoutFor(customer.id)
    const page = await open(first)
    expect(page.text).toContain('Save my card for this shop')
    expect(page.html).toMatch(/<input type="checkbox" id="cc-save" name="save" value="yes"[^>]*>/)
    expect(page.html).not.toMatch(/name="save"[^>]*checked/)
    await pay(first, cards.frictionless.number, { save: 'yes' })
    const [card, ...others] = await methodsOf(customer.id)
    expect(others).toEqual([])
    expect(card).toMatchObject({
      method: 'CC',
      status: 'ACTIVE',
      card: { type: 'visa', last4: '0027', valdate: '12/2030' },
    })

    const second = await checkoutFor(customer.id)
    const offer = await open(second)
    expect(offer.text).toContain('Visa ending in 0027')
    for (const secret of [card.id, card.id.toUpperCase(), cards.frictionless.number, '417666'])
      expect(offer.html).not.toContain(secret)
    expect((await payWithSaved(offer)).text).toContain('Payment made')
    expect(await world.operation(second.payment.id)).toMatchObject({
      status: 'COMPLETED',
      card: { last4: '0027' },
    })
    expect(await methodsOf(customer.id)).toEqual([card])
  })

  it('pays with 3-D Secure, and authorizes too', async () => {
    const customer = await saved(cards.challenge.number)
    const checkout = await checkoutFor(customer.id)
    const page = await open(checkout)
    const bank = await submit(page, savedForm(page) ?? formTo(page, 'none'), { vcode: '123' })
    expect(await statusOf(checkout)).not.toBe('COMPLETED')
    expect((await finish(bank)).text).toContain('Payment made')
    const held = await checkoutFor(customer.id, {
      payment: undefined,
      authorization: { amount: 10, currency: 'EUR' },
    })
    expect((await payWithSaved(await open(held))).text).toContain('Amount reserved')
  })

  it('is not saved without the tick, nor if the payment fails', async () => {
    const customer = await createCustomer()
    await pay(await checkoutFor(customer.id), cards.frictionless.number)
    for (const number of [cards.declined.number, cards.rejected.number])
      await pay(await checkoutFor(customer.id), number, { save: 'yes' })
    expect(await methodsOf(customer.id)).toEqual([])
  })

  it('is saved once, with its new expiry', async () => {
    const customer = await saved()
    const [card] = await methodsOf(customer.id)
    await pay(await checkoutFor(customer.id), cards.frictionless.number, { save: 'yes', expiry: '11/31' })
    expect(await methodsOf(customer.id)).toMatchObject([{ id: card.id, card: { valdate: '11/2031' } }])
    await saved(cards.frictionlessMastercard.number, customer)
    expect(await methodsOf(customer.id)).toHaveLength(2)
  })

  it('is not offered for a subscription alone, because nobody would check its security code', async () => {
    const start_date = (await world.createCheckout()).date.slice(0, 10)
    const subscription = { amount: 10, currency: 'EUR', frequency: 1, period: 'MONTH', start_date }
    const customer = await saved(cards.challenge.number)
    const page = await open(await checkoutFor(customer.id, { payment: undefined, subscription }))
    expect(savedForm(page)).toBeUndefined()
    expect(page.html).not.toContain('name="save"')
    const [typed] = page.forms
    expect(typed).toBeDefined()
  })

  it('does not show the name on it to others with the link', async () => {
    const customer = await saved('4000000000009987')
    const checkout = await checkoutFor(customer.id)
    expect((await payWithSaved(await open(checkout))).text).toContain('This card cannot be used')
    expect((await open(checkout)).html).not.toContain(typed.name)
  })

  it('is neither shown nor deleted by the card API', async () => {
    const customer = await saved()
    const [{ id }] = await methodsOf(customer.id)
    const headers = {
      authorization: `Comporta ${world.shop.api_key}`,
      'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
    }
    for (const method of ['GET', 'DELETE'])
      expect((await world.request(`/prows/v2/creditcard/${id}`, { method, headers })).status).toBe(404)
    expect(await methodsOf(customer.id)).toHaveLength(1)
  })

  it('is not promised to a customer who was deleted', async () => {
    const customer = await createCustomer()
    const checkout = await checkoutFor(customer.id)
    expect((await open(checkout)).html).toContain('name="save"')
    await world.shop.delete(`${path}/${customer.id}`)
    expect((await open(checkout)).html).not.toContain('name="save"')
  })

  it('asks for its security code', async () => {
    const customer = await saved()
    const checkout = await checkoutFor(customer.id)
    const page = await open(checkout)
    const again = await submit(page, savedForm(page) ?? formTo(page, 'none'), { vcode: '' })
    expect(again.status).toBe(422)
    expect(again.html).toContain('href="#saved-vcode"')
    expect(again.html).toContain('id="saved-vcode"')
    expect(again.html).not.toMatch(/<details class="other-choice" open/)
    expect((await payWithSaved(again)).text).toContain('Payment made')
  })

  it('of a subscription with a payment is kept for its charges', async () => {
    const customer = await saved()
    const start_date = (await world.createCheckout()).date.slice(0, 10)
    const subscription = { amount: 10, currency: 'EUR', frequency: 1, period: 'MONTH', start_date }
    const checkout = await checkoutFor(customer.id, { subscription })
    expect((await payWithSaved(await open(checkout))).text).toContain('Payment made')
    const [card] = await methodsOf(customer.id)
    await world.shop.delete(`${path}/${customer.id}/payment_methods/${card.id}`)
    const { subscription: made } = (await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body
    expect(made).toMatchObject({ status: 'APPROVED' })
  })

  it('is not offered after its month, nor once its issuer said that it is lost', async () => {
    const customer = await saved('4000000000009987')
    const checkout = await checkoutFor(customer.id)
    expect((await payWithSaved(await open(checkout))).text).toContain('This card cannot be used')
    expect(await methodsOf(customer.id)).toMatchObject([{ status: 'REFUSED' }])
    expect(savedForm(await open(await checkoutFor(customer.id)))).toBeUndefined()
    expect(savedForm(await open(checkout))).toBeUndefined()

    const other = await createCustomer()
    const now = new Date((await checkoutFor(other.id)).date.slice(0, 19))
    const expiry = `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${now.getUTCFullYear()}`
    await pay(await checkoutFor(other.id), cards.frictionless.number, { save: 'yes', expiry })
    expect(savedForm(await open(await checkoutFor(other.id)))).toBeDefined()
    await world.advance('P32D')
    expect(await methodsOf(other.id)).toMatchObject([{ status: 'EXPIRED' }])
    expect(savedForm(await open(await checkoutFor(other.id)))).toBeUndefined()
  })

  it('cannot be charged by the merchant', async () => {
    const customer = await saved()
    const [card] = await methodsOf(customer.id)
    expect(await askToPay(world, card.id)).toMatchObject({
      status: 409,
      body: { reason: 'a customer saved the card of card.token for checkouts: it cannot be charged' },
    })
  })
})

describe('a mandate of MB WAY', () => {
  /** A customer whose phone has a mandate of `limit` euros a month for Demo Shop. */
  async function withMandate(
    limit = 100,
  ): Promise<{ phone: Phone; customer: Json; available(): Promise<number> }> {
    const phone = newPhone(world)
    const { body } = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
    await phone.approve(body.mandate_id, { amount_limit: limit })
    const mandate = `/api/v2/mandate/mbway/${body.mandate_id}`
    return {
      phone,
      customer: await createCustomer({ phone: phone.number }),
      available: async () => (await world.shop.get(mandate)).body.amount_available,
    }
  }
  const mandateForm = (page: Page) =>
    page.forms.find(({ action, fields }) => action.includes('/mbway') && 'mandate' in fields)
  const phoneForm = (page: Page) =>
    page.forms.find(({ fields }) => 'phone' in fields) ?? formTo(page, '/mbway')
  async function payUnderMandate(page: Page): Promise<Page> {
    const form = mandateForm(page)
    if (form === undefined) throw new Error(`no mandate is offered: ${page.text}`)
    return submit(page, form)
  }

  it('is offered to the customer, without the number, and pays without the phone', async () => {
    const { phone, customer, available } = await withMandate(15)
    const [first, second] = [await checkoutFor(customer.id), await checkoutFor(customer.id)]
    const late = await open(second)
    const page = await open(first)
    expect(page.text).toContain(`ending in ${phone.number.slice(-3)}`)
    for (const shown of [phone.number, phone.number.slice(4)]) expect(page.html).not.toContain(shown)
    expect((await payUnderMandate(page)).text).toContain('Payment made')
    expect(await world.operation(first.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'MBWAY' })
    expect(await available()).toBe(5)
    // Too little is left: the page that was open refuses, the next one does not offer it.
    const refused = await payUnderMandate(late)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Your permission does not cover this payment any more')
    expect(refused.html).not.toContain(phone.number.slice(4))
    expect(mandateForm(refused)).toBeUndefined()
    expect(await statusOf(second)).toBe('NEW')
    expect((await phone.requests()).filter(({ state }) => state === 'PENDING')).toEqual([])
  })

  it('can be left aside for another number', async () => {
    const { customer, available } = await withMandate()
    const other = newPhone(world)
    const page = await open(await checkoutFor(customer.id))
    const asked = await submit(page, phoneForm(page), { phone: other.number })
    expect(asked.text).toContain('Approve on your phone')
    await other.refuse((await other.pending()).id)
    expect(await available()).toBe(100)
  })

  it('is not offered without a customer, nor once the customer is deleted or has another phone', async () => {
    const { phone, customer, available } = await withMandate()
    const client = { phone: phone.number }
    const unnamed = await world.createCheckout({ payment: { amount: 10, currency: 'EUR', client } })
    expect(mandateForm(await open(unnamed))).toBeUndefined()
    const moved = await checkoutFor(customer.id)
    const shown = await open(moved)
    await patch(customer.id, { phone: newPhone(world).number })
    expect(mandateForm(await open(moved))).toBeUndefined()
    expect((await payUnderMandate(shown)).status).toBe(422)
    await patch(customer.id, { phone: '' })
    expect(mandateForm(await open(moved))).toBeUndefined()
    expect((await payUnderMandate(shown)).status).toBe(422)
    await patch(customer.id, { phone: phone.number })
    expect(mandateForm(await open(moved))).toBeDefined()
    await world.shop.delete(`${path}/${customer.id}`)
    expect((await payUnderMandate(shown)).status).toBe(422)
    // The typed number is asked on the phone, as any other.
    const typedHere = await open(moved)
    expect((await submit(typedHere, phoneForm(typedHere), client)).text).toContain('Approve on your phone')
    await phone.refuse((await phone.pending()).id)
    expect(await available()).toBe(100)
  })

  it('is not offered if the key may not use mandates, or the mandate ended', async () => {
    const { phone, customer } = await withMandate()
    const wallet = String(world.shop.wallet_id)
    const made = await world.cli('key', 'create', wallet, '--permissions', 'checkout,customers')
    const { body } = await world.request('/api/v2/checkout', {
      method: 'POST',
      headers: { authorization: `Comporta ${made.json.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        payment: { amount: 10, currency: 'EUR' },
        customer: { id: customer.id },
        url_confirm: 'https://shop.example/ok',
        url_cancel: 'https://shop.example/no',
      }),
    })
    const page = await open(body)
    expect(mandateForm(page)).toBeUndefined()
    expect((await submit(page, phoneForm(page), { mandate: 'yes', phone: phone.number })).status).toBe(422)
    const { elements } = (
      await world.shop.get(`/api/v2/mandate/mbway?phone=${encodeURIComponent(phone.number)}`)
    ).body
    const checkout = await checkoutFor(customer.id)
    expect(mandateForm(await open(checkout))).toBeDefined()
    await world.shop.delete(`/api/v2/mandate/mbway/${elements[0].mandate_id}`)
    expect(mandateForm(await open(checkout))).toBeUndefined()
  })

  it('asks for the name and e-mail that the shop wants, and pays once in two windows', async () => {
    const { customer, available } = await withMandate()
    const checkout = await checkoutFor(customer.id, {
      required_fields: { name: true, email: true, phone: true },
    })
    const page = await open(checkout)
    const again = await submit(page, mandateForm(page) ?? formTo(page, 'none'), {
      fullname: 'Ana Silva',
      email: '',
    })
    expect(again.status).toBe(422)
    expect(again.html).toContain('href="#mandate-email"')
    const form = mandateForm(again) ?? formTo(again, 'none')
    expect(form.fields.fullname).toBe('Ana Silva')
    const windows = [again, await open(checkout)]
    await Promise.all(
      windows.map((shown) =>
        submit(shown, mandateForm(shown) ?? formTo(shown, 'none'), {
          fullname: 'Ana Silva',
          email: 'ana@example.com',
        }),
      ),
    )
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      client: { name: 'Ana Silva', email: 'ana@example.com' },
    })
    expect(await available()).toBe(90)
  })
})

describe('a forged form', () => {
  it('pays with no card of another customer, checkout or wallet', async () => {
    const [ana, rui] = [await saved(), await saved(cards.frictionlessMastercard.number)]
    const rightful = await open(await checkoutFor(ana.id))
    const [card] = await methodsOf(ana.id)
    const anas = savedForm(rightful)?.fields.saved ?? ''
    const plain = await world.merchant('Plain Shop').post('/api/v2/checkout', {
      payment: { amount: 10, currency: 'EUR' },
      url_confirm: 'https://shop.example/ok',
    })
    for (const checkout of [
      await checkoutFor(rui.id),
      await checkoutFor(ana.id),
      await world.createCheckout(),
      plain.body,
    ]) {
      for (const choice of [anas, card.id, card.id.toUpperCase(), '', 'x'.repeat(43)]) {
        const page = await open(checkout)
        const refused = await submit(page, cardForm(page), { saved: choice, vcode: '123' })
        expect(refused.status).toBe(422)
        expect(refused.text).toContain('This card is no longer saved')
      }
      const { payment } = (
        await (checkout === plain.body ? world.merchant('Plain Shop') : world.shop).get(
          `/api/v2/checkout/${checkout.id}`,
        )
      ).body
      expect(payment.status).toBe('NEW')
    }
  })

  it('pays with no deleted card, also if the customer is at the bank', async () => {
    const customer = await saved(cards.challenge.number)
    const [card] = await methodsOf(customer.id)
    const [before, during] = [await checkoutFor(customer.id), await checkoutFor(customer.id)]
    const shown = await open(before)
    const page = await open(during)
    const bank = await submit(page, savedForm(page) ?? formTo(page, 'none'), { vcode: '123' })
    expect((await world.shop.delete(`${path}/${customer.id}/payment_methods/${card.id}`)).text).toBe('true')
    expect((await payWithSaved(shown)).text).toContain('This card is no longer saved')
    expect((await finish(bank)).text).toContain('This card is no longer saved')
    for (const checkout of [before, during]) expect(await statusOf(checkout)).not.toBe('COMPLETED')
    expect(await methodsOf(customer.id)).toEqual([])
    const again = await world.shop.delete(`${path}/${customer.id}/payment_methods/${card.id}`)
    expect(again.status).toBe(404)
    expect((await world.payOnPage(during, cards.frictionless)).text).toContain('Payment made')
  })
})

describe('deleting', () => {
  it('erases the customer and the cards, and keeps the payments', async () => {
    const tag = randomUUID().slice(0, 8)
    const key = { 'idempotency-key': randomUUID() }
    const data = { ext_customerid: `D-${tag}`, name: `Bruno ${tag}`, email: `${tag}@example.com` }
    const { body: customer } = await world.shop.post(path, data, key)
    const checkout = await checkoutFor(customer.id)
    await pay(checkout, cards.frictionless.number, { save: 'yes' })
    const late = await open(await checkoutFor(customer.id))
    await world.shop.delete(`${path}/${customer.id}`)
    expect(await find(`q=${data.ext_customerid}`)).toEqual([])
    expect((await payWithSaved(late)).text).toContain('This card is no longer saved')
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      ext_customerid: data.ext_customerid,
    })
    // The stored first answer forgets the person, and still proves that the key was used.
    expect((await world.shop.post(path, data, key)).body).toEqual({ id: customer.id })
    // A checkout that was already open saves no card for a deleted customer.
    const open_ = await createCustomer()
    const paying = await checkoutFor(open_.id)
    const page = await open(paying)
    await world.shop.delete(`${path}/${open_.id}`)
    const paid = await submit(page, cardForm(page), {
      ...typed,
      number: cards.frictionless.number,
      save: 'yes',
    })
    expect((await finish(paid)).text).toContain('Payment made')
  })

  it('is in the log of actions, without personal data', async () => {
    const owner = await signIn(world, 'owner@demo.example')
    const own = `/wallets/${world.shop.wallet_id}`
    const customer = await saved(cards.frictionless.number, await createCustomer(anas))
    const [card] = await methodsOf(customer.id)
    await owner.send('PATCH', `${own}/customers/${customer.id}`, { name: 'Carla Reis' })
    await owner.send('DELETE', `${own}/customers/${customer.id}/payment_methods/${card.id}`)
    expect((await owner.send('DELETE', `${own}/customers/${customer.id}`)).text).toBe('true')
    // The result of an action is written after its answer.
    const text = await world.eventually(async () => {
      const { text, body } = await owner.get(`${own}/actions`)
      return body.actions.every(({ status }: Json) => status !== 0) && text
    })
    expect(text).toContain(`customer ${customer.id}`)
    expect(text).toContain('changed name')
    expect(text).toContain('card deleted')
    expect(text).not.toContain('Carla')
  })
})
