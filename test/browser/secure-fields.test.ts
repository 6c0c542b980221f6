// Secure form fields in a real browser.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { day, minute } from '../../src/kernel/time.ts'
import { consume, type NewCardSecure } from '../../src/secure-fields/index.ts'
import type { Database } from '../../src/storage/index.ts'
import type { EncryptedCard } from '../../web/secure-fields/messages.ts'
import { openTestDatabase } from '../database.ts'
import { judgesTimes } from '../patience.ts'
import { type FieldsGateway, startFieldsGateway } from '../secure-fields/world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'
import { knownToPage, type ShopSite, startShopSite } from './shop-page.ts'

const pan = '4176660000000027'
const vcode = '987'

let database: Database
let gateway: FieldsGateway
let site: ShopSite
let browser: Browser
let context: BrowserContext
let page: Page
let frame: FrameLocator
let complaints: string[]

beforeAll(async () => {
  database = await openTestDatabase('pglite')
  gateway = await startFieldsGateway(database)
  const { integrity } = (await (await gateway.get('/secure-fields/v1/integrity.json')).json()) as {
    integrity: string
  }
  site = await startShopSite({ gatewayUrl: gateway.baseUrl, integrity })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await gateway.close()
  await database.close()
})

beforeEach(async () => {
  gateway.register(site.origin)
  context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  page = await context.newPage()
  frame = page.frameLocator('iframe')
  complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
})
afterEach(async () => {
  await context.close()
  expect(site.traffic()).not.toContain(pan)
})

type Query = Record<string, string>

async function open(query: Query = {}): Promise<void> {
  await page.goto(`${site.origin}/?${new URLSearchParams(query)}`)
  await frame.locator('form').waitFor()
}

const input = (name: string) => frame.locator(`input[name=${name}]`)
const focused = () => frame.locator(':focus').getAttribute('name')

async function typeCard(number = pan): Promise<void> {
  await input('number').pressSequentially(number)
  await input('expiry').pressSequentially('1230')
  await input('vcode').fill(vcode)
  await input('name').fill('Ana Silva')
}

/** Presses Pay and returns the data that the shop's server received. */
async function pay(): Promise<EncryptedCard> {
  const before = site.received.length
  await page.locator('#pay').click()
  await expect.poll(() => site.received.length).toBe(before + 1)
  await page.locator('#outcome', { hasText: 'sent' }).waitFor()
  return site.received.at(-1) as EncryptedCard
}

const events = (name: string): Promise<unknown[]> =>
  page.evaluate(`events.filter(([event]) => event === '${name}').map(([, detail]) => detail)`)

const call = (code: string): Promise<unknown> => page.evaluate(`fields.${code}`)

