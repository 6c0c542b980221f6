// A user of the backoffice in a real browser.
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { demoUser } from '../../people.ts'
import type { World } from '../../world.ts'
import { expectNoViolations } from '../accessible.ts'

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  open(path: string): Promise<void>
  /** Script errors, warnings and violations of the content policy. */
  problems(): string[]
  /** The problems, and all failed requests. */
  complaints(): string[]
  close(): Promise<void>
}

/** Signs in a user of demo.json. Without `email`, nobody is signed in. */
export async function visit(
  world: World,
  browser: Browser,
  email?: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    ...options,
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const refused: string[] = []
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    const isOfRequest = message.text().startsWith('Failed to load resource')
    const list = isOfRequest ? refused : problems
    list.push(`${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (/^https?:/.test(url) && !url.startsWith(world.baseUrl)) problems.push(`asked another host: ${url}`)
  })
  const visitor: Visitor = {
    page,
    context,
    open: async (path) => {
      await page.goto(`${world.baseUrl}/backoffice${path}`)
    },
    problems: () => problems,
    complaints: () => [...problems, ...refused],
    close: () => context.close(),
  }
  if (email !== undefined) {
    const { password } = demoUser(world, email)
    await visitor.open('/sign-in')
    await page.locator('input[type=email]').fill(email)
    await page.locator('input[type=password]').fill(password)
    await page.locator('button[type=submit]').click()
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
  }
  return visitor
}

/** The file is read as text, because an import would load the types of browsers and React. */
export const backofficePages = [
  ...readFileSync(new URL('../../../web/backoffice/pages.ts', import.meta.url), 'utf8').matchAll(
    /of: '(\w+)',\s+path: '([^']*)'/g,
  ),
].map(([, of = '', path = '']) => ({ of, path }))

export function addressOf({ shop }: World, { of, path }: (typeof backofficePages)[number]): string {
  const prefixes: Record<string, string> = {
    wallet: `/wallets/${shop.wallet_id}`,
    operator: '/operator',
    own: '/account',
  }
  return `${prefixes[of]}${path}`
}

const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

/** Checks that axe finds no fault and that nothing scrolls sideways, on a wide light screen and a dark phone. */
export async function expectGoodLooks({ page }: Visitor): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))')
    await expectNoViolations(page)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow, `wider than ${width}`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
