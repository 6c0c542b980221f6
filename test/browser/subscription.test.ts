// Subscriptions in a real browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { moneyOf } from '../money.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { cards, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'

let world: World
let subscribers: Subscribers
let browser: Browser

beforeAll(async () => {
  world = await openWorld()
  subscribers = subscribersOf(world)
  browser = await openBrowser()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await world.stop()
})

async function expectReadable(page: Page): Promise<void> {
  await expectNoViolations(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

it.each([
  ['with JavaScript', true],
  ['without it', false],
])('is accepted, seen and canceled %s', async (_, javaScriptEnabled) => {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 320, height: 700 },
    javaScriptEnabled,
  })
  const page = await context.newPage()
  const checkout = await subscribers.checkout()
  const { id } = checkout.subscription
  await page.goto(checkout.url_redirect)
  await page.getByText('Demo Shop may charge you up to €20.00 every month.').waitFor()
  if (javaScriptEnabled) await expectReadable(page)
  await page.locator('input[name=number]').fill(cards.challenge.number)
  await page.locator('input[name=expiry]').fill('12/30')
  await page.locator('input[name=vcode]').fill('123')
  await page.locator('form[action*="/card"] input[name=name]').fill('Ana Silva')
  await page.getByRole('button', { name: 'Accept' }).click()
  // Without JavaScript each page has a button.
  const code = page.locator('input[name=otp]')
  for (let step = 0; step < 3 && !javaScriptEnabled && (await code.count()) === 0; step++) {
    await page.locator('main form button[type=submit]').first().click()
  }
  await code.fill(cards.challenge.otp)
  await page.locator('form:has(input[name=otp]) button[type=submit]').first().click()
  if (!javaScriptEnabled && (await page.getByText('Subscription accepted').count()) === 0) {
    await page.locator('main form button[type=submit]').first().click()
  }
  await page.getByText('Subscription accepted').waitFor()

  await page.getByRole('link', { name: 'See or cancel the subscription' }).click()
  await page.getByText('Nothing has been charged so far.').waitFor()
  const charged = await subscribers.charge(id, 7)
  await subscribers.processed(id, charged.body.id)
  await page.reload()
  await page.getByText('Up to €13.00 more can be charged, until').waitFor()
  if (javaScriptEnabled) await expectReadable(page)
  await page.getByRole('link', { name: 'Cancel the subscription' }).click()
  await page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await page.getByText('You cancelled it.').waitFor()
  expect(await subscribers.read(id)).toMatchObject({ status: 'CANCELED' })
  await context.close()
})

it('is accepted from a balance with e-mail and PIN, and the page shows the charges', async () => {
  const { email, pin } = await moneyOf(world).consumer(10)
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 320, height: 700 } })
  const page = await context.newPage()
  const checkout = await subscribers.checkout({}, { default_method: 'WALLET' })
  const { id } = checkout.subscription
  await page.goto(checkout.url_redirect)
  await page.getByText('Log in with the e-mail and the PIN of your wallet').waitFor()
  await expectReadable(page)
  const form = page.locator('form[action*="/wallet"]')
  await form.locator('input[name=email]').fill(email)
  await form.locator('input[name=pin]').fill('9999')
  await form.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('The e-mail or the PIN is wrong').waitFor()
  await expectReadable(page)
  await form.locator('input[name=pin]').fill(pin)
  await form.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Subscription accepted').waitFor()
  await expectReadable(page)

  const charged = await subscribers.charge(id, 7)
  expect(await subscribers.processed(id, charged.body.id)).toMatchObject({ status: 'SUCCESS' })
  await page.getByRole('link', { name: 'See or cancel the subscription' }).click()
  await page.getByText('Charged to the balance of your wallet.').waitFor()
  await page.getByText('Up to €13.00 more can be charged, until').waitFor()
  await expectReadable(page)
  await context.close()
})
