// Races on refunds of bank references, with two gateways on PostgreSQL.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, submit } from '../browserless.ts'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import { ibans } from '../money.ts'
import { type PaidReferences, paidReferences } from '../references-paid.ts'
import type { Answer, Json, World } from '../world.ts'

const crowd = 20

let world: World
/** A lock inside one process must not be enough. */
let other: GatewayProcess
let otherDir: string
let references: PaidReferences

beforeAll(async () => {
  world = await openWorld('postgres')
  otherDir = mkdtempSync(join(tmpdir(), 'comporta-other-'))
  cpSync(world.dataDir, otherDir, { recursive: true })
  const { databaseUrl } = world
  const environment = { RATE_LIMITS: 'off' }
  other = await startGatewayProcess({ dataDir: otherDir, databaseUrl, environment, port: await freePort() })
  references = paidReferences(world)
  await world.cli('merchant', 'set', world.shop.public_id, '--mb-refunds', 'on')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await other.stop()
  await world.stop()
  rmSync(otherDir, { recursive: true, force: true })
})

const accounts: readonly string[] = [ibans.paid, 'DE89370400440532013000']
const there = (index: number, url: string) =>
  index % 2 === 0 ? url : url.replace(world.baseUrl, other.baseUrl)

function refund(index: number, id: string, body: Json): Promise<Answer> {
  return world.request(there(index, `${world.baseUrl}/api/v2/operations/${id}/refund`), {
    method: 'POST',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

it('many refunds at once, named and by page, never exceed the payment', async () => {
  const paid = await references.paid()
  const answers = await Promise.all(
    Array.from({ length: crowd }, (_, index) =>
      refund(index, paid.id, {
        amount: 0.9,
        ...(index % 3 === 0 && { iban: ibans.paid, name: 'Ana Sousa' }),
      }),
    ),
  )
  const made = answers.filter(({ status }) => status === 200)
  expect(made).toHaveLength(11)
  for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe(40015)
  expect((await refund(0, paid.id, {})).body).toMatchObject({ amount: -0.1 })
})

it('a page that many use at once has one account', async () => {
  for (let round = 0; round < 5; round++) {
    const paid = await references.paid()
    const { body } = await refund(round, paid.id, {})
    const page = await openPage(body.refund_url)
    const pages = await Promise.all(
      Array.from({ length: crowd }, (_, index) =>
        submit({ ...page, url: there(index, page.url) }, page.forms[0] as never, {
          iban: accounts[index % accounts.length] as string,
          holder: `Ana ${index % accounts.length === 0 ? 'Um' : 'Dois'}`,
          step: 'confirm',
        }),
      ),
    )
    const { iban } = (await world.shop.get(`/api/v2/operations/${body.id}/refund_account`)).body
    for (const { text } of pages) expect(text).toContain(iban)
  }
})
