// Payments by reference in a real browser.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { backToShop } from './back-to-shop.ts'
import { openBrowser } from './browser.ts'

let world: World
let browser: Browser
let context: BrowserContext
let page: Page

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
  page = await context.newPage()
}

beforeEach(() => newContext())
afterEach(() => context.close())

async function open(change: Record<string, unknown> = {}): Promise<Json> {
  const checkout = await world.createCheckout({
    url_confirm: world.receiver.url('/shop/ok'),
    url_cancel: world.receiver.url('/shop/no'),
    ...change,
  })
  await page.goto(checkout.url_redirect)
  return checkout
}

async function chooseReference(): Promise<void> {
  const radio = page.locator('input[name=method][value=MB]')
  if ((await radio.count()) > 0) await radio.check()
  await page.locator('form[action*="/mb?"] button[type=submit]').click()
  await page.locator('.reference').waitFor()
}

const shownDigits = () => page.locator('.reference dd.digits').allTextContents()
const mbOf = async (checkout: Json): Promise<{ entity: string; ref: string }> =>
  (await world.operation(checkout.payment.id)).mb
const callbacksOf = (checkout: Json): Json[] =>
  world.receiver
    .received('/callbacks')
    .map(({ body }) => JSON.parse(body))
    .filter(({ operation_id }) => operation_id === checkout.payment.id)

it('the ATM lists what can be paid, to be chosen instead of typed, and finds the rest', async () => {
  const pay = (amount: number) =>
    world.shop.post('/api/v2/mb/pay', { amount, currency: 'EUR', type: 'PAYMENT' })
  const [wanted, other] = [(await pay(41.37)).body, (await pay(52.48)).body]
  // The network gets a reference a moment after its creation.
  const listed = (amount: string) => page.getByRole('button', { name: amount })
  await world.eventually(async () => {
    await page.goto(`${world.baseUrl}/sandbox/atm?lang=en`)
    return (await listed('€41.37').count()) > 0 && (await listed('€52.48').count()) > 0
  })
  await expectNoViolations(page)
  for (const [find, seen, hidden] of [
    ['41,37', '€41.37', '€52.48'],
    [other.mb.ref.slice(2, 9), '€52.48', '€41.37'],
  ] as const) {
    await page.getByLabel('Search by reference or amount').fill(find)
    await page.getByRole('button', { name: 'Search' }).click()
    await listed(seen).waitFor()
    expect(await listed(hidden).count()).toBe(0)
  }
  await page.getByLabel('Search by reference or amount').fill('nothing')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('No open reference matches.').waitFor()
  await page.goto(`${world.baseUrl}/sandbox/atm?lang=en`)
  await listed('€41.37').click()
  await page.getByText('Demo Shop', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Pay €41.37' }).click()
  await page.getByText('Paid. The merchant has been notified.').waitFor()
  expect(await world.operation(wanted.id)).toMatchObject({ status: 'COMPLETED' })
  await page.goto(`${world.baseUrl}/sandbox/atm?lang=en`)
  expect(await listed('€41.37').count()).toBe(0)
})

describe('a checkout paid by reference', () => {
  it('shows the amount and turns to paid while it is open', async () => {
    const checkout = await open()
    await chooseReference()
    const { entity, ref } = await mbOf(checkout)
    expect(await shownDigits()).toEqual([entity, ref.replace(/\d{3}(?=\d)/g, '$&\u00a0'), '€10.00'])
    expect(await page.locator('.reference').textContent()).toContain('Demo Shop')
    await world.eventually(async () => callbacksOf(checkout).length === 1)
    expect(callbacksOf(checkout)[0]).toMatchObject({
      event: 'PENDING',
      mb_entity: entity,
      mb_ref: ref,
      checkout_id: checkout.id,
    })
    await expectNoViolations(page)

    const bank = await context.newPage()
    await bank.goto(`${world.baseUrl}/sandbox/home-banking`)
    await expectNoViolations(bank)
    await bank.locator('#entity').fill(entity)
    await bank.locator('#ref').fill(ref.replace(/\d{3}(?=\d)/g, '$& '))
    await bank.locator('#amount').fill('10,00')
    await bank.locator('main button[type=submit]').first().click()
    await bank.getByText('Demo Shop', { exact: true }).waitFor()
    await expectNoViolations(bank)
    await bank.locator('main button[type=submit]').first().click()
    await bank.locator('[role=status]').waitFor()
    await page.locator('.good-medal').waitFor()
    await backToShop(page, /\/shop\/ok\?/)
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      method: 'MB',
      fee: -0.5,
    })
  })

  it('leads back to the shop, and stays payable', async () => {
    const checkout = await open()
    await chooseReference()
    const { entity, ref } = await mbOf(checkout)
    await page.getByRole('link', { name: 'Back to the shop', exact: true }).click()
    await page.waitForURL(world.receiver.url(`/shop/ok?checkoutid=${checkout.id}`))
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING', method: 'MB' })
    const paid = await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity, ref, amount: 10 }),
    })
    expect(paid.body).toMatchObject({ accepted: true })
    await page.goto(checkout.url_redirect)
    await page.locator('.good-medal').waitFor()
  })

  it('copies bare digits', async () => {
    await newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const checkout = await open()
    await chooseReference()
    const { entity, ref } = await mbOf(checkout)
    const copied = []
    for (const button of await page.locator('[data-copy]').all()) {
      await button.click()
      await expect.poll(() => button.textContent()).toBe('Copied')
      copied.push(await page.evaluate<string>('navigator.clipboard.readText()'))
    }
    expect(copied).toEqual([entity, ref, '10.00'])
  })

  it('can be paid another way instead, and its reference pays nothing any more', async () => {
    const checkout = await open()
    await chooseReference()
    const { entity, ref } = await mbOf(checkout)
    await page.locator('a[href*="choose"]').click()
    await page.locator('input[name=method][value=CC]').check()
    await page.locator('input[name=number]').fill(cards.frictionless.number)
    await page.locator('input[name=expiry]').fill('12 / 30')
    await page.locator('input[name=vcode]').fill('123')
    await page.locator('input[name=name]').fill('Ana Silva')
    await page.locator('form[action*="/card"] button[type=submit]').click()
    await backToShop(page, /\/shop\/ok\?/)
    const paid = await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity, ref, amount: 10 }),
    })
    expect(paid.body).toEqual({ accepted: false, reason: 'deleted' })
    expect(await world.operation(checkout.payment.id)).toMatchObject({ method: 'CC', fee: -0.25 })
  })

  it('keeps its reference when it is left, chosen again or reloaded, and can be cancelled', async () => {
    const checkout = await open()
    await chooseReference()
    const digits = await shownDigits()
    await page.reload()
    expect(await shownDigits()).toEqual(digits)
    await page.locator('a[href*="choose"]').click()
    await chooseReference()
    expect(await shownDigits()).toEqual(digits)
    expect((await world.shop.delete(`/api/v2/checkout/${checkout.id}`)).status).toBe(409)
    await page.locator('form[action*="/cancel"] button').click()
    await page.waitForURL(/\/shop\/no\?/)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL' })
  })

  it('leads to the shop when it is cancelled, also when the page hears of the end before the answer arrives', async () => {
    await open()
    await chooseReference()
    const heard = page.evaluate(`new Promise((resolve) => {
      const source = new EventSource(document.querySelector('main').dataset.events)
      source.addEventListener('state', ({ data }) => data === 'waiting' || resolve())
    })`)
    await page.route('**/cancel*', async (route) => {
      const response = await route.fetch({ maxRedirects: 0 })
      await heard
      await route.fulfill({ response })
    })
    await page.locator('form[action*="/cancel"] button').click()
    await page.waitForURL(/\/shop\/no\?/)
  })

  it('shows when it expires, with an instant reference to the second', async () => {
    const { now } = (await world.request('/sandbox/api/clock')).body
    const expires = new Date(Date.parse(now.replace('+0000', 'Z')) + 1_800_000).toISOString()
    const checkout = await open({ payment: { amount: 25, currency: 'EUR', instant: true, expires } })
    await chooseReference()
    const shown = (await world.operation(checkout.payment.id)) as Json
    expect(shown).toMatchObject({ instant: true, status: 'PENDING', expires: `${expires.slice(0, 19)}+0000` })
    await world.advance('PT30M2S')
    await page.locator('.quiet-medal').waitFor()
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL' })
    await world.eventually(async () => callbacksOf(checkout).length === 2)
    expect(callbacksOf(checkout).map(({ event }) => event)).toEqual(['PENDING', 'FAIL'])
  })

  it('outlives the day of its checkout: the reference is payable until its own end', async () => {
    const checkout = await open()
    await world.advance('PT23H')
    await page.reload()
    await chooseReference()
    await world.advance('PT2H')
    const { entity, ref } = await mbOf(checkout)
    const paid = await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity, ref, amount: 10 }),
    })
    expect(paid.body).toMatchObject({ accepted: true })
  })
})

