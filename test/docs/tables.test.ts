// The generated tables of the documentation are those of today's code: else `npm run tables` writes them again.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drivers } from '../../drivers/index.ts'
import { loadConfig } from '../../src/config.ts'
import { pageNames, projectRoot, sourceFolder } from '../../tools/docs/navigation.ts'
import { openWorld } from '../gateway-here.ts'
import { withRoutes } from '../security/routes.ts'
import { readDocument } from '../spec/reference/document.ts'
import type { World } from '../world.ts'
import { declines } from './meanings.ts'
import { longMessages, unreadRefusals } from './messages/messages.ts'
import { settingGroups, settings } from './settings.ts'
import { type Sources, withTables } from './tables.ts'

let world: World
let sources: Sources
beforeAll(async () => {
  const [opened, routes] = await withRoutes(openWorld)
  world = opened
  sources = { routes, document: await readDocument(world) }
})
afterAll(() => world.stop())

const fileOf = (name: string) => join(sourceFolder, `${name}.md`)
const made = pageNames().filter((name) => readFileSync(fileOf(name), 'utf8').includes('<!-- table: '))

it.each(made)('%s has the tables of today', async (name) => {
  const file = fileOf(name)
  const page = readFileSync(file, 'utf8')
  expect(page.match(/<!-- table: /g)).toHaveLength(page.match(/<!-- end of table -->/g)?.length ?? 0)
  await expect(withTables(page, sources)).toMatchFileSnapshot(file)
})

/** Settings of the OpenTelemetry libraries alone, and a setting for tests. */
const elsewhere = /^OTEL_EXPORTER_OTLP_(TRACES|METRICS)_PROTOCOL$|^CRASH_AT$/

it('names every setting that the gateway reads', () => {
  const read = new Set<string>()
  const values: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  loadConfig(
    new Proxy(values, {
      get: (target, name) => {
        if (typeof name !== 'string') return undefined
        read.add(name)
        return target[name]
      },
    }),
  )
  const documented = Object.keys(settings)
  expect([...read].filter((name) => !documented.includes(name) && !elsewhere.test(name))).toEqual([])
  expect(documented.filter((name) => !read.has(name))).toEqual([])
})

it('shows every setting on the page of the settings', () => {
  const page = readFileSync(fileOf('settings'), 'utf8')
  const missing = settingGroups.filter((group) => !page.includes(`<!-- table: settings ${group} -->`))
  expect(missing).toEqual([])
})

it.each(Object.entries(settings))('the example of %s is accepted', (name, { example }) => {
  const base = {
    MODE: 'production',
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgres://db.example/comporta',
    MASTER_KEY_FILE: '/etc/comporta/master.key',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
    MAIL_FROM: 'pay@example.com',
  }
  expect(loadConfig({ ...base, [name]: example })).toMatchObject({ ok: true })
})

it('every route of the API is in a guide', () => {
  const pages = pageNames()
    .map((name) => readFileSync(fileOf(name), 'utf8'))
    .join('\n')
  const missing = Object.keys(sources.document.json.paths).filter((path) => {
    const text = RegExp.escape(path).replaceAll(/\\\{.*?\\\}/g, '[^/\\s]+')
    return !new RegExp(`${text}(?![\\w/])`, 'i').test(pages)
  })
  expect(missing).toEqual([])
})

const guides: Record<string, string> = { 'multibanco-files': 'multibanco-entity' }

it.each(drivers)('the guide of the driver $name has all of its settings', ({ name, settings: ofDriver }) => {
  const page = readFileSync(fileOf(guides[name] ?? name), 'utf8')
  const missing = ofDriver.filter(
    (one) => ![`${one.name}=`, `\`${one.name}`].some((text) => page.includes(text)),
  )
  expect(missing.map((setting) => setting.name)).toEqual([])
})

it('the way to production says how to reach a provider over another address', () => {
  const page = readFileSync(fileOf('going-live'), 'utf8')
  expect(page).toContain('[`api_base`](stripe.md#behaviour)')
  expect(readFileSync(fileOf('stripe'), 'utf8')).toMatch(/^## Behaviour$[\s\S]*`--setting api_base=/m)
})

const pages = globSync('{*,docs/**/*,sdk/*,examples/**/*}.md', { cwd: projectRoot }).filter(
  (name) => !name.includes('node_modules'),
)
const engineOf = (folder: string): string =>
  JSON.parse(readFileSync(join(projectRoot, folder, 'package.json'), 'utf8')).engines.node

it('names the oldest Node that runs the gateway, and the one that runs the SDK', () => {
  const named = pages.flatMap((name) => {
    const text = readFileSync(join(projectRoot, name), 'utf8').replaceAll(/\s+/g, ' ')
    const versions = text.matchAll(/\bNode (\d+)(?: or newer| ou mais recente)/g)
    return [...versions].map(([, version]) => ({ name, version: `>=${version}` }))
  })
  expect(named.length).toBeGreaterThan(5)
  const ofSdk = /^(docs\/|sdk\/)(sdk|README)\.md$/
  const wrong = named.filter(({ name, version }) => version !== engineOf(ofSdk.test(name) ? 'sdk' : '.'))
  expect(wrong).toEqual([])
})

it('names the environment variables of clients as the programs that read them', () => {
  const named = (text: string) => text.match(/\bCOMPORTA_[A-Z_]+/g) ?? []
  const programs = globSync('{src,client,sdk/src,examples}/**/*.{ts,js,mjs,php}', {
    cwd: projectRoot,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  })
  const read = new Set(programs.flatMap((name) => named(readFileSync(join(projectRoot, name), 'utf8'))))
  const guides = pages.flatMap((name) => named(readFileSync(join(projectRoot, name), 'utf8')))
  expect(guides.length).toBeGreaterThan(20)
  expect([...new Set(guides)].filter((name) => !read.has(name))).toEqual([])
})

/** Words of other lists: wrong payments by reference, days without a payout, requests that were not served, a column. */
const ofOtherLists = [
  ...['badamount', 'duplicatepayment', 'not_started'],
  ...['suspended', 'no_iban', 'no_bank', 'below_minimum'],
  ...['left', 'exceeds', 'text'],
]

it('lists every reason that the code gives for a failure', () => {
  const given =
    /\b(?:reason|decline|error|failure|notReceived): '([a-z]+(?:_[a-z]+)*)'|\bfail\w*\([^)]*, '([a-z_]+)'\)/g
  const files = globSync('{src,drivers}/**/*.ts', {
    cwd: projectRoot,
    exclude: ['**/*.test.ts', '**/audit.ts'],
  })
  const words = files.flatMap((file) =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(given)].map(
      ([, word, other]) => word ?? other ?? '',
    ),
  )
  expect(words.length).toBeGreaterThan(50)
  const listed = [...Object.keys(declines), ...ofOtherLists]
  expect([...new Set(words)].filter((word) => !listed.includes(word))).toEqual([])
})

it('reads the text of every refusal of the code, but for reasons that pass through', () => {
  expect(unreadRefusals()).toEqual([
    'src/backoffice/operator/rails.ts rotated.refusal',
    'src/operations/rules.ts reason',
    'src/splits/descriptors.ts digits.refusal.reason',
    'src/splits/descriptors.ts fee.refusal.reason',
  ])
})

it('has no refusal whose own text is longer than 120 characters', () => {
  expect(longMessages()).toEqual([])
})
