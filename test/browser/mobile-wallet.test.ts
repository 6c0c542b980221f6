// Checkout and sandbox phone in two tabs.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { newPhone, type Phone } from '../phone.ts'
import type { Json, World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { backToShop } from './back-to-shop.ts'
import { openBrowser } from './browser.ts'

const pin = '1234'

let world: World
let browser: Browser
let context: BrowserContext
let shop: Page
let app: Page
let phone: Phone
let complaints: string[]

beforeAll(async () => {
  world = await openWorld()
  browser = await openBrowser()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await world.stop()
})

async function newContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  await context?.close()
  context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 }, ...options })
  complaints = []
  shop = await context.newPage()
  app = await context.newPage()
  for (const page of [shop, app]) page.on('pageerror', (error) => complaints.push(String(error)))
}

beforeEach(async () => {
  await newContext()
  phone = newPhone(world)
})
afterEach(async () => {
  expect(complaints).toEqual([])
  await context.close()
})

/** The receiver of callbacks is the shop's origin. */
async function openCheckout(client?: Json): Promise<Json> {
  const checkout = await world.createCheckout({
    payment: { amount: 24.9, currency: 'EUR', client },
    url_confirm: world.receiver.url('/shop/ok'),
    url_cancel: world.receiver.url('/shop/no'),
  })
  await shop.goto(checkout.url_redirect)
  return checkout
}

const form = () => shop.locator('form[action*="/mbway"]')

async function payByPhone(number = phone.number.slice(4)): Promise<void> {
  await shop.locator('label[for=method-mbway]').click()
  await form().locator('input[name=phone]').fill(number)
  await form().locator('button[type=submit]').click()
}

const pickUp = (lang = 'en') =>
  app.goto(`${world.baseUrl}/sandbox/phone/${phone.number.slice(1)}?lang=${lang}`)

async function expectToFit(page: Page): Promise<void> {
  const [content, view] = (await page.evaluate(
    '[document.documentElement.scrollWidth, innerWidth]',
  )) as number[]
  expect(content).toBeLessThanOrEqual(view ?? 0)
}

const atShop = (checkout: Json) => `${world.receiver.origin}/shop/ok?checkoutid=${checkout.id}`

describe('a checkout', () => {
  it('is paid by approving on the phone in another tab', async () => {
    await pickUp()
    const checkout = await openCheckout()
    await payByPhone()
    await shop.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    await shop.getByText(/Time left: 3:5\d/).waitFor()
    await expectNoViolations(shop)

    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      shop.getByRole('link', { name: 'Sandbox: open this phone' }).click(),
    ])
    await opened.locator('article.asking').getByText('€24.90').waitFor()
    expect(opened.url()).toContain(`/sandbox/phone/${phone.number.slice(1)}`)
    await opened.close()

    // The open page shows the request without a reload.
    const request = app.locator('article.asking')
    await request.getByText('€24.90').waitFor()
    await request.getByText('Demo Shop asks for a payment').waitFor()
    await expectNoViolations(app)
    await request.getByLabel('PIN').fill('9999')
    await request.getByRole('button', { name: /Approve/ }).click()
    await app.getByRole('alert').getByText('The PIN is wrong.').waitFor()
    await expectNoViolations(app)
    await request.getByLabel('PIN').fill(pin)
    await request.getByRole('button', { name: /Approve/ }).click()
    await app.getByText('There are no requests.').waitFor()

    await backToShop(shop, atShop(checkout))
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'MBWAY' })
  })

  it('three wrong PINs refuse the request and lock the phone, until its owner unlocks it', async () => {
    const checkout = await openCheckout()
    await payByPhone()
    await pickUp()
    for (const says of ['You have 2 tries left', 'You have 1 try left', 'The wallet is locked.']) {
      await app.getByLabel('PIN').fill('0000')
      await app.getByRole('button', { name: /Approve/ }).click()
      await app.getByRole('alert').getByText(says).waitFor()
    }
    await expectNoViolations(app)
    await expectToFit(app)
    await shop.getByText('The request was refused on the phone').waitFor()
    await app.getByRole('button', { name: 'Unlock' }).click()
    await app.getByRole('alert').waitFor({ state: 'detached' })
    await payByPhone()
    await app.getByLabel('PIN').fill(pin)
    await app.getByRole('button', { name: /Approve/ }).click()
    await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
  })

  it('refused on the phone says so, and the next request can be approved', async () => {
    const checkout = await openCheckout()
    await payByPhone()
    await shop.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
    await pickUp()
    await app.getByRole('button', { name: /Refuse/ }).click()
    await shop.getByRole('heading', { name: 'The request was refused on the phone' }).waitFor()
    await expectNoViolations(shop)
    await form().locator('button[type=submit]').click()
    await app.locator('article.asking').getByLabel('PIN').fill(pin)
    await app.getByRole('button', { name: /Approve/ }).click()
    await backToShop(shop, atShop(checkout))
  })

  it('asks the right phone after the number was corrected, by keyboard alone', async () => {
    const wrong = newPhone(world)
    const checkout = await openCheckout()
    await payByPhone(wrong.number.slice(4))
    const correct = shop.getByRole('button', { name: 'Correct the number' })
    await correct.waitFor()
    await expectNoViolations(shop)
    await correct.press('Enter')
    await shop.getByRole('status').getByText('The request was cancelled').waitFor()
    await expectNoViolations(shop)
    const field = form().locator('input[name=phone]')
    expect((await field.inputValue()).replaceAll(' ', '')).toBe(wrong.number.slice(4))
    await field.fill(phone.number.slice(4))
    await field.press('Enter')
    await shop.getByText(/Time left: 3:5\d/).waitFor()
    await phone.approve((await phone.pending()).id)
    await shop.waitForURL(atShop(checkout))
    expect((await wrong.requests()).map(({ state }) => state)).toEqual(['WITHDRAWN'])
  })

  it('checks the number when the field is left, and the gateway whether it is registered', async () => {
    await openCheckout()
    await shop.locator('label[for=method-mbway]').click()
    const field = form().locator('input[name=phone]')
    await field.fill('12')
    await field.blur()
    await form().getByText('Enter a complete number').waitFor()
    await field.fill('912 345 699')
    await form().locator('button[type=submit]').click()
    await shop.getByRole('alert').getByText('This number has no MB WAY.').waitFor()
    await expectNoViolations(shop)
  })
})