describe.each([
  ['320 px, light', { viewport: { width: 320, height: 640 } }],
  [
    '320 px, dark, Portuguese',
    { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'pt-PT' },
  ],
  ['a desk', { viewport: { width: 1280, height: 800 } }],
] as const)('the page of a reference at %s', (name, options) => {
  it('fits and can be read', async () => {
    await newContext(options)
    await open({ payment: { amount: 99_999.99, currency: 'EUR' } })
    await expectNoViolations(page)
    await chooseReference()
    await expectNoViolations(page)
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    const folder = process.env.SCREENSHOTS
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/${name.replace(/\W+/g, '-')}.png`, fullPage: true })
  })
})

describe('without JavaScript', () => {
  it('the digits are there, no button that does nothing, and the way to look again', async () => {
    await newContext({ javaScriptEnabled: false })
    const checkout = await open()
    await chooseReference()
    expect(await page.locator('[data-copy]:visible, [data-print]:visible').count()).toBe(0)
    const { ref } = await mbOf(checkout)
    await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity: '21312', ref, amount: 10 }),
    })
    await page.locator('[data-without-script] a').click()
    await page.locator('.good-medal').waitFor()
  })
})

it('the printed page has only the data for the machine', async () => {
  await open()
  await chooseReference()
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.reference dd.digits').first().isVisible()).toBe(true)
  for (const hidden of ['.sandbox', '.footer', '.copy-button', '[data-print]', '.cancel', '.spinner'])
    expect(await page.locator(hidden).first().isVisible()).toBe(false)
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: `${folder}/print.png`, fullPage: true })
})

it('a payer at the machine sees what is wrong', async () => {
  await page.goto(`${world.baseUrl}/sandbox/atm`)
  const type = async (entity: string, ref: string, amount: string) => {
    await page.locator('#entity').fill(entity)
    await page.locator('#ref').fill(ref)
    await page.locator('#amount').fill(amount)
    await page.locator('main button[type=submit]').first().click()
    await page.locator('[role=alert]').waitFor()
  }
  await type('21312', '1', '10')
  expect(await page.locator('[role=alert]').textContent()).toContain('ref must be 9 digits')
  await type('21312', '123456789', '10')
  expect(await page.locator('[role=alert]').textContent()).toContain('reference does not exist')
  await expectNoViolations(page)
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: `${folder}/atm.png`, fullPage: true })
})
