// Subscription page of the demo shop in a real browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'
import { type ShopVisitor, visitShop } from './shop-visitor.ts'

let world: World
let browser: Browser
let visitor: ShopVisitor
let page: Page

beforeAll(async () => {
  world = await openWorld()
  await world.request(`/sandbox/api/merchants/${world.shop.wallet_id}/callback-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callback_url: '' }),
  })
  browser = await openBrowser()
})
afterEach(async () => {
  expect(visitor.elsewhere).toEqual([])
  await visitor.leave()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await world.stop()
})

async function visit(options: Parameters<typeof visitShop>[2] = {}): Promise<void> {
  visitor = await visitShop(world, browser, options)
  page = visitor.page
}

const open = () => page.goto(`${world.baseUrl}/sandbox/shop/subscriptions`)
const subscriptionPart = () => page.locator('[data-subscription]')
const charges = () => page.locator('[data-charges]')
const amount = () => page.locator('input[name=amount]')
/** Waits until the shop shows this remaining allowance. */
const leaves = (text: string) =>
  subscriptionPart()
    .locator('.facts > div', { hasText: /Left to charge|Ainda pode cobrar/ })
    .getByText(text)
    .waitFor()
const does = (verb: 'charge' | 'cancel' | 'look') =>
  page.locator(`button[formaction$="/subscriptions/${verb}"]`).click()

/**
 * Accepts with a card and returns without the countdown. Returns the address of the subscription page, which is
 * shown once.
 */
async function accept(plan: 'alone' | 'with_pack'): Promise<string> {
  await page.locator(`input[value=${plan}]`).check()
  await page.locator('form:has(fieldset) button').click()
  await page.waitForURL(/\/checkout\//)
  await visitor.typeOnCheckout(cards.frictionless)
  const managed = await page.locator('main a[href*="/subscription/"]').getAttribute('href')
  await page.locator('main a[href*="/shop/subscriptions/return"]').click()
  await page.waitForURL(/\/shop\/subscriptions\?/)
  return managed ?? ''
}

/** The page's subscription, read from the gateway. */
async function shownSubscription(): Promise<Json> {
  const reference = (await subscriptionPart().textContent())?.match(/BOX-\w{8}/)?.[0]
  const { elements } = (await world.shop.get('/api/v2/subscriptions')).body
  const read = await Promise.all(
    elements.map(
      async ({ subscription: { id } }: Json) => (await world.shop.get(`/api/v2/subscriptions/${id}`)).body,
    ),
  )
  return read.find(({ ext_subscriptionid }) => ext_subscriptionid === reference)
}

it('is accepted with a first payment, charged until the API refuses, and ended', async () => {
  await visit()
  await page.goto(`${world.baseUrl}/sandbox/shop`)
  await page.getByRole('link', { name: 'Subscribe', exact: true }).click()
  await page.getByText('A box of coffee every month').waitFor()
  await expectNoViolations(page)
  await accept('with_pack')
  await visitor.seesNotice('Subscribed')
  await visitor.seen('POST /api/v2/checkout', '200')
  await visitor.seen('SUBSCRIPTION APPROVED', 'genuine')
  await visitor.seen('PAYMENT COMPLETED', 'genuine')
  await subscriptionPart().getByText('€9.90 COMPLETED').waitFor()
  await subscriptionPart().getByText('Visa •••• 0027').waitFor()
  const { id, ext_subscriptionid: reference } = await shownSubscription()
  expect((await world.shop.get(`/api/v2/operations?ext_invoiceid=${reference}`)).body).toMatchObject({
    total: 1,
    elements: [{ amount: 9.9, status: 'COMPLETED' }],
  })

  await does('charge')
  await visitor.seesNotice('€14.50 charged')
  await visitor.seen('CHARGE SUCCESS', 'genuine')
  await leaves('€10.50')
  await charges().getByText('SUCCESS').waitFor()

  await does('charge')
  await visitor.seesNotice('error 40013')
  await visitor.seesNotice('payment.amount must be at most 10.50')
  await charges().getByText('Refused').waitFor()
  await expectNoViolations(page)

  await does('cancel')
  await visitor.seesNotice('Cancelled by the shop')
  await subscriptionPart().getByText('VOIDED').waitFor()
  await does('charge')
  await visitor.seesNotice('error 10013')
  expect(await shownSubscription()).toMatchObject({ status: 'VOIDED' })
  expect((await world.shop.get(`/api/v2/subscriptions/${id}/charge`)).body).toMatchObject({ total: 1 })
})

it('keeps what was typed when the shop sends the page what it shows already', async () => {
  await visit()
  const held = Promise.withResolvers<void>()
  await open()
  await accept('alone')
  await visitor.seesNotice('Subscribed')
  const { id } = await shownSubscription()
  await page.route('**/events?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  await amount().fill('3.33')
  await world.shop.post(`/api/v2/subscriptions/${id}/charge`, { payment: { amount: 1, currency: 'EUR' } })
  const delivered = { event: 'SUCCESS', delivery: expect.objectContaining({ state: 'DELIVERED' }) }
  await expect
    .poll(async () => (await world.shop.get('/api/v2/events?limit=100')).body.events)
    .toContainEqual(expect.objectContaining(delivered))
  held.resolve()
  await visitor.seen('CHARGE SUCCESS', 'genuine')
  expect(await amount().inputValue()).toBe('3.33')
})

it('works without JavaScript, in Portuguese and on 320 pixels', async () => {
  await visit({ javaScriptEnabled: false, locale: 'pt-PT', viewport: { width: 320, height: 700 } })
  await open()
  await accept('alone')
  await visitor.seesNotice('Subscrito')
  const url = page.url()
  await amount().fill('muito')
  await does('charge')
  await visitor.seesNotice('Introduza um montante')
  await amount().fill('7,25')
  await does('charge')
  await visitor.seesNotice('7,25')
  await expect
    .poll(async () => {
      await does('look')
      await page.waitForLoadState()
      return charges().textContent()
    })
    .toMatch(/7,25[\s\S]*Cobrada/)
  await leaves('17,75')

  await visitor.leave()
  await visit({ locale: 'pt-PT', viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
  await page.goto(url)
  await charges().getByText('SUCCESS').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  const hidden = await charges()
    .locator('.scroller')
    .evaluate((table) => table.scrollWidth - table.clientWidth)
  expect(hidden).toBeLessThanOrEqual(0)
  await expectNoViolations(page)
})

it('shows changes from elsewhere without a change of typed text', async () => {
  await visit()
  await open()
  const managed = await accept('alone')
  await visitor.seesNotice('Subscribed')
  await amount().fill('3.')
  const other = await visitor.context.newPage()
  await other.goto(page.url())
  await other.locator('input[name=amount]').fill('5')
  await other.locator('button[formaction$="/subscriptions/charge"]').click()
  await charges().getByText('€5.00').waitFor()
  await charges().getByText('SUCCESS').waitFor()
  await leaves('€20.00')
  expect(await amount().inputValue()).toBe('3.')

  const customersPage = subscriptionPart().getByRole('link', { name: 'Page of the customer' })
  await other.goto(world.baseUrl + (await customersPage.getAttribute('href')))
  await other.getByRole('heading', { level: 1 }).waitFor()
  expect(await other.locator('a[href*="/subscription/"]').count()).toBe(0)
  await other.goto(new URL(managed, world.baseUrl).href)
  await other.getByRole('link', { name: 'Cancel the subscription' }).click()
  await other.getByRole('button', { name: 'Yes, cancel it' }).click()
  await visitor.seesNotice('The customer has cancelled')
  await subscriptionPart().getByText('CANCELED').waitFor()
  await visitor.seen('SUBSCRIPTION CANCELED', 'genuine')
})

it('learns of charges made elsewhere when it asks, and the month renews what is left', async () => {
  await visit()
  await open()
  await accept('alone')
  await visitor.seesNotice('Subscribed')
  const { id } = await shownSubscription()
  await world.shop.post(`/api/v2/subscriptions/${id}/charge`, { payment: { amount: 5, currency: 'EUR' } })
  await visitor.seen('CHARGE SUCCESS', 'genuine')
  await does('look')
  await charges().getByText('€5.00').waitFor()
  await leaves('€20.00')
  await world.advance('P1M')
  await does('look')
  await leaves('€25.00')
})

it('charges once when the same form is sent twice', async () => {
  await visit()
  await open()
  await accept('alone')
  await visitor.seesNotice('Subscribed')
  const { id } = await shownSubscription()
  const form = await page
    .locator('form[data-acting] input')
    .evaluateAll((inputs) => inputs.map((input) => [Reflect.get(input, 'name'), Reflect.get(input, 'value')]))
  const body = new URLSearchParams(form as [string, string][])
  // Small enough for two charges in the month.
  body.set('amount', '2')
  const send = () => world.request('/sandbox/shop/subscriptions/charge', { method: 'POST', body })
  await Promise.all([send(), send()])
  expect((await world.shop.get(`/api/v2/subscriptions/${id}/charge`)).body).toMatchObject({ total: 1 })
})
