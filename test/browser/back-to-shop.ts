// Return to the shop without the countdown.
import type { Page } from 'playwright-core'

/** Presses the button if the page is still open. */
export async function backToShop(page: Page, url: string | RegExp): Promise<void> {
  const arrival = page.waitForURL(url)
  await Promise.race([page.locator('main[data-forward] a.primary').click(), arrival])
  await arrival
}
