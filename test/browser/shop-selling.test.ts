// Merchant page of the demo shop in a real browser.
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
  visitor = await visitShop(world, browser)
  page = visitor.page
})
afterEach(async () => {
  expect(visitor.elsewhere).toEqual([])
  await expectNoViolations(page)
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
})
afterAll(async () => {
  await visitor.leave()
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await world.stop()
})

const sale = (kind: string) => page.locator('section.box', { has: page.getByRole('heading', { name: kind }) })
const operations = async (type: string): Promise<Json[]> =>
  (await world.shop.get(`/api/v2/operations?type=${type}`)).body.elements

async function payOnCheckout(): Promise<void> {
  await page.waitForURL(/\/checkout\//)
  await visitor.typeOnCheckout(cards.frictionless)
  await page.locator('main a[href*="/sandbox/shop"]').click()
}

it('a purchase is refunded in part and then cannot be split', async () => {
  await page.goto(`${world.baseUrl}/sandbox/shop?lang=en`)
  await page.locator('section[aria-labelledby=hosted] button').click()
  await payOnCheckout()
  await visitor.seesNotice('Paid, thank you.')
  await page.getByRole('link', { name: 'Sell', exact: true }).click()
  await page.getByRole('button', { name: 'Ask the gateway' }).click()
  await visitor.seesNotice('Updated from the gateway.')
  const paid = sale('Payment SHOP-')
  await paid.getByRole('button', { name: 'Give half to another seller' }).click()
  await visitor.seesNotice('Split. The other seller has half of it.')
  await visitor.seen('POST /api/v2/operations/', 'split', '200')
  await paid.getByText('split with 1 seller').waitFor()
  await paid.getByLabel(/empty: the rest/).fill('8,40')
  await paid.getByRole('button', { name: 'Refund' }).click()
  await visitor.seesNotice('Refunded.')
  expect(await operations('REFUND')).toMatchObject([{ amount: -8.4, status: 'COMPLETED' }])
  await paid.getByLabel(/empty: the rest/).fill('much')
  await paid.getByRole('button', { name: 'Refund' }).click()
  await visitor.seesNotice('Enter an amount such as 14.50.')
})

it('an authorization is captured in parts, and refusals are shown', async () => {
  const reserve = sale('Reserve an amount')
  await reserve.getByLabel('Amount in euros').fill('50')
  await reserve.getByRole('button', { name: 'Reserve' }).click()
  await payOnCheckout()
  const reserved = sale('Reserved HOLD-')
  await reserved.getByLabel(/empty: the rest/).fill('20')
  await reserved.getByRole('button', { name: 'Capture' }).click()
  await visitor.seesNotice('Captured. The customer is charged.')
  expect(await operations('CAPTURE')).toMatchObject([{ amount: 20, status: 'COMPLETED' }])
  await reserved.getByRole('button', { name: 'Release' }).click()
  await visitor.seesNotice('The gateway refused it (10013)')
  await reserved.getByRole('button', { name: 'Refund' }).click()
  await visitor.seesNotice('Refunded.')
})

it('an authorization is fully released, in Portuguese', async () => {
  await page.goto(page.url().replace('lang=en', 'lang=pt'))
  const reserve = sale('Reservar um montante')
  await reserve.getByRole('button', { name: 'Reservar' }).click()
  await payOnCheckout()
  const newest = sale('Reservado HOLD-').first()
  await newest.getByRole('button', { name: 'Libertar' }).click()
  await visitor.seesNotice('Libertado. O cliente')
  expect(await operations('RELEASE')).toMatchObject([{ amount: 50, status: 'COMPLETED' }])
})

it('the balance is paid out to the bank account of the merchant', async () => {
  await page.goto(page.url().replace('lang=pt', 'lang=en'))
  const payOut = async () => {
    await sale('Pay out').getByLabel('Amount in euros').fill('5')
    await sale('Pay out').getByRole('button', { name: 'Pay out' }).click()
  }
  await payOut()
  await visitor.seesNotice('has no IBAN')
  const iban = 'PT50000201231234567890154'
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', iban)
  await payOut()
  await visitor.seesNotice('The payout is on its way.')
  expect(await operations('WALLETFUNDS')).toMatchObject([{ status: 'PENDING' }])
})
