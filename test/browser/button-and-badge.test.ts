// Button and badge in a real browser.
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { planSheet, sheetFile } from '../../tools/brand/draw-sheet.ts'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'
import {
  badgeGrounds,
  badgeLooks,
  badgeWords,
  buttonAddresses,
  comparisonWith,
  type Difference,
  imagesOfAnotherSize,
  loadedAddresses,
} from './button-in-page.ts'

let world: World
let browser: Browser
let merchant: FastifyInstance
/** Another site than 127.0.0.1. */
let merchantUrl: string
let merchantPage: { readonly html: string; readonly headers: Record<string, string> }

beforeAll(async () => {
  world = await openWorld()
  browser = await openBrowser()
  merchant = Fastify()
  merchant.get('/', (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers(merchantPage.headers).send(merchantPage.html),
  )
  const address = await merchant.listen({ port: 0, host: 'localhost' })
  merchantUrl = `http://localhost:${new URL(address).port}/`
})
afterAll(async () => {
  await browser?.close()
  await merchant?.close()
  await world?.stop()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})

interface Visit {
  readonly page: Page
  readonly requests: string[]
  readonly complaints: string[]
}

async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(url, { waitUntil: 'load' })
  return { page, requests, complaints }
}

const sandbox = (path: string) => `${world.baseUrl}/sandbox/${path}`

