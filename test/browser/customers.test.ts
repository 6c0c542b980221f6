// Saved cards on the hosted page, and customers in the backoffice, in a real browser.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { newPhone } from '../phone.ts'
import { cards, type Json, type TestCard, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { expectGoodLooks, type Visitor, visit } from './backoffice/visitor.ts'
import { openBrowser } from './browser.ts'

let world: World
let browser: Browser
let owner: Visitor
let reader: Visitor

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  owner = await visit(world, browser, 'owner@demo.example')
  reader = await visit(world, browser, 'reader@demo.example')
})
afterAll(async () => {
  for (const visitor of [owner, reader]) expect(visitor?.problems()).toEqual([])
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await Promise.all([browser?.close(), world?.stop()])
})

const picture = async (page: Page, name: string) => {
  const folder = process.env.PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

const createCustomer = async (data: object = {}): Promise<Json> =>
  (await world.shop.post('/api/v2/customers', data)).body
const cardsOf = async ({ id }: Json): Promise<Json[]> =>
  (await world.shop.get(`/api/v2/customers/${id}/payment_methods`)).body.elements

async function open({ id }: Json, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    ...options,
  })
  const page = await context.newPage()
  await page.goto((await world.createCheckout({ customer: { id } })).url_redirect)
  return page
}

async function typeCard(page: Page, { number }: TestCard): Promise<void> {
  await page.locator('input[name=number]').pressSequentially(number)
  await page.locator('input[name=expiry]').pressSequentially('1230')
  await page.locator('#cc-vcode').fill('123')
  await page.locator('input[name=name]').fill('Ana Silva')
}

const paid = (page: Page) => page.getByRole('heading', { name: 'Payment made' }).waitFor()
const payNew = (page: Page) => page.locator('form:has(input[name=number]) button[type=submit]').click()

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a customer %s', (_, hasScript) => {
  const options = { javaScriptEnabled: hasScript }

  it('saves a card, and pays the next checkout with it by keyboard', async () => {
    const customer = await createCustomer()
    const first = await open(customer, options)
    const box = first.getByRole('checkbox', { name: 'Save my card for this shop' })
    expect(await box.isChecked()).toBe(false)
    await typeCard(first, cards.frictionless)
    await box.focus()
    await first.keyboard.press('Space')
    if (hasScript) await expectNoViolations(first)
    await picture(first, 'save')
    await payNew(first)
    await paid(first)
    await first.context().close()
    expect(await cardsOf(customer)).toHaveLength(1)

    const second = await open(customer, options)
    expect(await second.getByRole('radio', { name: /Visa ending in 0027/ }).isChecked()).toBe(true)
    expect(await second.locator('input[name=number]').isVisible()).toBe(false)
    const [card] = await cardsOf(customer)
    expect(await second.content()).not.toContain(card.id)
    if (hasScript) await expectNoViolations(second)
    await picture(second, 'saved')
    await second.getByRole('radio', { name: /Visa ending in 0027/ }).focus()
    await second.keyboard.press('Tab')
    await second.keyboard.type('123')
    await second.keyboard.press('Enter')
    await paid(second)
    await second.context().close()
  })

  it('saves nothing without the tick', async () => {
    const customer = await createCustomer()
    const page = await open(customer, options)
    await typeCard(page, cards.frictionless)
    await payNew(page)
    await paid(page)
    await page.context().close()
    expect(await cardsOf(customer)).toEqual([])
  })
})

it('the bank confirms a saved card', async () => {
  const customer = await createCustomer()
  await world.payOnPage(await world.createCheckout({ customer: { id: customer.id } }), cards.challenge, {
    save: 'yes',
  })
  const page = await open(customer)
  await page.locator('#saved-vcode').fill('123')
  await page.locator('form:has(input[name=saved]) button[type=submit]').click()
  await page.waitForURL(/\/sandbox\/issuer\/challenge/)
  await page.locator('input[name=otp]').fill(cards.challenge.otp)
  await page.locator('form:has(input[name=otp]) button[type=submit]').first().click()
  await paid(page)
  await page.context().close()
})

