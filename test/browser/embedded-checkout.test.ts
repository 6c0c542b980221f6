// The checkout in a page of the shop, in a real browser that blocks third-party cookies.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Frame, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stepsOf } from '../docs/blocks.ts'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type TestCard, type World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'
import { type EmbeddingSite, startEmbeddingSite } from './embedding-shop.ts'

let world: World
let site: EmbeddingSite
let stranger: EmbeddingSite
let integrity: string
let browser: Browser
let context: BrowserContext
let page: Page
let frame: FrameLocator
let complaints: string[]

const scriptPath = '/embed/v1/checkout.js'

beforeAll(async () => {
  world = await openWorld()
  site = await startEmbeddingSite(world.baseUrl)
  stranger = await startEmbeddingSite(world.baseUrl)
  await allow(site.origin)
  const { text } = await world.request(scriptPath)
  integrity = `sha384-${createHash('sha384').update(text).digest('base64')}`
  browser = await openBrowser()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await browser.close()
  await site.close()
  await stranger.close()
  await world.stop()
})

beforeEach(() => newContext())
afterEach(() => context.close())

async function allow(origins: string): Promise<void> {
  const { code } = await world.cli(
    'merchant',
    'set',
    String(world.shop.wallet_id),
    '--embed-origins',
    origins,
  )
  expect(code).toBe(0)
}

async function newContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 }, ...options })
  page = await context.newPage()
  await blockThirdPartyCookies(page)
  frame = page.frameLocator('iframe')
  complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
}

/** This Chromium wants all three. */
const cookieControls = {
  enableThirdPartyCookieRestriction: true,
  disableThirdPartyCookieMetadata: true,
  disableThirdPartyCookieHeuristics: true,
}

async function blockThirdPartyCookies(page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCookieControls', cookieControls)
}

function createCheckout(change: Record<string, unknown> = {}): Promise<Json> {
  const [url_confirm, url_cancel] = [`${site.origin}/ok`, `${site.origin}/no`]
  return world.createCheckout({ url_confirm, url_cancel, ...change })
}

interface Shown {
  readonly lang?: string
  readonly attributes?: string
  readonly on?: EmbeddingSite
  readonly url?: string
}

/** Opens the shop's page with a link to the checkout. */
async function openShop(checkout: Json, { lang = 'en', attributes = '', on = site, url }: Shown = {}) {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title>`
  const scripts = `<script src="${world.baseUrl}${scriptPath}" integrity="${integrity}" crossorigin="anonymous"></script>
<script src="/shop.js"></script>`
  const link = `<a id="pay" data-comporta${attributes} href="${url ?? checkout.url_redirect}">Pay 10 €</a>`
  const main = `<main><h1>Order</h1><p>${link}</p><div id="place"></div></main>`
  await page.goto(
    on.page(`<!doctype html><html lang="${lang}"><head>${head}${scripts}</head><body>${main}</body></html>`),
  )
}

const events = (): Promise<string[]> => page.evaluate('events.map(([, type]) => type)')
/** Without the sizes, whose number depends on the fonts. */
const steps = async () => (await events()).filter((type) => type !== 'resize')
const dialog = () => page.getByRole('dialog')
const inFrame = (name: string) => frame.getByRole('heading', { name })

async function openModal(checkout: Json, shown?: Shown): Promise<void> {
  await openShop(checkout, shown)
  await page.locator('#pay').click()
  await frame.locator('h1').first().waitFor()
}

async function typeCard({ number }: TestCard): Promise<void> {
  await frame.locator('input[name=number]').pressSequentially(number)
  await frame.locator('input[name=expiry]').pressSequentially('1230')
  await frame.locator('input[name=vcode]').fill('123')
  await frame.locator('input[name=name]').fill('Ana Silva')
}

/** A screen reader reads the frame as a document of its own. */
const twoMains = ['landmark-unique']

const payByCard = () => frame.locator('form[action*="/card"] button[type=submit]').click()
/** The bank's page is in the whole window. */
async function answerBank(): Promise<void> {
  const otp = page.locator('input[name=otp]')
  await otp.waitFor()
  expect(page.url()).toMatch(/\/sandbox\/issuer\//)
  await otp.fill(cards.challenge.otp)
  await page.locator('form:has(input[name=otp]) button[type=submit]').first().click()
}

const statusOf = async ({ payment }: Json) => (await world.operation(payment.id)).status
const atShop = (path: string, checkout: Json) => `${site.origin}${path}?checkoutid=${checkout.id}`

let looks = 0
/** Screenshots: `SCREENSHOTS=<folder>`. */
async function look(): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${String(++looks).padStart(2, '0')}.png` })
}

