// From the page of a success back to the shop, as a customer goes who does not wait for the countdown.
import type { Page } from 'playwright-core'

/** Presses the button if the page is still there, and waits for the shop's address. */
export async function backToShop(page: Page, url: string | RegExp): Promise<void> {
  const arrival = page.waitForURL(url)
  await Promise.race([page.locator('main[data-forward] a.primary').click(), arrival])
  await arrival
}