describe.each(['button', 'badge'])('the page of the %s', (path) => {
  it.each([
    ['pt', 'light', 320],
    ['pt', 'dark', 1280],
    ['en', 'light', 1280],
    ['en', 'dark', 320],
  ] as const)(
    'in %s, %s, %i px wide, is accessible, fits and breaks no policy',
    async (lang, colorScheme, width) => {
      const options = { colorScheme, viewport: { width, height: 700 } }
      const { page, requests, complaints } = await visit(sandbox(`${path}?lang=${lang}`), options)
      await expectNoViolations(page)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(await page.locator('html').getAttribute('lang')).toBe(lang)
      expect(requests.filter((url) => !url.startsWith(world.baseUrl))).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it('is found from the front page, and leads to the other language', async () => {
    const { page } = await visit(`${world.baseUrl}/sandbox`, { locale: 'en-GB' })
    await page.locator(`main a[href="/sandbox/${path}?lang=en"]`).click()
    await page.getByRole('link', { name: 'Português' }).click()
    await page.waitForURL(/lang=pt/)
    expect(await page.locator('html').getAttribute('lang')).toBe('pt')
    await page.getByRole('link', { name: 'English' }).click()
    await page.waitForURL(/lang=en/)
  })
})

describe('the button', () => {
  it('looks in a browser as the picture in the docs shows it', async () => {
    const { page } = await visit(sandbox('button?lang=en'))
    const picture = `data:image/png;base64,${readFileSync(sheetFile).toString('base64')}`
    const plan = planSheet()
    const buttons = plan.buttons.map(({ button: { style, culture, type, methods }, x, y }) => ({
      url: `/api/v2/anon/images/button?style=${style}&culture=${culture}&type=${type}&methods=${methods}`,
      x,
      y,
    }))
    const { apart, mean } = await page.evaluate<Difference>(
      comparisonWith({
        ...plan,
        buttons,
        picture,
      }),
    )
    expect(mean).toBeLessThan(0.5)
    expect(apart).toBeLessThan(0.0001)
  })

  it('is on its page in every style, culture and type, and with every method', async () => {
    const { page } = await visit(sandbox('button?lang=en'))
    const shown = new Set(await page.evaluate<string[]>(buttonAddresses))
    for (const style of ['REGULAR', 'WHITE', 'LIGHT', 'DARK']) {
      for (const culture of ['PT', 'EN']) {
        for (const type of ['BUY', 'CONFIRM', 'CONTINUE', 'PAYMENT', 'PURCHASE']) {
          expect(shown).toContain(`/api/v2/anon/images/button?style=${style}&culture=${culture}&type=${type}`)
        }
      }
    }
    for (const method of ['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'BANK']) {
      expect([...shown].some((url) => url.endsWith(`&methods=${method}`))).toBe(true)
    }
    expect(await page.evaluate<string[]>(imagesOfAnotherSize)).toEqual([])
  })

  it('is made by a form without JavaScript and with the keyboard alone, and its HTML works elsewhere', async () => {
    const { page } = await visit(sandbox('button?lang=en'), { javaScriptEnabled: false })
    await page.getByLabel('Style (style)').focus()
    for (const key of ['D', 'E', 'P', 'ArrowDown']) {
      await page.keyboard.press(key)
      await page.keyboard.press('Tab')
    }
    expect(await page.locator(':focus').getAttribute('value')).toBe('CC')
    await page.keyboard.press('Space')
    await page.getByLabel('MB WAY (MBWAY)').check()
    await page.getByRole('button', { name: 'Show' }).press('Enter')
    await page.waitForURL(/style=DARK&culture=EN&type=PAYMENT&format=png&methods=CC&methods=MBWAY/)
    const snippet = (await page.locator('.snippet').first().textContent()) ?? ''
    expect(snippet).toContain(
      `src="${world.baseUrl}/api/v2/anon/images/button?style=DARK&amp;culture=EN&amp;type=P`,
    )
    expect(snippet).toMatch(/ 2x" width="\d+" height="80" alt="[^"]+ with Comporta: card, MB WAY">$/)
    expect(await page.getByLabel('MB WAY (MBWAY)').isChecked()).toBe(true)

    merchantPage = { html: pageWith(snippet), headers: { 'cross-origin-embedder-policy': 'require-corp' } }
    const { page: shop, complaints } = await visit(merchantUrl, { deviceScaleFactor: 2 })
    expect(await shop.evaluate<string[]>(imagesOfAnotherSize)).toEqual([])
    expect(await shop.evaluate(loadedAddresses)).toEqual([expect.stringContaining('scale=2')])
    await expectNoViolations(shop)
    expect(complaints).toEqual([])
  })

  it('does not put the text of its query on the page', async () => {
    const { page, complaints } = await visit(
      sandbox('button?lang=en&style=<script>document.title="needle"</script>&methods="><b>needle'),
    )
    expect(await page.content()).not.toContain('needle')
    expect(await page.getByLabel('Style (style)').inputValue()).toBe('REGULAR')
    expect(complaints).toEqual([])
  })
})

describe('the badge', () => {
  it('is on its page in every style, culture and choice of methods, each once', async () => {
    const { page } = await visit(sandbox('badge?lang=en'))
    expect(await page.locator('.ground').count()).toBe(26)
    expect(await page.locator('.ground > script + .comporta-badge:last-child').count()).toBe(26)
    const pt = ['Pagamento seguro com Comporta', 'Cartão', 'Multibanco', 'Carteira']
    const en = ['Secure payment with Comporta', 'Card', 'Multibanco', 'Wallet']
    const each = [pt, en, pt, en, pt, en, ...subsetsOf(en)]
    expect(await page.evaluate(badgeWords)).toEqual(each.flatMap((words) => [words, words]))
    expect(new Set(await page.evaluate<string[]>(badgeGrounds)).size).toBe(3)
  })

  it('obeys the strictest policy of a shop, asks nothing else of anybody, and takes no word for markup', async () => {
    const script = (attributes: string) =>
      `<p><script src="${world.baseUrl}/badge/v1/badge.js" data-wallet-badge ${attributes}></script></p>`
    const policy = [
      "default-src 'none'",
      'img-src data:',
      `script-src ${world.baseUrl}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]
    merchantPage = {
      headers: {
        'content-security-policy': policy.join('; '),
        'cross-origin-embedder-policy': 'require-corp',
      },
      html: pageWith(
        [
          script(''),
          script('data-style="DARK" data-culture="EN" data-methods="wallet, cc"'),
          script(
            'data-style="<b>needle" data-culture="__proto__" data-methods="<img src=needle>,constructor"',
          ),
          script('async data-culture="en" data-methods="MB"'),
          script('type="module" data-culture="en" data-methods="CC"'),
        ].join(''),
      ),
    }
    const { page, requests, complaints } = await visit(merchantUrl)
    const title = 'Secure payment with Comporta'
    const whole = ['Pagamento seguro com Comporta', 'Cartão', 'Multibanco', 'Carteira']
    await expect
      .poll(() => page.evaluate(badgeWords))
      .toEqual([whole, [title, 'Card', 'Wallet'], whole, [title, 'Multibanco'], [title, 'Card']])
    expect(await page.locator('p > script + .comporta-badge').count()).toBe(5)
    expect(await page.locator('.comporta-badge b, .comporta-badge img').count()).toBe(0)
    const [regular, dark] = await page.evaluate<string[]>(badgeGrounds)
    expect([regular, dark]).toEqual(['rgb(11, 85, 99)', 'rgb(18, 24, 26)'])
    expect(new Set(requests)).toEqual(new Set([merchantUrl, `${world.baseUrl}/badge/v1/badge.js`]))
    expect(complaints).toEqual([])
    await expectNoViolations(page)
  })

  it('looks the same with any styles of the shop', async () => {
    const script = `<script src="${world.baseUrl}/badge/v1/badge.js" data-wallet-badge></script>`
    const styles =
      '<style>* { color: red; font: 40px serif; border: 9px solid; text-transform: uppercase } div { display: none; background: lime }</style>'
    merchantPage = { html: pageWith(script), headers: {} }
    const plain = await visit(merchantUrl)
    const before = await plain.page.evaluate<string[]>(badgeLooks)
    expect(before.length).toBeGreaterThan(5)
    merchantPage = { html: pageWith(script, styles), headers: {} }
    const styled = await visit(merchantUrl)
    expect(await styled.page.evaluate(badgeLooks)).toEqual(before)
  })
})

function pageWith(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">${head}</head><body><main><h1>Basket</h1>${body}</main></body></html>`
}

function subsetsOf([title, cc, mb, wallet]: string[]) {
  return [[cc], [mb], [wallet], [cc, mb], [cc, wallet], [mb, wallet], [cc, mb, wallet]].map((methods) => [
    title,
    ...methods,
  ])
}