it('is tried in a browser that sends no cookie to a frame of another site', async () => {
  const other = site.origin.replace('localhost', '127.0.0.1')
  const sent = () => page.frames().at(-1)?.locator('h1').textContent()
  const inFrameOf = site.page(`<!doctype html><iframe src="${other}/cookie"></iframe>`)
  for (const [address, expected] of [
    [`${other}/cookie`, 'none'],
    [`${other}/cookie`, 'third=1'],
    [inFrameOf, 'none'],
    [inFrameOf, 'none'],
  ] as const) {
    await page.goto(address)
    expect(await sent()).toBe(expected)
  }
})

describe('in a modal', () => {
  it('is paid by keyboard, without a cookie, and leads back to the shop', async () => {
    const checkout = await createCheckout()
    await openShop(checkout)
    await page.locator('#pay').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => steps()).toEqual(['ready'])
    await expect.poll(() => dialog().isVisible()).toBe(true)
    expect(await dialog().getAttribute('aria-modal')).toBe('true')
    await page.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor()
    await look()
    await typeCard(cards.frictionless)
    await frame.locator('input[name=name]').press('Enter')
    await inFrame('Payment made').waitFor()
    await look()
    expect(await context.cookies(world.baseUrl)).toEqual([])
    await page.waitForURL(atShop('/ok', checkout))
    expect(await statusOf(checkout)).toBe('COMPLETED')
    expect(complaints).toEqual([])
  })

  it('stays with its receipt if the shop wants so, closes by Escape, and gives the focus back', async () => {
    const checkout = await createCheckout()
    await openModal(checkout, { attributes: ' data-comporta-redirect="off"' })
    expect(await page.locator('html').evaluate((html) => html.style.overflow)).toBe('hidden')
    await typeCard(cards.frictionless)
    await payByCard()
    await inFrame('Payment made').waitFor()
    await expect.poll(() => steps()).toEqual(['ready', 'completed'])
    await frame.locator('body').press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await steps()).toEqual(['ready', 'completed', 'closed'])
    expect(await page.evaluate('document.activeElement.id')).toBe('pay')
    expect(await page.locator('html').evaluate((html) => html.style.overflow)).toBe('')
    expect(page.url()).toContain('/page?')
  })

  it('stays although pictures of its page load slowly', async () => {
    await page.clock.install()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await context.route('**/slow.png', async (route) => {
      await released
      await route.fulfill({ contentType: 'image/png', body: '' })
    })
    await context.route('**/checkout/*', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('</body>', '<img src="/slow.png" alt=""></body>')
      await route.fulfill({ response, body })
    })
    await openModal(await createCheckout())
    await expect.poll(() => steps()).toEqual(['ready'])
    await page.locator('iframe').evaluate((element) => {
      const { body } = element.ownerDocument
      element.addEventListener('load', () => body.setAttribute('data-loaded', ''))
    })
    release()
    await page.locator('body[data-loaded]').waitFor()
    await page.clock.runFor(10_000)
    expect(await steps()).toEqual(['ready'])
    expect(await dialog().isVisible()).toBe(true)
    complaints = []
  })

  it('closes by its button and by Escape outside the frame, and the checkout stays open', async () => {
    const checkout = await createCheckout()
    await openModal(checkout)
    await page.getByRole('button', { name: 'Close' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.locator('#pay').click()
    await frame.locator('h1').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await steps()).toEqual(['ready', 'closed', 'ready', 'closed'])
    expect(await statusOf(checkout)).toBe('NEW')
  })

  it('leaves the frame for the bank and comes back to the shop', async () => {
    const checkout = await createCheckout()
    await openModal(checkout)
    await typeCard(cards.challenge)
    await payByCard()
    await answerBank()
    await page.waitForURL(atShop('/ok', checkout))
    expect(await statusOf(checkout)).toBe('COMPLETED')
  })

  it('shows the shop after Back from the bank, and can be opened again', async () => {
    const checkout = await createCheckout()
    await openModal(checkout)
    await typeCard(cards.challenge)
    await payByCard()
    await page.locator('input[name=otp]').waitFor()
    while (!page.url().startsWith(site.origin)) await page.goBack()
    expect(await dialog().count()).toBe(0)
    await page.locator('#pay').click()
    await frame.locator('input[name=number]').waitFor()
  })

  it('leaves the frame for a provider and comes back', async () => {
    const checkout = await createCheckout()
    await openModal(checkout)
    await frame.locator('#method-paypal').check()
    await frame.locator('form[action*="/paypal"] [data-submit]').click()
    await page.getByRole('heading', { name: 'Log in to your account' }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Pay €10.00' }).click()
    await page.waitForURL(atShop('/ok', checkout))
    expect(await statusOf(checkout)).toBe('COMPLETED')
  })

  it('shows a declined card in the frame, and takes another', async () => {
    const checkout = await createCheckout()
    await openModal(checkout)
    await typeCard(cards.declined)
    await payByCard()
    await frame.getByRole('alert').waitFor()
    await typeCard(cards.frictionless)
    await payByCard()
    await page.waitForURL(atShop('/ok', checkout))
  })

  it('tells the shop that the customer cancelled, and opens no shop in the frame', async () => {
    const checkout = await createCheckout()
    await openModal(checkout)
    await frame.locator('form.cancel button').click()
    await expect.poll(() => steps()).toEqual(['ready', 'canceled'])
    await frame.getByRole('link', { name: 'Back to the shop' }).click()
    await page.waitForURL(atShop('/no', checkout))
    expect(await statusOf(checkout)).toBe('FAIL')
  })

  it('shows a payment link', async () => {
    const { body } = await world.shop.post('/api/v2/payment_links', { description: 'Lamp', amount: 10 })
    await openModal(body, { url: body.url, attributes: ' data-comporta-redirect="off"' })
    await frame.locator('form button[type=submit]').first().click()
    await typeCard(cards.frictionless)
    await payByCard()
    await expect.poll(() => steps()).toEqual(['ready', 'completed'])
  })

  it.each([
    ['pt', 390, 'light', 'Pagamento seguro', 'Fechar'],
    ['en', 390, 'dark', 'Secure payment', 'Close'],
    ['pt', 1280, 'dark', 'Pagamento seguro', 'Fechar'],
  ] as const)(
    'in %s at %i px, %s: is accessible and fits',
    async (lang, width, colorScheme, title, close) => {
      await context.close()
      await newContext({ viewport: { width, height: 844 }, colorScheme })
      await openModal(await createCheckout(), { lang })
      expect(await dialog().getAttribute('lang')).toMatch(new RegExp(`^${lang}`))
      await page.getByRole('dialog', { name: title }).waitFor()
      await page.getByRole('button', { name: close }).waitFor()
      expect(await frame.locator('html').getAttribute('lang')).toMatch(new RegExp(`^${lang}`))
      await expectNoViolations(page, twoMains)
      for (const root of [page.locator('html'), frame.locator('html')])
        expect(await root.evaluate((html) => html.scrollWidth - html.clientWidth)).toBeLessThanOrEqual(0)
      const box = await page.locator('iframe').boundingBox()
      if (width === 390) expect(box).toMatchObject({ x: 0, width: 390 })
      else expect(box?.width).toBe(560)
      await look()
    },
  )
})

