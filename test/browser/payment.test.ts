// Card payments on the hosted page in a real browser.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type TestCard, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { backToShop } from './back-to-shop.ts'
import { openBrowser } from './browser.ts'

let world: World
let browser: Browser
let context: BrowserContext
let page: Page
let otherHosts: string[]

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
  context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 }, ...options })
  page = await context.newPage()
  otherHosts = []
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== world.baseUrl && origin !== world.receiver.origin) otherHosts.push(request.url())
  })
}

beforeEach(() => newContext())
afterEach(async () => {
  expect(otherHosts).toEqual([])
  await context.close()
})

/** The receiver of callbacks is the shop's origin. */
function createCheckout(): Promise<Json> {
  return world.createCheckout({
    url_confirm: world.receiver.url('/shop/ok'),
    url_cancel: world.receiver.url('/shop/no'),
  })
}

async function open(query = ''): Promise<Json> {
  const checkout = await createCheckout()
  await page.goto(checkout.url_redirect + query)
  return checkout
}

async function typeCard({ number }: TestCard): Promise<void> {
  await page.locator('input[name=number]').pressSequentially(number)
  await page.locator('input[name=expiry]').pressSequentially('1230')
  await page.locator('input[name=vcode]').fill('123')
  await page.locator('input[name=name]').fill('Ana Silva')
}

const pay = () => page.locator('form[action*="/card"] button[type=submit]').click()

/** Pays, and presses the button of the page without scripts until the bank asks. */
async function toBank(): Promise<void> {
  await pay()
  const otp = page.locator('input[name=otp]')
  await otp
    .or(page.getByRole('button', { name: 'Continue' }))
    .first()
    .waitFor()
  if (!(await otp.isVisible())) await page.getByRole('button', { name: 'Continue' }).click()
  await otp.waitFor()
}