describe('a card typed on the page of a shop', () => {
  it('reaches the gateway through the shop’s server, which never sees it', async () => {
    const requests: string[] = []
    page.on('request', (request) => {
      requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`)
    })
    await open()
    await typeCard()
    await expect.poll(() => input('number').inputValue()).toBe('4176 6600 0000 0027')
    const { newCardSecure, ...shown } = await pay()
    expect(shown).toEqual({
      brand: 'visa',
      last4: '0027',
      bin: '417666',
      expiresAt: expect.stringMatching(/^2026-03-01T12:1[45]:/),
    })
    const opened = await gateway.decrypt(newCardSecure)
    expect(opened).toMatchObject({
      ok: true,
      value: { number: pan, name: 'Ana Silva', vcode, valdate: '12/2030' },
    })
    for (const known of [site.traffic(), await knownToPage(page), ...requests]) {
      expect(known.replaceAll(/[\s%20-]/g, '')).not.toContain(pan)
      expect(known).not.toContain(pan)
    }
    expect(complaints).toEqual([])
    // Sends recorded requests again.
    if (opened.ok) await consume(database, opened.value.use)
    expect(await gateway.decrypt(newCardSecure)).toMatchObject({ refusal: { reason: /used before/ } })
  })

  it('in fields of two cards is refused', async () => {
    await open()
    await typeCard()
    const one = (await pay()).newCardSecure
    const two = (await pay()).newCardSecure
    const mixed: NewCardSecure = { ...one, vcode: two.vcode }
    expect(await gateway.decrypt(mixed)).toMatchObject({
      refusal: { reason: /newCardSecure.vcode belongs to another card/ },
    })
    // Each encrypted card is valid alone.
    for (const each of [one, two]) expect(await gateway.decrypt(each)).toMatchObject({ ok: true })
  })

  it('is refused when it is stale, and accepted after a new encryption, on any day', async () => {
    await open()
    await typeCard()
    const { newCardSecure } = await pay()
    gateway.advance(16 * minute)
    expect(await gateway.decrypt(newCardSecure)).toMatchObject({
      refusal: { reason: /older than 15 minutes/ },
    })
    gateway.advance(2 * day)
    expect(await gateway.decrypt((await pay()).newCardSecure)).toMatchObject({ ok: true })
  })

  it.runIf(judgesTimes)('is encrypted within 50 ms', async () => {
    await open()
    await typeCard()
    const times: number[] = []
    for (let round = 0; round < 10; round++) {
      times.push(
        (await page.evaluate(
          '(async () => { const start = performance.now(); await fields.encrypt(); return performance.now() - start })()',
        )) as number,
      )
    }
    // The fastest run counts, because other work of the machine slows the others down.
    expect(Math.min(...times)).toBeLessThan(50)
  })

  it('is not encrypted when the page is of another origin than those registered', async () => {
    await open()
    await typeCard()
    const { newCardSecure } = await pay()
    gateway.register('https://shop.example')
    expect(await gateway.decrypt(newCardSecure)).toMatchObject({
      refusal: { reason: /origin is not registered/ },
    })
    await page.goto(site.origin)
    await expect.poll(() => events('error')).toHaveLength(1)
    expect(await events('error')).toMatchObject([
      { code: 'unreachable', message: expect.stringContaining(`is ${site.origin} registered`) },
    ])
    expect(await input('number').count()).toBe(0)
  })
})

describe('another site', () => {
  it('a page of another origin gets no answer from the frame', async () => {
    // Without the content policy, only the check in the frame is left.
    await context.route(/\/secure-fields\/v1\/frame/, async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    gateway.register('https://shop.example')
    await page.goto(site.origin)
    await frame.locator('form').waitFor({ state: 'attached' })
    await expect.poll(() => events('error')).toHaveLength(1)
    await expect.poll(() => frame.locator('form').isHidden()).toBe(true)
  })

  it('in another frame of the page cannot pass for the page, nor for the card fields', async () => {
    await open()
    // An advertisement on the page posts messages all the time.
    await page.evaluate(`new Promise((resolve) => {
      const stranger = document.createElement('iframe')
      stranger.sandbox = 'allow-scripts'
      stranger.srcdoc = '<script>setInterval(() => {' +
        'parent.postMessage("comporta-secure-fields-hello", "*");' +
        'for (let i = 0; i < parent.length; i++) parent[i].postMessage(' +
        '{ type: "comporta-secure-fields-greeting" }, "*", [new MessageChannel().port2])' +
        '}, 1)</' + 'script>'
      stranger.onload = resolve
      document.body.append(stranger)
    })`)
    frame = page.frameLocator('#card iframe')
    await page.evaluate(`document.querySelector('main').append(document.querySelector('#card'))`)
    await expect.poll(() => events('ready')).toHaveLength(2)
    await typeCard()
    expect(await gateway.decrypt((await pay()).newCardSecure)).toMatchObject({ ok: true })
  })
})

describe('people', () => {
  it('fill it in with the keyboard alone, and learn what is wrong', async () => {
    await open()
    await page.locator('a').focus()
    await page.keyboard.press('Tab')
    // The frame is another process. Until it has the focus, keys go to the page.
    await expect.poll(focused).toBe('number')
    await page.keyboard.type('4176 6600 0000 0028')
    await page.keyboard.press('Tab')
    await expect.poll(() => input('number').getAttribute('aria-invalid')).toBe('true')
    await expect
      .poll(() => frame.getByRole('status').textContent())
      .toBe('Card number: This card number is wrong. Check the digits.')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(focused).toBe('number')
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await expect.poll(() => input('number').inputValue()).toBe('4176 6600 0000 002')
    await expect.poll(() => input('number').getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.type('7')
    await expect.poll(() => input('number').getAttribute('aria-invalid')).toBeNull()
    await page.keyboard.press('Tab')
    await page.keyboard.type('1230')
    await page.keyboard.press('Tab')
    await page.keyboard.type(vcode)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ana Silva')
    await page.keyboard.press('Enter')
    await page.getByText('sent visa 0027').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('pay')
  })

  it('an early press of Pay focuses the first wrong field', async () => {
    await open()
    await input('number').fill('4111')
    // The button is pressed as long as in a slow click: a new error message would move it.
    await page.locator('#pay').click({ delay: 100 })
    await page.getByText('SecureFieldsError invalid_card').waitFor()
    await expect.poll(focused).toBe('number')
    await expect.poll(() => frame.locator('[data-error]:visible').count()).toBe(4)
    await expectNoViolations(page)
  })

  it.each([
    ['pt_PT', 'pt-PT', 'Número do cartão', 'Introduza o código de segurança.', 'Dados do cartão'],
    ['en', 'en', 'Card number', 'Enter the security code.', 'Card details'],
  ])('read it in their language: %s', async (locale, tag, label, problem, title) => {
    await open({ locale })
    await expect.poll(() => frame.locator('html').getAttribute('lang')).toBe(tag)
    await frame.getByLabel(label).waitFor()
    await expect.poll(() => page.locator('iframe').getAttribute('title')).toBe(title)
    await expectNoViolations(page)
    expect(await call('validate()')).toEqual({
      valid: false,
      errors: { number: 'missing', valdate: 'missing', vcode: 'missing', name: 'missing' },
    })
    await frame.getByText(problem).waitFor()
    await expectNoViolations(page)
    const other = locale === 'en' ? 'pt' : 'en'
    await call(`update({ locale: '${other}' })`)
    await expect.poll(() => frame.locator('html').getAttribute('lang')).not.toBe(tag)
    await expect.poll(() => frame.getByText(problem).count()).toBe(0)
    await expect.poll(() => page.locator('iframe').getAttribute('title')).not.toBe(title)
  })

  it('see all of it, at any width and with every error', async () => {
    await open()
    await call('validate()')
    for (const width of [320, 390, 900]) {
      await page.setViewportSize({ width, height: 844 })
      const inside = () =>
        page
          .frames()[1]
          ?.evaluate(
            '[document.documentElement.scrollHeight, innerHeight, document.documentElement.scrollWidth - innerWidth]',
          )
      await expect
        .poll(async () => {
          const [content, room, over] = (await inside()) as [number, number, number]
          return content <= room && room < content + 2 && over <= 0
        })
        .toBe(true)
    }
  })

  it('have their browser fill it in', async () => {
    await open()
    const wanted = { number: 'cc-number', expiry: 'cc-exp', vcode: 'cc-csc', name: 'cc-name' }
    for (const [name, autocomplete] of Object.entries(wanted)) {
      expect(await input(name).getAttribute('autocomplete')).toBe(autocomplete)
    }
    for (const name of ['number', 'expiry', 'vcode'])
      expect(await input(name).getAttribute('inputmode')).toBe('numeric')
  })
})

describe('the page', () => {
  it('learns the progress of typing, and not one digit', async () => {
    await open()
    await typeCard('378282246310005')
    await input('vcode').fill('1234')
    await input('name').blur()
    const lastChange = async () => (await events('change')).at(-1)
    await expect.poll(lastChange).toEqual({ complete: true, empty: false, brand: 'amex', errors: {} })
    const changes = await events('change')
    expect(changes.at(0)).toEqual({ complete: false, empty: false, brand: null, errors: {} })
    await expect.poll(() => input('number').inputValue()).toBe('3782 822463 10005')
    expect(JSON.stringify(changes)).not.toMatch(/\d/)
    await expect.poll(async () => (await events('focus')).at(0)).toEqual({ field: 'number' })
    await expect.poll(() => events('ready')).toEqual([{}])
    await call('clear()')
    await expect.poll(lastChange).toEqual({ complete: false, empty: true, brand: null, errors: {} })
    await call(`focus('vcode')`)
    await expect.poll(focused).toBe('vcode')
  })

  it('changes colours and sizes, and nothing else', async () => {
    const appearance = {
      colorAccent: '#7a1fa2',
      radius: '2px',
      fontSize: '12px',
      colorText: 'red; background: url(https://evil.example)',
      colorBackground: 'url(https://evil.example)',
      'background-image': 'none',
    }
    await open({ appearance: JSON.stringify(appearance) })
    const style = (name: string) =>
      page
        .frames()[1]
        ?.evaluate(`getComputedStyle(document.querySelector('input')).getPropertyValue('${name}')`)
    await expect.poll(() => style('--accent')).toBe('#7a1fa2')
    await expect.poll(() => style('--radius')).toBe('2px')
    await expect.poll(() => style('font-size')).toBe('16px')
    await expect.poll(() => style('--ink')).toBe('#13201f')
    const messages = async () =>
      ((await events('error')) as { message: string }[]).map(({ message }) => message)
    await expect
      .poll(messages)
      .toEqual([
        'appearance.colorText must be a colour such as #0b5563',
        'appearance.colorBackground must be a colour such as #0b5563',
        expect.stringMatching(/^appearance.background-image is unknown. Known options: colorText, /),
      ])
  })

  it('orders the fields, gets errors for options that cannot work, and removes the fields', async () => {
    await open({ options: JSON.stringify({ fields: ['name', 'number', 'vcode', 'valdate'] }) })
    expect(
      await frame.locator('input').evaluateAll((all) => all.map((one) => one.getAttribute('name'))),
    ).toEqual(['name', 'number', 'vcode', 'expiry'])
    await expect(
      page.evaluate(`SecureFields.createCardFields({ merchant: 'x', fields: ['number'] })`),
    ).rejects.toThrow('fields must hold number, valdate, vcode, name in any order')
    await expect(page.evaluate('SecureFields.createCardFields({})')).rejects.toThrow('merchant must be')
    await expect(call(`mount('#card')`)).rejects.toThrow('mounted once')
    await call('destroy()')
    await expect.poll(() => page.locator('iframe').count()).toBe(0)
    await expect(call('encrypt()')).rejects.toThrow('the card fields are destroyed')
  })

  it('keeps working after a reload of the frame', async () => {
    await open()
    await page.evaluate(`document.querySelector('main').append(document.querySelector('#card'))`)
    await expect.poll(() => events('ready')).toHaveLength(2)
    await typeCard()
    expect(await gateway.decrypt((await pay()).newCardSecure)).toMatchObject({ ok: true })
  })
})

describe('the loaded files', () => {
  const built = (name: string) => {
    const folder = new URL('../../dist/web/', import.meta.url)
    const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Record<
      string,
      { file: string }
    >
    return gzipSync(readFileSync(new URL(manifest[name]?.file ?? name, folder)), { level: 9 }).length
  }

  it('is at most 3 KB on the merchant’s page and 16 KB in the frame', () => {
    expect(built('secure-fields.js')).toBeLessThanOrEqual(3 * 1024)
    expect(built('secure-fields-frame.js') + built('secure-fields-frame.css')).toBeLessThanOrEqual(16 * 1024)
  })

  it('comes from the gateway alone, and leaves nothing behind', async () => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    await open()
    await typeCard()
    await pay()
    expect([...hosts].toSorted()).toEqual([gateway.baseUrl, site.origin].toSorted())
    const kept = await page
      .frames()[1]
      ?.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')
    expect(kept).toEqual([0, 0, ''])
  })
})