it('another card can be used instead, and a wrong code is explained', async () => {
  const customer = await createCustomer()
  for (const card of [cards.frictionlessMastercard, cards.frictionless])
    await world.payOnPage(await world.createCheckout({ customer: { id: customer.id } }), card, {
      save: 'yes',
    })
  const page = await open(customer, { locale: 'pt-PT', colorScheme: 'dark' })
  await page.locator('#saved-vcode').fill('12')
  await page.locator('form:has(input[name=saved]) button[type=submit]').click()
  await expect.poll(() => page.locator('#saved-vcode').getAttribute('aria-invalid')).toBe('true')
  await picture(page, 'saved-wrong')
  await expectNoViolations(page)
  await page.getByText('Usar outro cartão').click()
  await typeCard(page, cards.frictionless)
  await expectNoViolations(page)
  await picture(page, 'saved-other')
  await payNew(page)
  await page.getByRole('heading', { name: 'Pagamento feito' }).waitFor()
  await page.context().close()
})

it('pays under a mandate of MB WAY by keyboard, or with another number', async () => {
  const phone = newPhone(world)
  const { body } = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
  await phone.approve(body.mandate_id)
  const customer = await createCustomer({ phone: phone.number })
  const page = await open(customer)
  await page.getByText('MB WAY', { exact: true }).first().click()
  const pay = page.locator('form:has(input[name=mandate][value=yes]) button[type=submit]')
  await pay.waitFor()
  expect(await page.locator('#mbway-phone').isVisible()).toBe(false)
  await expectNoViolations(page)
  await picture(page, 'mandate')
  await pay.focus()
  await page.keyboard.press('Enter')
  await paid(page)
  await page.context().close()

  const other = await open(customer, { locale: 'pt-PT', colorScheme: 'dark' })
  await other.getByText('MB WAY', { exact: true }).first().click()
  await other.getByText('Usar outro número').click()
  await other.locator('#mbway-phone').fill('12')
  await other.locator('form:has(#mbway-phone) button[type=submit]').click()
  await expect.poll(() => other.locator('#mbway-phone').getAttribute('aria-invalid')).toBe('true')
  await expectNoViolations(other)
  await picture(other, 'mandate-other')
  await other.context().close()
})

it('the team finds a customer, deletes a card, then the customer', async () => {
  const { page } = owner
  const customer = await createCustomer({
    ext_customerid: 'C-88',
    name: 'Márcia Almeida',
    email: 'marcia@example.com',
    phone: '+351911234567',
  })
  await createCustomer({ name: 'Rui Costa' })
  for (const card of [cards.frictionlessMastercard, cards.frictionless])
    await world.payOnPage(await world.createCheckout({ customer: { id: customer.id } }), card, {
      save: 'yes',
    })
  await owner.open(`/wallets/${world.shop.wallet_id}/customers`)
  await page.getByRole('link', { name: 'Rui Costa' }).waitFor()
  await expectGoodLooks(owner)
  await picture(page, 'customers')
  await page.getByRole('searchbox').fill('marcia')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Rui Costa' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Márcia Almeida' }).click()
  await page.getByRole('cell', { name: 'Visa •••• 0027' }).waitFor()
  await expectGoodLooks(owner)
  await picture(page, 'customer')
  await page.setViewportSize({ width: 390, height: 844 })
  await picture(page, 'customer-phone')
  await page.setViewportSize({ width: 1280, height: 900 })

  await reader.open(`/wallets/${world.shop.wallet_id}/customers/${customer.id}`)
  await reader.page.getByRole('cell', { name: 'Visa •••• 0027' }).waitFor()
  expect(await reader.page.getByRole('button', { name: /Delete/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Delete the card ending in 0027' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('cell', { name: 'Visa •••• 0027' }).waitFor({ state: 'detached' })
  expect(await cardsOf(customer)).toMatchObject([{ card: { last4: '0368' } }])
  await page.getByRole('button', { name: 'Delete customer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete customer' }).click()
  await page.getByRole('link', { name: 'Rui Costa' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Márcia Almeida' }).count()).toBe(0)
})
