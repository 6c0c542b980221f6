// Whether everybody can use a page: axe's rules, reported by the elements that break them.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const untilStill = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished)).then(() => undefined)`

/**
 * Fails with each rule that the page breaks and where it does.
 *
 * @param without rules that are not looked at: of many pages of one design it is enough to see the colors on some
 */
export async function expectNoViolations(page: Page, without: readonly string[] = []): Promise<void> {
  // Colors of something that is fading in are not those that people read.
  await page.evaluate(untilStill)
  // A page without frames is checked where it is: otherwise axe opens a second page to put the frames' results together.
  const withoutFrames = page.frames().length === 1
  const axe = new AxeBuilder({ page }).setLegacyMode(withoutFrames).options({ resultTypes: ['violations'] })
  const { violations } = await axe.disableRules([...without]).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}
