// The page of the backoffice before and after its build.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import type { App } from '../http/index.ts'
import { systemRandomness } from '../kernel/random.ts'
import { backofficePages } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'comporta-pages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('shows a page that reloads until the backoffice is built', async () => {
  const app = fastify()
  const manifestPath = join(folder, 'backoffice.json')
  backofficePages({ manifestPath, mode: 'sandbox', random: systemRandomness })(app as unknown as App)
  const before = await app.inject('/backoffice')
  expect(before).toMatchObject({ statusCode: 503, headers: { 'retry-after': '3' } })
  expect(before.body).toContain('<meta http-equiv="refresh" content="3">')

  const built = (file: string) => ({ file, integrity: `sha384-${file}` })
  writeFileSync(
    manifestPath,
    JSON.stringify({
      'backoffice.js': built('a.js'),
      'backoffice.css': built('a.css'),
      'backoffice-scheme.js': built('b.js'),
      'checkout.svg': built('a.svg'),
    }),
  )
  const after = await app.inject('/backoffice/payments')
  expect(after.statusCode).toBe(200)
  expect(after.body).toContain('src="/assets/a.js" integrity="sha384-a.js"')
})
