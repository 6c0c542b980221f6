// From the page of a success back to the shop, as a customer goes who does not wait for the countdown.
import type { Page } from 'playwright-core'

/** Presses the button once the page shows it, and waits for the shop's address. */
export async function backToShop(page: Page, url: string | RegExp): Promise<void> {
  await page.locator('main[data-forward] a.primary').click()
  await page.waitForURL(url)
}
