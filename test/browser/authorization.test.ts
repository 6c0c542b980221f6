// Authorizations in a real browser: accepted, released, captured, lapsed.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { authorizing } from '../authorizing.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type TestCard, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { backToShop } from './back-to-shop.ts'
import { openBrowser } from './browser.ts'

let world: World
let browser: Browser
let context: BrowserContext
let page: Page
const { capture, release, read } = authorizing(() => world)

beforeAll(async () => {
  world = await openWorld()
  browser = await openBrowser()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await world.stop()
})
afterEach(() => context.close())

async function open(locale: string, amount: number): Promise<Json> {
  context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } })
  page = await context.newPage()
  const checkout = await world.createCheckout({
    payment: undefined,
    authorization: { amount, currency: 'EUR', items: [{ name: 'Room 12', qt: 1 }] },
    url_confirm: world.receiver.url('/shop/ok'),
    url_cancel: world.receiver.url('/shop/no'),
  })
  await page.goto(checkout.url_redirect)
  return checkout
}

async function reserve({ number }: TestCard): Promise<void> {
  await page.locator('input[name=number]').pressSequentially(number)
  await page.locator('input[name=expiry]').pressSequentially('1230')
  await page.locator('input[name=vcode]').fill('123')
  await page.locator('input[name=name]').fill('Ana Silva')
  await page.locator('form[action*="/card"] button[type=submit]').click()
}

const wordsOfPaying = /\bpay(ment)?\b|\bpag(ar|ue|amento)\b/i

async function expectWordsOfReserving(): Promise<void> {
  expect(await page.locator('main').textContent()).not.toMatch(wordsOfPaying)
  expect(await page.title()).not.toMatch(wordsOfPaying)
  await expectNoViolations(page)
}

it.each([
  ['en-GB', 'Reserve €48.00', 'Your bank declined the reservation', 'Amount reserved'],
  ['pt-PT', 'Reservar 48,00 €', 'O banco recusou a reserva', 'Valor reservado'],
])('in %s the page reserves, and never speaks of paying', async (locale, button, declined, reserved) => {
  const checkout = await open(locale, 48)
  const submit = page.locator('form[action*="/card"] button[type=submit]')
  expect((await submit.textContent())?.replaceAll('\u00a0', ' ')).toBe(button)
  await expectWordsOfReserving()
  await reserve(cards.declined)
  await page.getByRole('heading', { name: declined }).waitFor()
  await expectWordsOfReserving()
  await reserve(cards.frictionless)
  await backToShop(page, `${world.receiver.origin}/shop/ok?checkoutid=${checkout.id}`)
  await page.goto(checkout.url_redirect)
  await page.getByRole('heading', { name: reserved }).waitFor()
  await expectWordsOfReserving()
})

it('accepted in the browser, released in part, captured in three parts, and lapsed after a month', async () => {
  const checkout = await open('pt-PT', 60)
  await reserve(cards.challenge)
  await page.locator('input[name=otp]').fill('0101')
  await page.locator('form:has(input[name=otp]) button[type=submit]').first().click()
  await backToShop(page, `${world.receiver.origin}/shop/ok?checkoutid=${checkout.id}`)
  const { id } = checkout.authorization
  expect((await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body.authorization.status).toBe(
    'COMPLETED',
  )

  expect(await release(id, { amount: 10 })).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
  for (const amount of [5, 7.5, 12.5])
    expect(await capture(id, { amount })).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED', amount },
    })
  expect(await capture(id, { amount: 25.01 })).toMatchObject({ status: 409, body: { code: 40015 } })
  for (let n = 4; n <= 10; n++) expect((await capture(id, { amount: 1 })).status).toBe(200)
  expect(await capture(id, { amount: 1 })).toMatchObject({ status: 409, body: { code: 40019 } })

  const other = await open('en-GB', 30)
  await reserve(cards.frictionless)
  await backToShop(page, `${world.receiver.origin}/shop/ok?checkoutid=${other.id}`)
  const { id: lapsing } = other.authorization
  expect((await capture(lapsing, { amount: 12 })).status).toBe(200)
  await world.advance('P32D')
  expect(await capture(lapsing)).toMatchObject({ status: 409, body: { code: 10013 } })
  expect(await read(lapsing)).toMatchObject({ status: 'COMPLETED', releases: [], captures: [{ amount: 12 }] })
})
