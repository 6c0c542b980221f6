// Code blocks of docs/sdk.md against a running gateway.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageNames } from '../../tools/docs/navigation.ts'
import { type Step, stepsOf } from '../docs/blocks.ts'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type World } from '../world.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const guide = readFileSync(join(root, 'docs', 'sdk.md'), 'utf8')
const blocks = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code)

let world: World
let folder: string

beforeAll(async () => {
  world = await openWorld()
  // The folder is inside the project, so that Node finds the SDK.
  mkdirSync(join(root, 'dist'), { recursive: true })
  folder = mkdtempSync(join(root, 'dist', 'guide-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.stop()
})

it('is the only page with programs for the SDK', () => {
  const isProgram = (step: Step) => step.kind === 'block' && step.language === 'ts'
  expect(pageNames().filter((name) => stepsOf(name).some(isProgram))).toEqual(['sdk'])
})

it('has blocks that run in order', async () => {
  expect(blocks.length).toBeGreaterThan(9)
  const checkout = await world.createCheckout()
  await world.payOnPage(checkout, cards.frictionless)
  const known = { checkoutId: checkout.id, operationId: checkout.payment.id }
  const files = blocks.map((code, index) => {
    // A listener would keep the process alive, so this removes it.
    writeFileSync(
      join(folder, `${index}.ts`),
      code.replace('server.listen(3000)', 'server.listen(port).unref()'),
    )
    return `await import('./${index}.ts')`
  })
  const prelude = `
import { Comporta } from '@comporta/sdk'
const comporta = new Comporta({ apiKey: process.env.COMPORTA_API_KEY, baseUrl: process.env.COMPORTA_URL })
Object.assign(globalThis, ${JSON.stringify(known)}, { comporta, port: ${await freePort()} })
`
  writeFileSync(join(folder, 'all.ts'), prelude + files.join('\n'))
  const { api_key: COMPORTA_API_KEY, callback_signing_secret: COMPORTA_SIGNING_SECRET } = world.shop
  const env = {
    PATH: process.env.PATH,
    COMPORTA_URL: world.baseUrl,
    COMPORTA_API_KEY,
    COMPORTA_SIGNING_SECRET,
  }
  const { stdout } = await run(process.execPath, [join(folder, 'all.ts')], { env })
  for (const said of [
    `${world.baseUrl}/checkout/`,
    'COMPLETED 10.00',
    '9.75',
    '-2.50 COMPLETED',
    'there is no such operation',
    'true',
  ])
    expect(stdout).toContain(said)
})
