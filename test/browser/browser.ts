// A real browser out of an npm package, for tests of pages.
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { patienceSeconds } from '../patience.ts'

const patienceMs = patienceSeconds * 1000

/**
 * Few arguments on purpose: those the package recommends run everything in one process, which dies with its
 * first page, and turn off the web security that these tests are about.
 */
const browserArguments = ['--no-sandbox', '--font-render-hinting=none']

/** Starts a headless Chromium; the caller closes it. */
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
