// A real browser from an npm package.
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { patienceSeconds } from '../patience.ts'

const patienceMs = patienceSeconds * 1000

/**
 * The package recommends arguments for one process and without web security. These tests need both, so they drop
 * them.
 */
const browserArguments = ['--no-sandbox', '--font-render-hinting=none']

/** Starts headless Chromium. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: browserArguments,
    headless: true,
    timeout: patienceMs,
  })
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
  return browser
}
