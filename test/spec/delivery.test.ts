// Delivery addresses on the hosted page (CONTRACT section 7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
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

const required_fields = { shipping: true }
const payment = { amount: 10, currency: 'EUR' }
const home = { street: 'Rua do Cais, 5', postalcode: '1000-001', city: 'Lisboa', country: 'PT' }
const expected = { address: 'Rua do Cais, 5', postalcode: '1000-001', city: 'Lisboa', country: 'PT' }

async function open(change: Record<string, unknown> = {}): Promise<{ checkout: Json; page: Page }> {
  const checkout = await world.createCheckout({ required_fields, ...change })
  return { checkout, page: await openPage(checkout.url_redirect) }
}

const fillIn = (page: Page, fields: Record<string, string> = {}) =>
  submit(page, formTo(page, '/delivery'), { ...home, ...fields })
const clientOf = async ({ payment: { id } }: Json) => (await world.operation(id)).client

describe('a checkout that asks for shipping', () => {
  it('asks where to deliver before it offers a method, and reports it to the merchant', async () => {
    const { checkout, page } = await open({ payment: { ...payment, client: { name: 'Ana' } } })
    expect(checkout).toMatchObject({ shipping: true, required_fields })
    expect(page.text).toContain('Where should it be delivered?')
    expect(page.html).not.toContain('name="number"')
    for (const token of ['address-line1', 'postal-code', 'address-level2', 'country'])
      expect(page.html).toContain(`autocomplete="shipping ${token}"`)

    const methods = await fillIn(page, { postalcode: '1000 001' })
    expect(methods.text).toContain('Delivery to Rua do Cais, 5, 1000-001 Lisboa, Portugal')
    expect(await clientOf(checkout)).toEqual({ name: 'Ana', address: expected })
    expect(await world.shop.delete(`/api/v2/checkout/${checkout.id}`)).toMatchObject({ status: 200 })
  })

  it('keeps the address through the payment with each method', async () => {
    const { checkout, page } = await open()
    await fillIn(page)
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('Payment made')
    expect(await clientOf(checkout)).toMatchObject({ name: 'Ana Silva', address: expected })
    const { body } = await world.shop.get(`/api/v2/checkout/${checkout.id}`)
    expect(body).toMatchObject({
      shipping: true,
      payment: { status: 'COMPLETED', client: { address: expected } },
    })
  })

  it('takes no method without it, even if its form is posted', async () => {
    const { checkout } = await open()
    const card = { number: cards.frictionless.number, expiry: '12 / 30', vcode: '123', name: 'Ana Silva' }
    const attempt = checkout.id
    for (const [part, fields] of [
      ['card', card],
      ['mb', {}],
      ['mbway', { phone: '912345678' }],
      ['paypal', {}],
    ] as const) {
      const form = { method: 'post', action: `/checkout/${checkout.id}/${part}?lang=en`, fields: { attempt } }
      const page = await submit(await openPage(checkout.url_redirect), form, fields)
      expect(page.text).toContain('Where should it be delivered?')
    }
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
  })

  it('proposes the merchant’s data and still asks', async () => {
    const address = { address: 'Rua Velha, 1', city: 'Porto', country: 'pt', postalcode: '4000-002' }
    const { checkout, page } = await open({ payment: { ...payment, client: { address } } })
    const form = formTo(page, '/delivery')
    expect(form.fields).toMatchObject({ street: 'Rua Velha, 1', city: 'Porto', postalcode: '4000-002' })
    expect(page.html).toContain('<option value="PT" selected>')
    const { postalcode: _input, ...shown } = address
    expect((await clientOf(checkout)).address).toEqual(shown)
    const confirmed = await submit(page, form, { country: 'PT' })
    expect(confirmed.text).toContain('Delivery to Rua Velha, 1, 4000-002 Porto, Portugal')
    expect((await clientOf(checkout)).address).toEqual({ ...address, country: 'PT' })
  })

  it('lets the customer change it, and is theirs to change until they have paid', async () => {
    const { checkout, page } = await open()
    const methods = await fillIn(page)
    const change = methods.links.find((link) => link.includes('/delivery'))
    const again = await openPage(new URL(change ?? '', world.baseUrl).href)
    expect(formTo(again, '/delivery').fields).toMatchObject({ street: home.street })
    await fillIn(again, { street: '5 Rue du Port', city: 'Nantes', postalcode: '44000', country: 'FR' })
    const stands = { address: '5 Rue du Port', city: 'Nantes', postalcode: '44000', country: 'FR' }
    expect((await clientOf(checkout)).address).toEqual(stands)
    await world.payOnPage(checkout, cards.frictionless)
    await fillIn(again, { street: 'Rua Tardia, 9' })
    expect((await clientOf(checkout)).address).toEqual(stands)
  })

  it.each([
    [{ street: ' ' }, 'Enter the street and door number.'],
    [{ street: '4176 6600 0000 0027' }, 'Enter a street, without card numbers.'],
    [{ street: 'Rua '.repeat(100) }, 'Enter a street'],
    [{ city: '' }, 'Enter the town.'],
    [{ city: '12' }, 'Enter the name of the town'],
    [{ postalcode: '' }, 'Enter the postal code.'],
    [{ postalcode: '1000' }, 'This postal code is not right. In Portugal it has the form 1000-001.'],
    [{ postalcode: '<1>', country: 'FR' }, 'This postal code is not right.'],
    [{ street: 'Rua ４１７６ ６６００ ００００ ００２７' }, 'Enter a street, without card numbers.'],
    [{ city: 'Lisboa ٤١٧٦٦٦٠٠٠٠٠٠٠٠٢٧' }, 'Enter the name of the town, without card numbers.'],
    [{ country: '' }, 'Choose the country.'],
    [{ country: 'XX' }, 'Choose a country from the list.'],
  ])('is not content with %j', async (fields, words) => {
    const { checkout, page } = await open()
    const refused = await fillIn(page, fields)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(words)
    expect(refused.html).not.toContain('4176 6600 0000 0027')
    expect(await clientOf(checkout)).toBeUndefined()
    expect((await fillIn(refused)).text).toContain('Delivery to')
  })

  it.each([
    [
      { street: '٥ شارع الملك فيصل', city: 'الرياض', postalcode: '١٢٣٤٥', country: 'SA' },
      '٥ شارع الملك فيصل, ١٢٣٤٥ الرياض, Saudi Arabia',
    ],
    [
      { street: '千代田１－１', city: '東京', postalcode: '１００−０００１', country: 'JP' },
      '千代田１－１, 100-0001 東京, Japan',
    ],
    [{ postalcode: ' 1000 – 001 ' }, 'Rua do Cais, 5, 1000-001 Lisboa, Portugal'],
    [
      { street: 'Rua do\r\nCais\u001b, \u202e5', city: '\u2067Lis\tboa' },
      'Rua do Cais , 5, 1000-001 Lis boa, Portugal',
    ],
    [{ city: 'Luanda', postalcode: '', country: 'AO' }, 'Rua do Cais, 5, Luanda, Angola'],
    [{ city: 'Luanda', postalcode: '1000', country: 'AO' }, 'Rua do Cais, 5, 1000 Luanda, Angola'],
  ])('takes %j as people write it, and no more', async (fields, words) => {
    const { checkout, page } = await open()
    expect((await fillIn(page, fields)).text).toContain(`Delivery to ${words} Change`)
    const { address } = await clientOf(checkout)
    expect(Object.values(address).join()).not.toMatch(/[\p{Cc}\u202e\u2067]/u)
    expect(address).not.toHaveProperty('postalcode', '')
  })

  it('asks in Portuguese too', async () => {
    const { checkout } = await open()
    const page = await openPage(checkout.url_redirect, { language: 'pt' })
    expect(page.text).toContain('Para onde enviamos?')
    const refused = await submit(page, formTo(page, '/delivery'), { ...home, city: '' }, { language: 'pt' })
    expect(refused.text).toContain('Indique a localidade.')
  })
})

it('a subscription that asks for shipping keeps the address', async () => {
  const { url_redirect, subscription } = await subscribersOf(world).checkout({}, { required_fields })
  const methods = await fillIn(await openPage(url_redirect))
  expect(methods.text).toContain('Delivery to')
  const { body } = await world.shop.get(`/api/v2/subscriptions/${subscription.id}`)
  expect(body.client).toEqual({ name: 'Ana Silva', email: 'ana@example.com', address: expected })
})

it('a checkout that does not ask for shipping asks nothing, and takes no address', async () => {
  const checkout = await world.createCheckout()
  const page = await openPage(checkout.url_redirect)
  expect(page.text).not.toContain('delivered')
  const form = { method: 'post', action: `/checkout/${checkout.id}/delivery?lang=en`, fields: {} }
  expect((await submit(page, form, home)).text).toContain('How would you like to pay?')
  expect(await clientOf(checkout)).toBeUndefined()
})
