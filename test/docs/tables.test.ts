// The generated tables of the documentation are those of today's code: else `npm run tables` writes them again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { pageNames, sourceFolder } from '../../tools/docs/navigation.ts'
import { openWorld } from '../gateway-here.ts'
import { withRoutes } from '../security/routes.ts'
import { readDocument } from '../spec/reference/document.ts'
import type { World } from '../world.ts'
import { settings } from './settings.ts'
import { type Sources, withTables } from './tables.ts'

let world: World
let sources: Sources
beforeAll(async () => {
  const [opened, routes] = await withRoutes(openWorld)
  world = opened
  sources = { routes, document: await readDocument(world) }
})
afterAll(() => world.stop())

const pages = pageNames().map((name) => join(sourceFolder, `${name}.md`))
const made = pages.filter((file) => readFileSync(file, 'utf8').includes('<!-- table: '))

it.each(made)('%s has the tables of today', async (file) => {
  const page = readFileSync(file, 'utf8')
  expect(page.match(/<!-- table: /g)).toHaveLength(page.match(/<!-- end of table -->/g)?.length ?? 0)
  await expect(withTables(page, sources)).toMatchFileSnapshot(file)
})

it('names every setting that the gateway reads', () => {
  const read = new Set<string>()
  loadConfig(
    new Proxy<Record<string, string>>(
      {},
      { get: (_, name) => void (typeof name === 'string' && read.add(name)) },
    ),
  )
  const documented = new Set(Object.keys(settings))
  const lacking = [...read].filter((name) => !documented.has(name) && !/^OTEL_|^CRASH_AT$/.test(name))
  expect(lacking).toEqual([])
  expect([...documented].filter((name) => !read.has(name) && name !== 'OTEL_…')).toEqual([])
})