describe('in an element', () => {
  it('has the height of its page, and says that a reference waits for its payment', async () => {
    const checkout = await createCheckout()
    await openModal(checkout, { attributes: '="#place"' })
    expect(await page.locator('#place > iframe').count()).toBe(1)
    await frame.locator('#method-mb').check()
    await frame.locator('form[action*="/mb?"] [data-submit]').click()
    await frame.locator('.reference').waitFor()
    await expect.poll(() => steps()).toEqual(['ready', 'pending'])
    const heightOf = async () => (await page.locator('iframe').boundingBox())?.height
    const content = () =>
      frame.locator('body').evaluate((body) => Math.ceil(body.getBoundingClientRect().height))
    await expect.poll(async () => (await heightOf()) === (await content())).toBe(true)
    await look()
    await expectNoViolations(page, twoMains)
  })
})

it('is the program of docs/embedded-checkout.md, started as the guide says', async () => {
  const program = stepsOf('embedded-checkout').find(
    (step) => step.kind === 'block' && step.file === 'shop.mjs',
  )
  const folder = mkdtempSync(join(tmpdir(), 'comporta-guide-'))
  writeFileSync(join(folder, 'shop.mjs'), program?.kind === 'block' ? program.text : '')
  const port = String(await freePort())
  const child = spawn(process.execPath, ['shop.mjs'], {
    cwd: folder,
    env: { COMPORTA_URL: world.baseUrl, COMPORTA_API_KEY: world.shop.api_key, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await allow(`${site.origin},http://localhost:${port}`)
    const [said] = await once(child.stdout, 'data')
    expect(String(said)).toBe(`open http://localhost:${port}\n`)
    for (const card of [cards.frictionless, cards.challenge]) {
      await page.goto(`http://localhost:${port}`)
      await page.getByRole('link', { name: 'Pay 10 €' }).click()
      await typeCard(card)
      await payByCard()
      if (card === cards.challenge) await answerBank()
      await page.getByText(/^Order ORDER-\w+: COMPLETED$/).waitFor()
    }
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
    await allow(site.origin)
  }
})

describe('a page', () => {
  it('without JavaScript follows the link', async () => {
    await context.close()
    await newContext({ javaScriptEnabled: false })
    const checkout = await createCheckout()
    await openShop(checkout)
    await page.locator('#pay').click()
    await page.waitForURL(`${checkout.url_redirect}*`)
  })

  it('that is not on the list cannot show the checkout, and its link opens it in the window', async () => {
    const checkout = await createCheckout()
    await page.goto(stranger.page(`<!doctype html><iframe src="${checkout.url_redirect}"></iframe>`))
    await expectRefused()
    await openShop(checkout, { on: stranger })
    await page.locator('#pay').click()
    await page.waitForURL(`${checkout.url_redirect}?lang=en`)
    await page.locator('input[name=number]').waitFor()
  })

  it('that is on the list shows nothing inside a page that is not', async () => {
    const checkout = await createCheckout()
    const shop = site.page(`<!doctype html><iframe src="${checkout.url_redirect}"></iframe>`)
    await page.goto(shop)
    await frame.locator('input[name=number]').waitFor()
    await page.goto(stranger.page(`<!doctype html><iframe src="${shop}"></iframe>`))
    const inner = page.frames().find((one) => one.url() === shop)
    await expect.poll(() => inner?.childFrames()[0]?.url()).toMatch(/^chrome-error:/)
  })

  it('opens no other host in its modal', async () => {
    const checkout = await createCheckout()
    const url = `${stranger.origin}/fake`
    await openShop(checkout, { url })
    await expect(page.evaluate(`Comporta.open({ url: '${url}' })`)).rejects.toThrow(
      /url must be an address of/,
    )
    await expect(page.evaluate(`Comporta.open({ url: 'javascript:alert(1)' })`)).rejects.toThrow(
      /url must be/,
    )
    await page.locator('#pay').click()
    await page.waitForURL(url)
  })
})

async function expectRefused(): Promise<void> {
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
}

describe('a forged message', () => {
  const hello = 'comporta-checkout-hello'
  const greeting = 'comporta-checkout-greeting'

  async function addFrame(url: string): Promise<Frame> {
    await page.evaluate(`new Promise((resolve) => {
      const added = document.createElement('iframe')
      added.id = 'added'
      added.src = '${url}'
      added.onload = resolve
      document.body.append(added)
    })`)
    const [added] = page.frames().filter((one) => one.url() === url)
    if (added === undefined) throw new Error(`there is no frame of ${url}`)
    return added
  }

  const forgedEvents = () =>
    JSON.stringify([hello, { event: 'completed' }, { leave: `${stranger.origin}/stolen` }, { close: true }])

  /** Sends all to the shop, which answers only the checkout, and returns the answers. */
  async function answersTo(forger: Frame, frameOfForger: string): Promise<unknown> {
    await forger.evaluate(`{
      globalThis.got = []
      addEventListener('message', ({ data }) => got.push(data))
      for (const message of [...${forgedEvents()}, 'seen']) parent.postMessage(message, '*')
    }`)
    await expect.poll(() => page.evaluate(`events.some(([one]) => one === 'seen')`)).toBe(true)
    await page.evaluate(`${frameOfForger}.contentWindow.postMessage('last', '*')`)
    await expect.poll(() => forger.evaluate('got.at(-1)')).toBe('last')
    return forger.evaluate('got')
  }

  async function expectUnmoved(): Promise<void> {
    expect((await steps()).filter((type) => type !== undefined)).toEqual(['ready'])
    expect(await dialog().isVisible()).toBe(true)
    expect(page.url()).toContain(site.origin)
  }

  it('of another frame is no event of the checkout and moves nobody', async () => {
    await openModal(await createCheckout())
    // The second has the same origin as the checkout.
    for (const url of [`${stranger.origin}/forger`, (await createCheckout()).url_redirect]) {
      const forger = await addFrame(url)
      expect(await answersTo(forger, `document.querySelector('#added')`)).toEqual(['last'])
      await page.evaluate(`document.querySelector('#added').remove()`)
    }
    await expectUnmoved()
    // The script still hears the checkout.
    await frame.locator('body').press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('of another site in the frame of the checkout gets no answer', async () => {
    await openModal(await createCheckout())
    const own = `document.querySelector('.comporta-checkout').shadowRoot.querySelector('iframe')`
    const url = `${stranger.origin}/forger`
    // The script opens the checkout in the window after a while. The test says when.
    await page.evaluate(`{
      globalThis.setTimeout = (run) => { globalThis.later = run }
      globalThis.clearTimeout = () => { globalThis.later = undefined }
      ${own}.src = '${url}'
    }`)
    await expect.poll(() => page.evaluate('typeof later')).toBe('function')
    const found = () => page.frames().find((one) => one.url() === url)
    await expect
      .poll(() =>
        found()
          ?.evaluate('document.readyState')
          .catch(() => ''),
      )
      .toBe('complete')
    expect(await answersTo(found() as Frame, own)).toEqual(['last'])
    await page.evaluate('later()')
    await page.waitForURL(`${world.baseUrl}/checkout/**`)
  })

  const greet = (target: string) => `new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    ${target}.postMessage({ type: '${greeting}', forwards: true }, '*', [port2])
  })`

  /** The page in the frame takes one greeting, so a forged one that it took would leave the shop without answer. */
  async function forgeGreeting(checkout: Frame, forge: () => Promise<unknown>): Promise<void> {
    await checkout.evaluate(`{
      globalThis.greetings = 0
      addEventListener('message', ({ data }) => { if (data.type === '${greeting}') greetings++ })
    }`)
    await forge()
    await expect.poll(() => checkout.evaluate('greetings')).toBe(1)
  }

  it('to the frame is answered only if it is of the page around it', async () => {
    const { url_redirect } = await createCheckout()
    await page.goto(site.page(`<!doctype html><body><iframe src="${url_redirect}"></iframe>`))
    await frame.locator('input[name=number]').waitFor()
    const checkout = page.frames()[1] as Frame
    // The origin of the forger is on the list.
    const forger = await addFrame(`${site.origin}/forger`)
    await forgeGreeting(checkout, () => forger.evaluate(`void ${greet('parent.frames[0]')}`))
    expect(await page.evaluate(greet('frames[0]'))).toEqual({ event: 'ready' })
  })

  it('to the frame is answered only if it is from an origin on the list', async () => {
    const { url_redirect } = await createCheckout()
    // A browser without frame-ancestors would show the page.
    await page.route(`${url_redirect}*`, async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.goto(stranger.page(`<!doctype html><body><iframe src="${url_redirect}"></iframe>`))
    await frame.locator('input[name=number]').waitFor()
    const checkout = page.frames()[1] as Frame
    await page.evaluate('void (globalThis.answers = [])')
    const keep = `void ${greet('frames[0]')}.then((answer) => answers.push(answer))`
    await forgeGreeting(checkout, () => page.evaluate(keep))
    // An answer would have left the frame before this message.
    await page.evaluate(`addEventListener('message', () => answers.push('last'))`)
    await checkout.evaluate(`parent.postMessage('last', '*')`)
    await expect.poll(() => page.evaluate('answers.at(-1)')).toBe('last')
    expect(await page.evaluate('answers')).toEqual(['last'])
  })
})
