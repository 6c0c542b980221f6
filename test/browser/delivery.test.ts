// Delivery address in a real browser.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await openWorld()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})

const phone = { width: 390, height: 844 }

async function openCheckout(options: BrowserContextOptions = {}): Promise<Page> {
  const checkout = await world.createCheckout({ required_fields: { shipping: true } })
  const page = await (await browser.newContext({ viewport: phone, locale: 'en-IE', ...options })).newPage()
  await page.goto(checkout.url_redirect)
  return page
}

async function typeAddress(page: Page): Promise<void> {
  await page.getByLabel('Street and door number').fill('Rua do Cais, 5, 2.º esq.')
  await page.getByLabel('Postal code').fill('1000-001')
  await page.getByLabel('Town').fill('Lisboa')
  await page.getByLabel('Country').selectOption('PT')
  await page.getByRole('button', { name: 'Continue' }).click()
}

it('is asked in words, kept, shown over the methods, and changed', async () => {
  const page = await openCheckout()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoViolations(page)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Enter the street and door number.').waitFor()
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('street')
  await expectNoViolations(page)

  await typeAddress(page)
  await page.getByText('Rua do Cais, 5, 2.º esq., 1000-001 Lisboa, Portugal').waitFor()
  await expectNoViolations(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width)

  await page.getByRole('link', { name: 'Change the delivery address' }).click()
  await page.getByLabel('Country').selectOption('AE')
  await page.getByLabel('Postal code').fill('?')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'This postal code is not right.' }).waitFor()
  await expectNoViolations(page)
  expect(await page.getByLabel('Country').inputValue()).toBe('AE')
})

it.each([true, false])(
  'is asked with JavaScript %j, and needs no postal code in countries without them',
  async (js) => {
    const page = await openCheckout({ javaScriptEnabled: js })
    await typeAddress(page)
    await page.getByText('Delivery to').waitFor()
    await page.getByText('How would you like to pay?').waitFor()

    await page.getByRole('link', { name: 'Change the delivery address' }).click()
    await page.getByLabel('Postal code').fill('')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Enter the postal code.' }).waitFor()
    await page.getByLabel('Country').selectOption('AO')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('2.º esq., Lisboa, Angola').waitFor()
  },
)