/** Returns from the bank, by button if the page does not redirect. */
async function fromBank(): Promise<void> {
  const back = page.locator('form[action*="/3ds/return"] button')
  await page.waitForURL(/\/checkout\/|\/sandbox\//)
  if (page.url().includes('/sandbox/') && (await back.isVisible())) await back.click()
  await page.waitForURL(/\/checkout\//)
}

async function answerChallenge(otp: string): Promise<void> {
  await page.locator('input[name=otp]').fill(otp)
  await page.locator('form:has(input[name=otp]) button[type=submit]').first().click()
}

const atShop = (path: string, checkout: Json) =>
  `${world.receiver.origin}/shop${path}?checkoutid=${checkout.id}`

describe('paying', () => {
  it('frictionless: the card is accepted and the page leads back to the shop', async () => {
    const checkout = await open()
    await expectNoViolations(page)
    await typeCard(cards.frictionless)
    await expect.poll(() => page.locator('input[name=number]').inputValue()).toBe('4176 6600 0000 0027')
    await pay()
    await page.getByRole('heading', { name: 'Payment made' }).waitFor()
    await expectNoViolations(page)
    const receipt = (await page.locator('.receipt').textContent()) ?? ''
    expect(receipt).toMatch(/€10\.00[\s\S]*Demo Shop[\s\S]*Visa ending in 0027[\s\S]*\d{4}, \d\d:\d\d/)
    expect(receipt).toContain(checkout.payment.id)
    await backToShop(page, atShop('/ok', checkout))
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it.each([cards.challenge, cards.challengeMastercard])(
    'with a challenge and the right code: %j',
    async (card) => {
      const checkout = await open()
      await typeCard(card)
      await pay()
      await page.waitForURL(/\/sandbox\/issuer\/challenge/)
      await expectNoViolations(page)
      await answerChallenge(card.otp)
      await page.waitForURL(new RegExp(`/checkout/${checkout.id}`))
      await backToShop(page, atShop('/ok', checkout))
      expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
    },
  )

  it('a wrong code three times, then another card', async () => {
    const checkout = await open()
    await typeCard(cards.challenge)
    await pay()
    for (let wrong = 0; wrong < 3; wrong++) {
      await page.waitForURL(/\/sandbox\/issuer\/challenge/)
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await answerChallenge('0000')
      await answered
      await page.waitForLoadState('load')
    }
    await page.waitForURL(new RegExp(`/checkout/${checkout.id}`))
    await page.getByRole('alert').waitFor()
    await expectNoViolations(page)
    await typeCard(cards.frictionless)
    await pay()
    await backToShop(page, atShop('/ok', checkout))
  })

  it('cancelled at the bank, then cancelled on the page', async () => {
    const checkout = await open()
    await typeCard(cards.challenge)
    await pay()
    await page.waitForURL(/\/sandbox\/issuer\/challenge/)
    await page.getByRole('button', { name: /cancel/i }).click()
    await page.waitForURL(new RegExp(`/checkout/${checkout.id}`))
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: /cancel/i }).click()
    await page.waitForURL(atShop('/no', checkout))
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL' })
  })

  it('declined, then paid with another card', async () => {
    const checkout = await open()
    await typeCard(cards.insufficientFunds)
    await pay()
    await page.getByText('There is not enough money on the card').waitFor()
    await expectNoViolations(page)
    await typeCard(cards.frictionless)
    await pay()
    await backToShop(page, atShop('/ok', checkout))
  })

  it('cancelled, at a shop that leads on to another host: the page shows the way', async () => {
    const checkout = await world.createCheckout({ url_cancel: world.receiver.url('/shop/moved') })
    world.receiver.script(`/shop/moved?checkoutid=${checkout.id}`, {
      status: 302,
      headers: { location: 'https://moved.example/' },
    })
    await page.goto(checkout.url_redirect)
    await page.getByRole('button', { name: /cancel/i }).click()
    await page.getByRole('heading', { name: 'Payment cancelled' }).waitFor()
    await page.locator(`a[href*="checkoutid=${checkout.id}"]`).waitFor()
    otherHosts = []
  })

  it('back from the bank: no card is left on the page, and another one pays', async () => {
    const checkout = await open()
    await typeCard(cards.challenge)
    await pay()
    await page.waitForURL(/\/sandbox\/issuer\/challenge/)
    while (!page.url().startsWith(checkout.url_redirect)) await page.goBack()
    await page.locator('input[name=number]').waitFor()
    await expect.poll(() => page.locator('input[name=number]').inputValue()).toBe('')
    await expect.poll(() => page.locator('input[name=vcode]').inputValue()).toBe('')
    await typeCard(cards.frictionless)
    await pay()
    await backToShop(page, atShop('/ok', checkout))
  })

  it.each([true, false])(
    'cancelled at the bank, then paid with the same card: only the code is asked again (JavaScript: %s)',
    async (javaScriptEnabled) => {
      await context.close()
      await newContext({ javaScriptEnabled })
      const checkout = await open()
      await page.locator('input[name=number]').fill('4176 6600 0000 0092')
      await page.locator('input[name=expiry]').fill('12 / 30')
      await page.locator('input[name=vcode]').fill('123')
      await page.locator('input[name=name]').fill('Ana Silva')
      await toBank()
      await page.getByRole('button', { name: /cancel/i }).click()
      await fromBank()
      await page.getByText('The confirmation was cancelled').waitFor()
      if (javaScriptEnabled) await expectNoViolations(page)
      await page.getByText('We use your Visa ending in 0092 again.').waitFor()
      await expect
        .poll(() => page.locator('input[name=number]').getAttribute('placeholder'))
        .toBe('•••• 0092')
      await expect.poll(() => page.locator('input[name=expiry]').inputValue()).toBe('12 / 30')
      await expect.poll(() => page.locator('input[name=name]').inputValue()).toBe('Ana Silva')
      await expect.poll(() => page.locator('input[name=vcode]').inputValue()).toBe('')
      expect(await page.content()).not.toContain('41766600')
      await page.locator('input[name=vcode]').fill('123')
      await toBank()
      await answerChallenge('0101')
      await fromBank()
      await page.getByText('Visa ending in 0092').waitFor()
      expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
      expect((await context.cookies()).filter(({ name }) => name === 'comporta_card')).toEqual([])
    },
  )

  it('a double click on Pay pays once', async () => {
    const checkout = await open()
    await typeCard(cards.frictionless)
    await page.locator('form[action*="/card"] button[type=submit]').dblclick()
    await backToShop(page, atShop('/ok', checkout))
    const callbacks = () =>
      world.receiver.received('/callbacks').filter(({ body }) => body.includes(checkout.payment.id))
    await world.eventually(async () => callbacks().length > 0)
    expect(callbacks()).toHaveLength(1)
  })

  it('a silent acquirer: the page waits and continues with the answer', async () => {
    const checkout = await open()
    await typeCard(cards.silentThenApproved)
    await pay()
    await page.getByText('Confirming with your bank').waitFor()
    await expectNoViolations(page)
    await world.advance('PT1M')
    await backToShop(page, atShop('/ok', checkout))
  })
})

describe('without JavaScript', () => {
  beforeEach(async () => {
    await context.close()
    await newContext({ javaScriptEnabled: false })
  })

  it('a challenged card pays with the buttons alone', async () => {
    const checkout = await open()
    await page.locator('input[name=number]').fill('4176 6600 0000 0092')
    await page.locator('input[name=expiry]').fill('12/30')
    await page.locator('input[name=vcode]').fill('123')
    await page.locator('input[name=name]').fill('Ana Silva')
    await pay()
    for (let step = 0; step < 3 && !(await page.locator('input[name=otp]').isVisible()); step++) {
      await page.locator('main button[type=submit]').last().click()
    }
    await answerChallenge('0101')
    if (page.url().includes('/sandbox/')) await page.locator('form[action*="/3ds/return"] button').click()
    await page.waitForURL(new RegExp(`/checkout/${checkout.id}|/shop/ok`))
    await expect.poll(() => world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED' })
    await backToShop(page, atShop('/ok', checkout))
  })
})

describe('two tabs', () => {
  const otherTab = async (checkout: Json) => {
    const tab = await context.newPage()
    await tab.goto(checkout.url_redirect)
    return tab
  }

  it('a customer who pays or cancels in an outdated tab sees what became of the payment', async () => {
    const checkout = await open()
    const [second, third] = [await otherTab(checkout), await otherTab(checkout)]
    await typeCard(cards.frictionless)
    await pay()
    await page.getByRole('heading', { name: 'Payment made' }).waitFor()
    await expect.poll(() => page.getByText('Your last answer').count()).toBe(0)

    await second.locator('input[name=number]').fill(cards.frictionless.number)
    await second.locator('input[name=expiry]').fill('12 / 30')
    await second.locator('input[name=vcode]').fill('123')
    await second.locator('input[name=name]').fill('Ana Silva')
    await second.locator('form[action*="/card"] button[type=submit]').click()
    await second.getByText('the payment had already been made. You were charged only once.').waitFor()
    await expectNoViolations(second)
    await third.getByRole('button', { name: /cancel/i }).click()
    await third.getByText('the payment had already been made. You were charged only once.').waitFor()
  })

  it('a customer who answers the bank in an outdated tab is informed', async () => {
    const checkout = await open()
    const second = await otherTab(checkout)
    await typeCard(cards.challenge)
    await pay()
    await page.waitForURL(/\/sandbox\/issuer\/challenge/)
    await second.locator('input[name=number]').fill(cards.frictionless.number)
    await second.locator('input[name=expiry]').fill('12 / 30')
    await second.locator('input[name=vcode]').fill('123')
    await second.locator('input[name=name]').fill('Ana Silva')
    await second.locator('form[action*="/card"] button[type=submit]').click()
    await second.getByRole('heading', { name: 'Payment made' }).waitFor()
    await answerChallenge('0101')
    await page.getByText('the payment had already been made. You were charged only once.').waitFor()
  })
})

describe('the page itself', () => {
  it('speaks Portuguese to Portuguese browsers, English to others, and one language of the merchant to all', async () => {
    await context.close()
    await newContext({ locale: 'pt-BR' })
    await open()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('pt-PT')
    await page.getByRole('button', { name: /Pagar/ }).waitFor()
    await open('?lang=en')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toMatch(/^en/)
    await context.close()
    await newContext({ locale: 'de-DE' })
    await open()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toMatch(/^en/)
    await page.getByRole('button', { name: /Pay €10.00/ }).waitFor()
    await open('?locale=pt_PT')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('pt-PT')
  })

  it('says that it has expired', async () => {
    const checkout = await createCheckout()
    await world.advance('P2D')
    await page.goto(checkout.url_redirect)
    await page
      .getByText(/time to pay is over/i)
      .first()
      .waitFor()
    await expectNoViolations(page)
    await expect.poll(() => page.locator('input[name=number]').count()).toBe(0)
    await page.locator(`a[href*="checkoutid=${checkout.id}"]`).click()
    await page.waitForURL(atShop('/no', checkout))
  })

  it('does not exist for an unknown id', async () => {
    const answer = await page.goto(`${world.baseUrl}/checkout/0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b`)
    expect(answer?.status()).toBe(404)
    await expectNoViolations(page)
  })

  it('is served with a strict policy and is not kept', async () => {
    const checkout = await createCheckout()
    const answer = await page.goto(checkout.url_redirect)
    const headers = answer?.headers() ?? {}
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('no-store')
  })
})
