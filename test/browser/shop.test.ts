// Demo shop in a real browser, and a shop of another origin.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stepsOf } from '../docs/blocks.ts'
import { freePort } from '../free-port.ts'
import { cards, startWorld, type TestCard, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { backToShop } from './back-to-shop.ts'
import { openBrowser } from './browser.ts'
import { type PayingShop, startPayingShop } from './paying-shop.ts'
import { holder, type ShopVisitor, vcode, visitShop } from './shop-visitor.ts'

let world: World
let browser: Browser
let visitor: ShopVisitor
let page: Page

beforeAll(async () => {
  world = await startWorld()
  await setCallbackUrl('')
  browser = await openBrowser()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await world.stop()
})
beforeEach(() => visit())
afterEach(() => visitor.leave())

async function visit(options: Parameters<typeof visitShop>[2] = {}): Promise<void> {
  visitor = await visitShop(world, browser, options)
  page = visitor.page
}

async function setCallbackUrl(url: string): Promise<void> {
  await world.request(`/sandbox/api/merchants/${world.shop.wallet_id}/callback-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callback_url: url }),
  })
}

const open = (query = '') => page.goto(`${world.baseUrl}/sandbox/shop${query}`)
const button = (path: string) => page.locator(`button[formaction$="/shop/${path}"]`)
const payHosted = () => page.locator('form[data-shop] button:not([formaction])').click()
const backAtShop = () => backToShop(page, /\/sandbox\/shop\?.*order=/)
const seesNotice = (text: string) => visitor.seesNotice(text)
const timeline = () => visitor.timeline()
const seen = (...words: string[]) => visitor.seen(...words)

async function typeCard({ number }: TestCard): Promise<void> {
  const fields = page.frameLocator('iframe')
  await fields.locator('input[name=number]').pressSequentially(number)
  await fields.locator('input[name=expiry]').pressSequentially('1230')
  await fields.locator('input[name=vcode]').fill(vcode)
  await fields.locator('input[name=name]').fill(holder)
}

async function answerChallenge({ otp = '' }: TestCard): Promise<void> {
  await page.locator('input[name=otp]').fill(otp)
  await page.locator('form:has(input[name=otp]) button[type=submit]').first().click()
}

/** The page's payment, read from the gateway. */
async function operationOfOrder() {
  const reference = new URL(page.url()).searchParams.get('order')
  const { body } = await world.shop.get(`/api/v2/operations?ext_invoiceid=${reference}`)
  expect(body.total).toBe(1)
  return body.elements[0]
}

describe('the demo shop', () => {
  it('is paid on the hosted checkout, and shows its calls', async () => {
    await page.goto(`${world.baseUrl}/sandbox`)
    await page.locator('main').getByText('Demo shop').click()
    await page.waitForURL(/\/sandbox\/shop\?session=/)
    await expectNoViolations(page)
    await page.locator('input[name=mug]').fill('2')
    await payHosted()
    await page.waitForURL(/\/checkout\//)
    await visitor.typeOnCheckout(cards.frictionless)
    await seesNotice('Paid, thank you')
    expect(await operationOfOrder()).toMatchObject({ status: 'COMPLETED', amount: 36.9, type: 'PAYMENT' })
    await seen('POST /api/v2/checkout', '200')
    await seen('GET /api/v2/checkout/', '200')
    await seen('PAYMENT COMPLETED', 'genuine')
    await expectNoViolations(page)
    // A second callback may follow.
    const before = await timeline()
    await page.reload()
    await expect.poll(timeline).toEqual(expect.arrayContaining(before))
    await expect
      .poll(() => page.locator('[data-orders]').textContent())
      .toMatch(/SHOP-\w{8}[\s\S]*€36\.90[\s\S]*Done/)
  })

  it('is paid with secure fields and a challenge, then by the stored card’s token', async () => {
    await open()
    await typeCard(cards.challenge)
    await button('payments').click()
    await page.waitForURL(/\/sandbox\/issuer\/challenge/)
    await answerChallenge(cards.challenge)
    await seesNotice('Paid, thank you')
    expect(await operationOfOrder()).toMatchObject({ status: 'COMPLETED', card: { last4: '0092' } })
    await seen('PAYMENT COMPLETED', 'genuine')

    await typeCard(cards.frictionlessMastercard)
    await button('cards').click()
    await seesNotice('The card is stored')
    await page.getByText('Mastercard •••• 0368').waitFor()
    await seen('POST /prows/v2/creditcard', '200')
    await seen('ADD_CARD COMPLETED', 'genuine')

    await button('payments-by-token').click()
    await page.waitForURL(/order=SHOP-/)
    await seesNotice('Paid, thank you')
    expect(await operationOfOrder()).toMatchObject({ status: 'COMPLETED', card: { last4: '0368' } })
    await expectNoViolations(page)

    await button('cards/forget').click()
    await seen('DELETE /prows/v2/creditcard/', '200')
    await expect.poll(() => button('payments-by-token').count()).toBe(0)
    // A stored card shows its holder, and never its number.
    const html = await page.content()
    for (const secret of [cards.challenge.number, cards.frictionlessMastercard.number]) {
      expect(html).not.toContain(secret)
    }
  })

  it('shows a decline, and card errors before submission', async () => {
    await open()
    await button('payments').click()
    await page.frameLocator('iframe').locator('#number-error').waitFor()
    expect(await timeline()).toEqual([])
    await typeCard(cards.insufficientFunds)
    await button('payments').click()
    await seesNotice('Not paid')
    await expect.poll(operationOfOrder).toMatchObject({ status: 'FAIL' })
  })

  it('shows a callback as it happens, and does not believe a forged one', async () => {
    await open()
    await typeCard(cards.silentThenApproved)
    await button('payments').click()
    await page.waitForURL(/\/secure\//)
    const reference = await world.eventually(async () => {
      const { elements } = (await world.shop.get('/api/v2/operations?limit=1')).body
      return elements[0]?.status === 'PENDING' && elements[0].ext_invoiceid
    })
    const { elements } = (await world.shop.get(`/api/v2/operations?ext_invoiceid=${reference}`)).body
    const back = new URL(elements[0].cardsecure_url_confirm)
    const watching = await visitor.context.newPage()
    await watching.goto(`${world.baseUrl}/sandbox/shop?${back.searchParams}`)
    const watched = () => watching.locator('[data-timeline] > li').allInnerTexts()

    const forged = await world.request('/sandbox/shop/callbacks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'PAYMENT',
        event: 'COMPLETED',
        ext_invoiceid: reference,
        x: '<b id=evil>',
      }),
    })
    expect(forged.status).toBe(400)
    await expect.poll(watched).toContainEqual(expect.stringMatching(/PAYMENT COMPLETED[\s\S]*forged/))
    expect(await watching.locator('#evil').count()).toBe(0)
    await expect.poll(() => watching.locator('[data-notice]').textContent()).toContain('has started')

    await world.advance('PT1M')
    await expect.poll(watched).toContainEqual(expect.stringMatching(/PAYMENT COMPLETED[\s\S]*genuine/))
    await expect.poll(() => watching.locator('[data-notice]').textContent()).toContain('Paid, thank you')
  })

  it('works without JavaScript, in Portuguese and on 320 pixels', async () => {
    await visitor.leave()
    await visit({ javaScriptEnabled: false, locale: 'pt-PT', viewport: { width: 320, height: 700 } })
    await open()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('pt')
    await expect.poll(() => page.locator('body').textContent()).toContain('precisam de JavaScript')
    await payHosted()
    await page.waitForURL(/\/checkout\//)
    await visitor.typeOnCheckout(cards.frictionless)
    for (let step = 0; step < 4 && !page.url().includes('/sandbox/shop'); step++) {
      await page.locator('main button[type=submit], main a[href*="/sandbox/shop/return"]').last().click()
    }
    await seesNotice('Pago, obrigado')
    const overflow = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    await visitor.leave()
    await visit({ locale: 'pt-PT', viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
    await open()
    await page.frameLocator('iframe').locator('form').waitFor()
    expect(await page.evaluate(overflow)).toBe(false)
    await expectNoViolations(page)
  })

  it('is served under a strict policy', async () => {
    const policy = (await open())?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src 'self' ${world.baseUrl};`)
    expect(policy).toContain(`frame-src ${world.baseUrl};`)
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  it('leaves a callback address that was set, and says where callbacks go', async () => {
    await setCallbackUrl(world.receiver.url('/mine'))
    try {
      await open()
      await expect.poll(() => page.locator('main').textContent()).toContain(world.receiver.url('/mine'))
      await payHosted()
      await page.waitForURL(/\/checkout\//)
      await visitor.typeOnCheckout(cards.frictionless)
      await backAtShop()
      await world.receiver.waitFor('/mine', 1)
    } finally {
      await setCallbackUrl('')
    }
  })
})

it('shows the same timeline from whichever of several processes serves the page', async () => {
  const several = await startWorld('postgres', { WORKERS: '3' })
  try {
    const first = await fetch(`${several.baseUrl}/sandbox/shop`, { redirect: 'manual' })
    const url = first.headers.get('location') ?? ''
    const session = new URL(url).searchParams.get('session') ?? ''
    const form = new URLSearchParams({ session, lang: 'en', tshirt: '1', mug: '0' })
    const paid = await fetch(`${several.baseUrl}/sandbox/shop/checkouts`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    expect(paid.headers.get('location')).toContain('/checkout/')
    // Separate connections reach different processes.
    const pages = () =>
      Promise.all(
        Array.from({ length: 6 }, async () =>
          (await fetch(url, { headers: { connection: 'close' } })).text(),
        ),
      )
    await several.eventually(async () => {
      const shown = await pages()
      return shown.every((html) => html.includes('POST /api/v2/checkout') && html.includes('SHOP-'))
    })
  } finally {
    await several.stop()
  }
})

describe('a shop on another origin, with secure form fields', () => {
  let shop: PayingShop
  beforeAll(async () => {
    shop = await startPayingShop(world)
  })
  afterAll(() => shop.close())

  it('is paid, stores the card, is paid again by token, and never sees the card', async () => {
    await page.goto(shop.origin)
    await typeCard(cards.challenge)
    await page.locator('#pay').click()
    await page.waitForURL(/\/sandbox\/issuer\/challenge/)
    await answerChallenge(cards.challenge)
    await page.waitForURL(`${shop.origin}/thanks`)
    expect(await world.operation(shop.paid[0] ?? '')).toMatchObject({ status: 'COMPLETED', amount: 12.5 })

    await page.goto(shop.origin)
    await typeCard(cards.frictionless)
    await page.locator('#store').click()
    await page.waitForURL(`${shop.origin}/thanks`)
    await page.goto(shop.origin)
    await page.locator('#again').click()
    await page.getByText('COMPLETED').waitFor()
    expect(await world.operation(shop.paid[1] ?? '')).toMatchObject({
      status: 'COMPLETED',
      card: { last4: '0027' },
    })

    const traffic = shop.traffic()
    expect(traffic).toContain('newCardSecure')
    expect(traffic).toContain('POST /callbacks')
    for (const { number } of [cards.challenge, cards.frictionless]) {
      const groups = number.match(/\d{4}/g) ?? []
      for (const separator of ['', ' ', '-', '+', '%20'])
        expect(traffic).not.toContain(groups.join(separator))
      expect(traffic).not.toContain(Buffer.from(number).toString('base64').slice(0, 20))
    }
    for (const secret of [holder, encodeURIComponent(holder), holder.replace(' ', '+'), `"${vcode}"`]) {
      expect(traffic).not.toContain(secret)
    }
  })

  it('is the program of docs/secure-fields.md, started as the guide says', async () => {
    const program = stepsOf('secure-fields').find((step) => step.kind === 'block' && step.file === 'shop.mjs')
    const folder = mkdtempSync(join(tmpdir(), 'comporta-guide-'))
    writeFileSync(join(folder, 'shop.mjs'), program?.kind === 'block' ? program.text : '')
    const { api_key, esb_token, public_id } = world.shop
    const port = String(await freePort())
    const child = spawn(process.execPath, ['shop.mjs'], {
      cwd: folder,
      env: {
        COMPORTA_URL: world.baseUrl,
        COMPORTA_API_KEY: api_key,
        COMPORTA_ESB_TOKEN: esb_token,
        COMPORTA_PUBLIC_ID: public_id,
        PORT: port,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [said] = await once(child.stdout, 'data')
      expect(String(said)).toBe(`open http://localhost:${port}\n`)
      for (const card of [cards.frictionless, cards.challenge]) {
        await page.goto(`http://localhost:${port}`)
        await typeCard(card)
        await page.locator('#order button').click()
        if (card === cards.challenge) {
          await page.waitForURL(/\/sandbox\/issuer\/challenge/)
          await answerChallenge(card)
        }
        await page.getByText(/^Order ORDER-\w+: COMPLETED$/).waitFor()
      }
    } finally {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
