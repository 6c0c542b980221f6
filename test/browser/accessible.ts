// Accessibility checks of pages with axe.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const untilStill = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished)).then(() => undefined)`

/**
 * Fails with each broken rule and its element.
 * @param without rules to skip: if many pages have one design, it is enough to check the colours of some
 */
export async function expectNoViolations(page: Page, without: readonly string[] = []): Promise<void> {
  // The colours during a fade are not the final ones.
  await page.evaluate(untilStill)
  // Without frames axe runs in place; otherwise it opens a second page.
  const withoutFrames = page.frames().length === 1
  const axe = new AxeBuilder({ page }).setLegacyMode(withoutFrames).options({ resultTypes: ['violations'] })
  const { violations } = await axe.disableRules([...without]).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}
