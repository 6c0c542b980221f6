// A visitor of the demo shop in a real browser.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestCard, World } from '../world.ts'

export const holder = 'Leonor Quintanilha'
export const vcode = '987'

export interface ShopVisitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Requests to other hosts than the gateway. */
  readonly elsewhere: readonly string[]
  /** Entries of the timeline, newest first. */
  timeline(): Promise<string[]>
  /** Waits for an entry with all `words`. */
  seen(...words: string[]): Promise<void>
  seesNotice(text: string): Promise<void>
  typeOnCheckout(card: TestCard): Promise<void>
  /** Closes the window. Fails after console messages or a leaked secret. */
  leave(): Promise<void>
}

export async function visitShop(
  world: World,
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<ShopVisitor> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  /** Everything the browser received. */
  const answers: Promise<string>[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${world.baseUrl}/`) && !url.startsWith('data:')) elsewhere.push(url)
  })
  page.on('response', (response) => {
    // The event stream ends with the page.
    if (!response.url().includes('/events?')) answers.push(response.text().catch(() => ''))
  })
  const timeline = () => page.locator('[data-timeline] > li').allInnerTexts()

  return {
    page,
    context,
    elsewhere,
    timeline,
    async seen(...words) {
      await expect.poll(timeline).toContainEqual(expect.stringMatching(new RegExp(words.join('[\\s\\S]*'))))
    },
    seesNotice: (text) => page.locator('[data-notice]').getByText(text).waitFor(),
    async typeOnCheckout({ number }) {
      await page.locator('input[name=number]').fill(number)
      await page.locator('input[name=expiry]').fill('12 / 30')
      await page.locator('input[name=vcode]').fill(vcode)
      await page.locator('form[action*="/card"] input[name=name]').fill(holder)
      await page.locator('form[action*="/card"] button[type=submit]').click()
    },
    async leave() {
      const all = (await Promise.all(answers)).join('\n')
      for (const secret of [world.shop.api_key, world.shop.esb_token, world.shop.callback_secret]) {
        expect(all).not.toContain(secret)
      }
      expect(complaints).toEqual([])
      await context.close()
    },
  }
}
