// API reference in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { type Gateway, openGateway } from '../http/gateway.ts'
import type { World } from '../world.ts'
import { openBrowser } from './browser.ts'

let gateway: Gateway
let browser: Browser
let world: World
beforeAll(async () => {
  gateway = await openGateway()
  world = await openWorld()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await gateway.close()
  await world.stop()
})

it('shows the API without a request to another host', async () => {
  const page = await browser.newPage()
  const elsewhere: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== gateway.url) elsewhere.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${gateway.url}/docs/api/`)
  await page.getByText('Make a thing').first().waitFor()
  // Playwright's `networkidle` would wait for workers that are never idle.
  await page.waitForTimeout(2_000)
  expect(elsewhere).toEqual([])
  expect(complaints).toEqual([])
})

it('is prefilled in the sandbox: an operation that is tried succeeds at once', async () => {
  await world.createCheckout()
  const page = await browser.newPage()
  await page.goto(`${world.baseUrl}/docs/api/`)
  for (const [group, title, operation, path] of [
    ['Checkout', 'Create a checkout', 'post /api/v2/checkout', /\/api\/v2\/checkout$/],
    ['Card API', 'Pay by card', 'post /prows/v2/payment', /\/prows\/v2\/payment$/],
    ['Operations', 'Read an operation', 'get /api/v2/operations/{id}', /\/operations\/[0-9a-f-]{36}$/],
  ] as const) {
    const link = page.getByRole('link', { name: title }).first()
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .waitFor()
    if (!(await link.isVisible())) await page.getByRole('link', { name: group, exact: true }).first().click()
    await link.click()
    await page
      .locator('button', { hasText: `(${operation})` })
      .first()
      .click()
    const answer = page.waitForResponse((response) => path.test(response.url()))
    await page.getByRole('button', { name: /^Send/ }).first().click()
    expect([operation, (await answer).status()]).toEqual([operation, 200])
    await page.keyboard.press('Escape')
  }
})