it('a ONECLICK mandate makes the second purchase need no phone, until it is suspended', async () => {
  await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK', name: 'Ana' })
  await pickUp()
  const request = app.locator('article.asking')
  await request.getByText('Demo Shop asks for a mandate').waitFor()
  await request.getByLabel('Limit per month').fill('49,80')
  await request.getByLabel('PIN').fill(pin)
  await request.getByRole('button', { name: /Approve/ }).click()
  await app.getByText('€0.00 of €49.80 used this month').waitFor()

  const first = await openCheckout({ phone: phone.number })
  await payByPhone()
  await backToShop(shop, atShop(first))
  await app.getByText('€24.90 of €49.80 used this month').waitFor()
  await app.getByText('Approved without PIN').waitFor()
  await expectNoViolations(app)

  await app.getByRole('button', { name: /Suspend/ }).click()
  await app.getByText('Suspended').waitFor()
  await openCheckout({ phone: phone.number })
  await payByPhone()
  await shop.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
  await app.getByRole('button', { name: /Resume/ }).click()
  await app.getByText('Change limit or last day').click()
  await app.locator('details').getByLabel('Limit per month').fill('80')
  await expectNoViolations(app)
  await app.getByRole('button', { name: /Save/ }).click()
  await app.getByText('€24.90 of €80.00 used this month').waitFor()
  await app
    .locator('article:not(.asking)')
    .getByRole('button', { name: /Cancel/ })
    .click()
  await app.getByText('Ended').waitFor()
  await expectNoViolations(app)
})

describe.each(['en', 'pt'])('the pages in %s', (lang) => {
  it.each([
    ['at 320 px', { viewport: { width: 320, height: 640 } }],
    ['at 1280 px, dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' as const }],
  ])('pass axe and fit %s', async (_, options) => {
    await newContext(options)
    const kind = { phone: phone.number, type: 'ONECLICK' }
    const { body } = await world.shop.post('/api/v2/mandate/mbway', kind)
    await phone.approve(body.mandate_id)
    await phone.change(body.mandate_id, 'suspend')
    await world.shop.post('/api/v2/mandate/mbway', { ...kind, type: 'SUBSCRIPTION' })
    const checkout = await openCheckout()
    await shop.goto(`${checkout.url_redirect}?lang=${lang}`)
    await shop.locator('label[for=method-mbway]').click()
    await expectNoViolations(shop)
    await expectToFit(shop)
    await payByPhone()
    await shop.locator('[data-waiting]').waitFor()
    await expectNoViolations(shop)
    await expectToFit(shop)
    await pickUp(lang)
    await app.locator('article.asking').nth(1).waitFor()
    await app.locator('summary').click()
    await expectNoViolations(app)
    await expectToFit(app)
    await app.goto(`${world.baseUrl}/sandbox/phone?number=123`)
    await app.getByRole('alert').waitFor()
    await expectNoViolations(app)
    await expectToFit(app)
  })
})

it('works without scripts', async () => {
  await newContext({ javaScriptEnabled: false })
  const checkout = await openCheckout()
  await payByPhone()
  await shop.getByRole('heading', { name: 'Approve on your phone' }).waitFor()
  await app.goto(`${world.baseUrl}/sandbox/phone`)
  await app.getByLabel('Number').fill(phone.number)
  await app.getByRole('button', { name: 'Open' }).click()
  await app.getByLabel('PIN').fill(pin)
  await app.getByRole('button', { name: /Approve/ }).click()
  await app.getByText('There are no requests.').waitFor()
  await shop.reload()
  await shop.getByRole('link', { name: /shop/i }).waitFor()
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
})
