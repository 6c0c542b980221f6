// PAYPAL, WALLET and SEPA in a real browser.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { ibans, type Money, moneyOf } from '../money.ts'
import type { Json, World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { backToShop } from './back-to-shop.ts'
import { openBrowser } from './browser.ts'

let world: World
let money: Money
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  world = await openWorld()
  money = moneyOf(world)
  browser = await openBrowser()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await world.stop()
})
beforeEach(() => newContext())
afterEach(() => context.close())

async function newContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 }, ...options })
  page = await context.newPage()
}

/** The receiver of callbacks is the shop's origin. */
async function open(method: 'paypal' | 'wallet' | 'sepa', query = ''): Promise<Json> {
  const checkout = await world.createCheckout({
    url_confirm: world.receiver.url('/shop/ok'),
    url_cancel: world.receiver.url('/shop/no'),
  })
  await page.goto(checkout.url_redirect + query)
  await page.locator(`#method-${method}`).check()
  return checkout
}

const form = (part: string) => page.locator(`form[action*="/${part}?"]`)
const submit = (part: string) => form(part).locator('[data-submit]').click()

async function expectReadable(): Promise<void> {
  await expectNoViolations(page)
  const root = page.locator('html')
  expect(await root.evaluate((html) => html.scrollWidth - html.clientWidth)).toBeLessThanOrEqual(0)
  await look()
}

let looks = 0
/** Screenshots: `SCREENSHOTS=<folder>`. */
async function look(): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${String(++looks).padStart(2, '0')}.png`, fullPage: true })
}

const shopOf = (checkout: Json) => world.receiver.url(`/shop/ok?checkoutid=${checkout.id}`)

async function expectAtShop(checkout: Json): Promise<void> {
  await backToShop(page, shopOf(checkout))
}

it('pays by PAYPAL: to the wallet, agreed there, and back to the shop', async () => {
  const checkout = await open('paypal')
  await submit('paypal')
  await page.getByRole('heading', { name: 'Log in to your account' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Pay €10.00' }).click()
  await page.getByRole('heading', { name: 'Payment made' }).waitFor()
  await expectAtShop(checkout)
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'PAYPAL' })
})

it('pays by WALLET: e-mail and PIN, wrong at first, and on to the shop', async () => {
  const { email, pin } = await money.consumer(20)
  const checkout = await open('wallet')
  await page.locator('#wallet-email').fill(email)
  await page.locator('#wallet-pin').fill('9999')
  await submit('wallet')
  await page.getByRole('heading', { name: 'The e-mail or the PIN is wrong' }).waitFor()
  expect(await page.locator('#wallet-email').inputValue()).toBe(email)
  expect(await page.locator('#wallet-pin').inputValue()).toBe('')
  await page.locator('#wallet-pin').fill(pin)
  await submit('wallet')
  await expectAtShop(checkout)
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'WALLET' })
})

it('pays by SEPA: the mandate accepted, the bank answers while the customer still looks', async () => {
  const checkout = await open('sepa')
  await page.locator('#sepa-holder').fill('Ana Sousa')
  await page.locator('#sepa-iban').pressSequentially(ibans.paid)
  await page.getByLabel('I accept this direct debit mandate').check()
  await submit('sepa')
  await page.getByRole('heading', { name: 'Direct debit ordered' }).waitFor()
  await money.sandbox(`sepa/${checkout.payment.id}/settle`, { outcome: 'paid' })
  await expectAtShop(checkout)
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'SEPA' })
})

it('returns a customer with an ordered debit to the shop without a wait', async () => {
  const checkout = await open('sepa')
  await page.locator('#sepa-holder').fill('Ana Sousa')
  await page.locator('#sepa-iban').fill(ibans.paid)
  await page.locator('#sepa-mandate').check()
  await submit('sepa')
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.waitForURL(shopOf(checkout))
})

const looksOf = [
  ['pt', 320, 'light'],
  ['en', 320, 'dark'],
  ['pt', 1280, 'dark'],
  ['en', 768, 'light'],
] as const

describe.each(looksOf)('in %s at %i pixels, %s', (lang, width, colorScheme) => {
  beforeEach(async () => {
    await context.close()
    await newContext({
      viewport: { width, height: 800 },
      colorScheme,
      locale: lang === 'pt' ? 'pt-PT' : 'en-GB',
    })
  })

  it.each(['paypal', 'wallet', 'sepa'] as const)(
    'the panel of %s can be read by everybody',
    async (method) => {
      await open(method, `?lang=${lang}`)
      await expectReadable()
    },
  )

  it('a wrong debit shows its errors, and a correct one is ordered', async () => {
    await open('sepa', `?lang=${lang}`)
    await page.locator('#sepa-holder').fill('Ana Sousa')
    await page.locator('#sepa-iban').fill('PT50 0002')
    await page.locator('#sepa-mandate').check()
    await submit('sepa')
    await page.locator('#sepa-iban[aria-invalid=true]').waitFor()
    await expectReadable()
    await page.locator('#sepa-iban').fill(ibans.paid)
    await page.locator('#sepa-mandate').check()
    await submit('sepa')
    await page.locator('.good-medal').waitFor()
    await expectReadable()
  })

  it('a balance that is too small is shown', async () => {
    const { email, pin } = await money.consumer(1)
    await open('wallet', `?lang=${lang}`)
    await page.locator('#wallet-email').fill(email)
    await page.locator('#wallet-pin').fill(pin)
    await submit('wallet')
    await page.locator('.notice').waitFor()
    await expectReadable()
  })

  it("the online wallet's pages and the bank's can be read by everybody", async () => {
    await open('paypal', `?lang=${lang}`)
    await submit('paypal')
    await page.locator('input[type=email]').waitFor()
    await expectReadable()
    await page.locator('button[value=review]').click()
    await page.locator('button[value=agree]').waitFor()
    await expectReadable()
    await page.goto(`${world.baseUrl}/sandbox/bank`)
    await expectReadable()
  })
})
