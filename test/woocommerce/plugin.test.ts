// Files of the WooCommerce plugin.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { filesOf, textsOf, translationsOf } from '../../tools/plugin-texts.ts'
import type { Json } from '../world.ts'
import { findPhp, pluginFolder } from './php-shop.ts'

const php = findPhp()
const fileOf = (path: string) => readFileSync(join(pluginFolder, path), 'utf8')
const ours = globSync('**/*.php', { cwd: pluginFolder, exclude: ['languages/**'] })
const all = [pluginFolder, join(import.meta.dirname, 'shop')].flatMap((folder) =>
  globSync('**/*.php', { cwd: folder }).map((file) => join(folder, file)),
)

describe('every file', () => {
  it.skipIf(php === undefined)('is valid PHP', () => {
    for (const file of all) expect(() => execFileSync('php', ['-l', file], { stdio: 'pipe' })).not.toThrow()
  })

  it.each(ours)('%s opens with its purpose, is strict, and does nothing outside WordPress', (file) => {
    const text = fileOf(file)
    expect(text).toMatch(/^<\?php\n\/\*\*\n \* .{20,}/)
    expect(text).toContain('\ndeclare(strict_types=1);\n')
    expect(text).toMatch(/\ndefined\( '(ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;\n/)
    expect(text.split('\n').length).toBeLessThanOrEqual(200)
    // Amounts are text and whole cents, never floats.
    expect(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')).not.toMatch(
      /\(float\)|floatval|number_format|\bround\(/,
    )
  })

  it('is in a folder with at most a dozen others', () => {
    const folders = Map.groupBy(ours, (file) => file.slice(0, file.lastIndexOf('/')))
    for (const files of folders.values()) expect(files.length).toBeLessThanOrEqual(12)
  })

  it('is of one version', () => {
    const [, version] = /\* Version: +(\S+)/.exec(fileOf('comporta-for-woocommerce.php')) ?? []
    expect(fileOf('comporta-for-woocommerce.php')).toContain(`VERSION     = '${version}'`)
    expect(fileOf('readme.txt')).toContain(`Stable tag: ${version}\n`)
  })

  it('that stores data removes it at uninstallation, except the data of orders', () => {
    const options = ours.flatMap((file) =>
      [...fileOf(file).matchAll(/'(comporta_(?:events_cursor|catch_up))'/g)].map(([, name]) => name),
    )
    for (const name of options) expect(fileOf('uninstall.php')).toContain(`'${name}'`)
    expect(fileOf('uninstall.php')).toContain("delete_option( 'woocommerce_comporta_settings' )")
  })
})

describe('the texts', () => {
  const translations = translationsOf(fileOf('languages/comporta-for-woocommerce-pt_PT.po'))
  const texts = [...textsOf(pluginFolder).keys()]

  it('are all found', () => {
    const calls = ours.map((file) => fileOf(file).match(/\b__\(/g)?.length ?? 0)
    const known = ours.map(
      (file) =>
        fileOf(file).match(/\b__\(\s*'(?:[^'\\]|\\.)*',\s*'comporta-for-woocommerce'\s*\)/g)?.length ?? 0,
    )
    expect(calls).toEqual(known)
  })

  it('are all in Portuguese, each with the same places for values', () => {
    const places = (text: string) => (text.match(/%(\d\$)?[sd]/g) ?? []).sort()
    expect([...translations.keys()].sort()).toEqual([...texts].sort())
    for (const [text, word] of translations) {
      expect(word).not.toBe('')
      expect(places(word)).toEqual(places(text))
    }
  })

  it('are made: `node tools/plugin-texts.ts` makes them', () => {
    for (const [path, content] of filesOf(pluginFolder)) expect(fileOf(path)).toBe(content)
  })
})

it('registers with the block checkout what WooCommerce hands it', () => {
  const registered: Json[] = []
  const data = { title: 'Card &amp; more', description: 'Next page', supports: ['products', 'refunds'] }
  const window = {
    wc: {
      wcBlocksRegistry: { registerPaymentMethod: (method: Json) => registered.push(method) },
      wcSettings: { getSetting: (name: string) => (name === 'comporta_data' ? data : {}) },
    },
    wp: {
      element: { createElement: (component: () => string) => component() },
      htmlEntities: { decodeEntities: (text: string) => text.replace('&amp;', '&') },
    },
  }
  runInNewContext(fileOf('assets/blocks.js'), { window })
  expect(registered).toHaveLength(1)
  expect(registered[0]).toMatchObject({
    ...{ name: 'comporta', label: 'Card & more', content: 'Next page', edit: 'Next page' },
    supports: { features: ['products', 'refunds'] },
  })
  expect(registered[0].canMakePayment()).toBe(true)
})
