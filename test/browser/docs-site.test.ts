// Documentation site in a real browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorTable } from '../../src/http/index.ts'
import { allPageNames, sideBar } from '../../tools/docs/navigation.ts'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { openBrowser } from './browser.ts'

let browser: Browser
let world: World
beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await world.stop()
})

/** Addresses of all pages, without the base path. */
const addresses = allPageNames().map((name) => name.replace(/^(pt\/)?README$/, '$1'))

/** A page with its console messages and its requests to other hosts. */
async function open(address: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage(options)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== world.baseUrl) complaints.push(`asked ${request.url()}`)
  })
  await page.goto(`${world.baseUrl}/docs/${address}`)
  return { page, complaints }
}

const statuses = new Map<string, number>()
async function statusOf(path: string): Promise<number> {
  const status = statuses.get(path) ?? (await world.request(path)).status
  statuses.set(path, status)
  return status
}

async function running(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate('document.querySelector("#app").__vue_app__ !== undefined'))
    .toBe(true)
}

it('serves every page with the number of each error, and a not-found page', async () => {
  for (const address of addresses) {
    const { status, headers, text } = await world.request(`/docs/${address}`)
    expect([address, status, headers.get('content-type')]).toEqual([address, 200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/)
    expect([address, / style="|<style/.exec(text)?.[0]]).toEqual([address, undefined])
  }
  const { text } = await world.request('/docs/errors')
  for (const { code } of Object.values(errorTable)) expect(text).toContain(`<tr id="${code}"`)
  expect(await world.request('/docs/nothing')).toMatchObject({
    status: 404,
    text: expect.stringContaining('404'),
  })
  expect((await world.request('/docs/..%2f.stamp')).status).toBe(404)
  expect((await world.request('/docs/.stamp')).status).toBe(404)
})

it('has no link that leads nowhere, and shows files of the repository as text', async () => {
  const texts = new Map<string, string>()
  const textAt = async (path: string) => {
    const known = texts.get(path)
    if (known !== undefined) return known
    const { status, text } = await world.request(path)
    texts.set(path, status === 200 ? text : '')
    return texts.get(path) ?? ''
  }
  const wrong: string[] = []
  let anchors = 0
  for (const address of addresses) {
    const page = `/docs/${address}`
    for (const [, href = ''] of (await textAt(page)).matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), world.baseUrl + page)
      if (origin !== world.baseUrl) continue
      const target = await textAt(pathname)
      const id = decodeURIComponent(hash.slice(1))
      if (id !== '') anchors++
      if (target === '' || (id !== '' && !target.includes(` id="${id}"`))) wrong.push(`${page}: ${href}`)
    }
  }
  expect(wrong).toEqual([])
  expect(anchors).toBeGreaterThan(100)
  const { headers } = await world.request('/docs/files/deploy/compose.yaml.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(texts.get('/docs/files/deploy/compose.yaml.txt')).toContain('services:')
})

it('shows each page to programs as Markdown, and lists them in llms.txt with the reference', async () => {
  const origin = world.baseUrl
  for (const address of addresses) {
    const path = `/docs/${address.replace(/^(pt\/)?$/, '$1index')}.md`
    const { status, headers, text } = await world.request(path)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8'])
    expect(text).toMatch(/^# /)
    expect([path, /^ *<!--|http:\/\/127\.0\.0\.1:8080/m.exec(text)?.[0]]).toEqual([path, undefined])
    const targets = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, href = '']) => href,
    )
    for (const href of targets) {
      const { pathname, origin: host } = new URL(href, origin + path)
      if (host === origin) expect([path, href, await statusOf(pathname)]).toEqual([path, href, 200])
    }
    expect((await world.request(`/docs/${address}`)).text).toContain(`type="text/markdown" href="${path}"`)
  }
  const list = await world.request('/docs/llms.txt')
  expect(list.text).toMatch(/^# Comporta\n\n> Comporta is/)
  const listed = [...list.text.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href)
  expect(listed).toContain(`${origin}/openapi.json`)
  for (const href of listed) expect([href, await statusOf(href.replace(origin, ''))]).toEqual([href, 200])
  expect(listed.length).toBeGreaterThan(60)
})

it('sends pages compressed, and keeps for ever what has a name of its content', async () => {
  const page = await world.request('/docs/checkout', { headers: { 'accept-encoding': 'br' } })
  expect([page.headers.get('content-encoding'), page.headers.get('cache-control')]).toEqual([
    'br',
    'no-cache',
  ])
  const [, script = ''] = /src="([^"]+app[^"]+\.js)"/.exec(page.text) ?? []
  const { status, headers } = await world.request(script)
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
})

it('names every page in its side bar, in an order for each of three readers', () => {
  expect(sideBar().map(({ text }) => text)).toEqual(['Take payments', 'Run it', 'Build on it'])
})

it('leads from each page to the one before and the next one, also without JavaScript', async () => {
  const { text } = await world.request('/docs/concepts')
  const [, footer = ''] = /<nav[^>]*class="prev-next"[^>]*>(.*?)<\/nav>/s.exec(text) ?? []
  const links = [...footer.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
  expect(links).toEqual(['/docs/quick-start', '/docs/sandbox'])
})

it('copies a sample by its button', async () => {
  const { page, complaints } = await open('quick-start')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await running(page)
  const sample = page.locator('.vp-doc div.language-sh').first()
  await sample.hover()
  await sample.locator('button.copy').click()
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toBe((await sample.locator('code').textContent())?.trim())
  expect(complaints).toEqual([])
  await page.close()
})

const ofEachSort = ['', 'callbacks', 'statuses', 'secure-fields', 'pt/']

it.each([
  ['a wide screen, light', { width: 1280, height: 900 }, 'light', addresses],
  ['a phone, dark', { width: 390, height: 844 }, 'dark', ofEachSort],
] as const)('can be used by everybody on %s', async (_, viewport, colorScheme, looked) => {
  const { page, complaints } = await open('', { viewport, colorScheme })
  for (const address of addresses) {
    await page.goto(`${world.baseUrl}/docs/${address}`)
    await running(page)
    // Colours take most of the time and belong to the design.
    const without = ofEachSort.includes(address) ? [] : ['color-contrast']
    if (looked.includes(address)) await expectNoViolations(page, without)
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect([address, wider]).toEqual([address, 0])
  }
  expect(complaints).toEqual([])
  await page.close()
})

it('finds a page by its text and opens it', async () => {
  const { page, complaints } = await open('')
  await running(page)
  await page.keyboard.press('Control+k')
  await page.locator('.search-input').fill('10029')
  await page.locator('.VPLocalSearchBox .result').first().click()
  await expect.poll(() => page.url()).toContain('/docs/errors')
  expect(complaints).toEqual([])
  await page.close()
})

it.each([
  ['20011', 'errors#20011'],
  ['NO_ENDPOINT', '#NO_ENDPOINT'],
  ['idempotency', 'idempotency#'],
  ['webhook', 'callbacks#'],
  ['chargeback', 'disputes#'],
])('finds %s first in %s, with an excerpt', async (word, address) => {
  const { page, complaints } = await open('concepts')
  await running(page)
  await page.keyboard.press('Control+k')
  await page.locator('.search-input').fill(word)
  const [first, ...others] = [0, 1, 2].map((index) => page.locator('.VPLocalSearchBox .result').nth(index))
  await expect.poll(() => first?.getAttribute('href')).toContain(address)
  await expect.poll(async () => (await page.locator('.excerpt').allTextContents()).join('')).not.toBe('')
  expect(others).toHaveLength(2)
  expect(complaints).toEqual([])
  await page.close()
})

it('uses its own address in samples, also after navigation', async () => {
  const { page, complaints } = await open('checkout')
  await running(page)
  await page.locator('.VPSidebar a', { hasText: 'Card API' }).click()
  await expect.poll(() => page.url()).toContain('/docs/card-api')
  await page.getByText(`${world.baseUrl}/prows/v2/creditcard`).first().waitFor()
  for (const address of addresses) {
    const { text } = await world.request(`/docs/${address}`)
    expect([address, text.includes('127.0.0.1:8080')]).toEqual([address, false])
  }
  expect(complaints).toEqual([])
  await page.close()
})

it('shows every cell and every sample whole on a phone', async () => {
  const { page } = await open('', { viewport: { width: 390, height: 844 } })
  const hidden = `[...document.querySelectorAll('.vp-doc table, .vp-doc pre')]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.textContent.trim().slice(0, 60))`
  for (const address of addresses) {
    await page.goto(`${world.baseUrl}/docs/${address}`)
    expect([address, await page.evaluate(hidden)]).toEqual([address, []])
  }
  await page.close()
})

it('leads from the link of an error to its row, and changes its scheme', async () => {
  const { page, complaints } = await open('errors#10002')
  await expect.poll(() => page.locator('tr:target').textContent()).toContain('Invalid parameter')
  await running(page)
  await page.locator('.VPSwitchAppearance').first().click()
  await expect.poll(() => page.evaluate('document.documentElement.classList.contains("dark")')).toBe(true)
  expect(complaints).toEqual([])
  await page.close()
})

it('leads to the reference, and is read without JavaScript', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await page.goto(`${world.baseUrl}/docs/errors`)
  await page.getByText('Order of the checks').first().waitFor()
  for (const idle of ['.VPNavBarSearch', '.VPNavBarHamburger', '.VPLocalNav', 'button.copy'])
    expect([idle, await page.locator(idle).first().isVisible()]).toEqual([idle, false])
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.locator('main').getByRole('link', { name: 'API reference' }).click()
  expect(page.url()).toBe(`${world.baseUrl}/docs/api/`)
  await context.close()
})
