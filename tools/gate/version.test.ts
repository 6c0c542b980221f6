// The package, the SDK, the plugin, the API reference, the changelog and the tag have one version.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../../test/gateway-here.ts'
import type { World } from '../../test/world.ts'
import { changelog, differences, ownVersion, tagsHere, textsOf, versionedTexts } from '../version.ts'

const version = ownVersion()
const texts = versionedTexts()

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

it('is that of package.json in every file, and of the tag of this commit', () => {
  expect(differences(texts, version, tagsHere())).toEqual([])
})

it('is that of the API reference', async () => {
  const { body } = await world.request('/openapi.json')
  expect(body.info.version).toBe(version)
})

it.each([
  ['sdk/package.json', '"version": "9.9.9"', 'sdk/package.json says 9.9.9'],
  [
    'deploy/woocommerce/comporta-for-woocommerce/comporta-for-woocommerce.php',
    " * Version:              9.9.9\nconst VERSION     = '9.9.9'",
    'deploy/woocommerce/comporta-for-woocommerce/comporta-for-woocommerce.php says 9.9.9',
  ],
  ['package-lock.json', '"name": "@comporta/sdk",\n      "version": "9.9.9"', 'package-lock.json says 9.9.9'],
  ['docs/deploying.md', 'comporta-9.9.9.tgz', 'docs/deploying.md says 9.9.9'],
])('another one is found in %s', (path, text, difference) => {
  expect(differences({ ...texts, [path]: `{\n  ${text}` }, version, [])).toContain(difference)
})

it('another one is found in the changelog, in the tag and in the list of the plugin', () => {
  const other = { ...texts, [changelog]: '# Changelog\n\n## [9.9.9] - 2027-01-01\n' }
  expect(differences(other, version, ['v9.9.9', 'green'])).toEqual([
    'CHANGELOG.md says ## [9.9.9] - 2027-01-01',
    'CHANGELOG.md has no [Unreleased]',
    'the tag is v9.9.9',
  ])
  expect(differences(textsOf(texts, '9.9.9', '2027-01-01'), version, [])).not.toEqual([])
})

it('a new one is written everywhere, and takes the changes that were not released', () => {
  const changed = { ...texts, [changelog]: `# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- It.\n` }
  const next = textsOf(changed, '9.9.9', '2027-01-01')
  expect(differences(next, '9.9.9', ['v9.9.9'])).toEqual([])
  expect(next[changelog]).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [9.9.9] - 2027-01-01\n\n### Fixed\n\n- It.\n',
  )
  expect(textsOf(next, '9.9.9', '2027-01-02')[changelog]).toContain('## [9.9.9] - 2027-01-02\n')
})
