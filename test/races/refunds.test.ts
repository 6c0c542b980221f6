// Races on refunds and splits, with two gateways on PostgreSQL.
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import { type SignedIn, signIn } from '../people.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

const crowd = 50
const refundsDeclined = '4000000000000341'

let world: World
/** A second gateway, because a lock inside one process would not protect against it. */
let other: GatewayProcess
let otherDir: string
let token: string
let split: Json[]

beforeAll(async () => {
  world = await openWorld('postgres')
  otherDir = mkdtempSync(join(tmpdir(), 'comporta-other-'))
  cpSync(world.dataDir, otherDir, { recursive: true })
  const { databaseUrl } = world
  const environment = { RATE_LIMITS: 'off' }
  other = await startGatewayProcess({ dataDir: otherDir, databaseUrl, environment, port: await freePort() })
  token = await storeCard(world, cards.frictionless.number)
  split = ['Sub Shop A', 'Sub Shop B', 'Plain Shop'].map((name, index) => ({
    merchant_wallet: world.merchant(name).public_id,
    ...(index === 0 ? { amount_fraction: '0.5' } : {}),
  }))
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await other.stop()
  await world.stop()
  rmSync(otherDir, { recursive: true, force: true })
})

function ask(index: number, verb: 'refund' | 'split', id: string, body: unknown): Promise<Answer> {
  const path = `/api/v2/operations/${id}/${verb}`
  if (index % 2 === 0) return world.shop.post(path, body)
  return world.request(`${other.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

const atOnce = (count: number, work: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = status === 200 ? String(body.status) : String(body.code)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

const givenBack = (answers: readonly Answer[]): number =>
  answers.reduce((sum, { status, body }) => sum + (status === 200 ? Math.round(-body.amount * 100) : 0), 0)

it.each([
  ['an undivided payment', false],
  ['a divided payment', true],
])('50 refunds of %s at once equal the payment to the cent', async (_, divided) => {
  const paid = await payByToken(world, token, divided ? { split } : {})
  const answers = await atOnce(crowd, (index) => ask(index, 'refund', paid.id, { amount: 0.7 }))
  expect(tally(answers)).toMatchObject({ COMPLETED: 14 })
  for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe(40015)
  const rest = await atOnce(crowd, (index) => ask(index, 'refund', paid.id, {}))
  expect(tally(rest)).toEqual({ COMPLETED: 1, 40010: crowd - 1 })
  expect(givenBack([...answers, ...rest])).toBe(1000)
  expect(await world.operation(paid.id)).toMatchObject({ refundable: false })
})

it('refunds of every kind at once, of a split payment, equal the payment', async () => {
  const paid = await payByToken(world, token, { split })
  const kinds = [undefined, [], [split[1]], [{ ...split[0], amount_fraction: '0.3' }, split[2]]]
  const answers = await atOnce(crowd, (index) =>
    ask(index, 'refund', paid.id, { amount: (13 + (index % 7)) / 100, split: kinds[index % kinds.length] }),
  )
  for (const { body } of answers) if (body.code !== undefined) expect([40015, 40018]).toContain(body.code)
  const last = await ask(0, 'refund', paid.id, {})
  expect(givenBack([...answers, last])).toBe(1000)
})

it('a refund that fails among others returns exactly its amount', async () => {
  const declined = await storeCard(world, refundsDeclined)
  const paid = await payByToken(world, declined, { split })
  const answers = await atOnce(crowd, (index) =>
    ask(index, 'refund', paid.id, { amount: (50 + index) / 100 }),
  )
  for (const { body } of answers) expect([30007, 40010, 40015]).toContain(body.code)
  const { calculation } = (await world.shop.post(`/api/v2/operations/${paid.id}/refund?dry_run=true`, {}))
    .body
  expect(calculation).toMatchObject({ amount: '10.00', owner: '0.25' })
})

it('a refund against a manual split: one order or the other, never both half', async () => {
  const outcomes = { splitFirst: 0, refundFirst: 0 }
  for (let round = 0; round < 12; round++) {
    const paid = await payByToken(world, token)
    const invoice = randomUUID()
    const verbs = round % 2 === 0 ? (['split', 'refund'] as const) : (['refund', 'split'] as const)
    const answers = await atOnce(2, (index) => {
      const verb = verbs[index] as 'split' | 'refund'
      return ask(index, verb, paid.id, verb === 'split' ? { split } : { ext_invoiceid: invoice })
    })
    const divided = answers[verbs.indexOf('split')] as Answer
    const refunded = answers[verbs.indexOf('refund')] as Answer
    expect(refunded).toMatchObject({ status: 200, body: { amount: -10, status: 'COMPLETED' } })
    const seen = await world.merchant('Sub Shop A').get(`/api/v2/operations?ext_invoiceid=${invoice}`)
    if (divided.status === 200) {
      outcomes.splitFirst++
      expect(seen.body.elements).toMatchObject([{ type: 'USERTRANSFER', amount: -4.87 }])
    } else {
      outcomes.refundFirst++
      expect([40016, 40017]).toContain(divided.body.code)
      expect(seen.body.total).toBe(0)
    }
  }
  expect(outcomes.splitFirst + outcomes.refundFirst).toBe(12)
})

it('50 splits of one payment at once split it once', async () => {
  const paid = await payByToken(world, token)
  const answers = await atOnce(crowd, (index) => ask(index, 'split', paid.id, { split }))
  expect(tally(answers)).toEqual({ COMPLETED: 1, 40017: crowd - 1 })
})

it.each(['refund', 'split'] as const)('one request_id of 50 callers at once is one %s', async (verb) => {
  const paid = await payByToken(world, token)
  const request = { request_id: randomUUID(), ...(verb === 'split' ? { split } : { amount: 1 }) }
  const answers = await atOnce(crowd, (index) => ask(index, verb, paid.id, request))
  const decided = answers.filter(({ body }) => body.code !== 10014)
  expect(new Set(decided.map(({ text }) => text)).size).toBe(1)
  expect(decided[0]?.status).toBe(200)
  expect((await ask(1, verb, paid.id, request)).text).toBe(decided[0]?.text)
})

async function unconfirmed(): Promise<(index: number, id: string, amount?: number) => Promise<Answer>> {
  const { dataDir, request } = world
  const elsewhere = { dataDir, baseUrl: other.baseUrl, request: at(other.baseUrl) } as World
  const people: SignedIn[] = [
    await signIn(world, 'owner@demo.example'),
    await signIn(elsewhere, 'owner@demo.example'),
  ]
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query(`update backoffice.sessions set confirmed_at = now() - interval '1 hour'`)
  await client.end()
  return (index, id, amount) =>
    (people[index % 2] as SignedIn).send(
      'POST',
      `/wallets/${world.shop.wallet_id}/operations/${id}/refund`,
      amount === undefined ? {} : { amount },
    )

  function at(baseUrl: string): World['request'] {
    return (path, init) => request(`${baseUrl}${path}`, init)
  }
}

it('refunds at once by an unconfirmed person stay within the limit in total', async () => {
  const refund = await unconfirmed()
  for (const [amount, taken] of [
    [300, 1],
    [200, 2],
    [250, 2],
    [500, 1],
  ] as const) {
    for (const divided of [false, true]) {
      const paid = await payByToken(world, token, { amount: 2_000, ...(divided && { split }) })
      const answers = await atOnce(4, (index) => refund(index, paid.id, amount))
      expect([amount, divided, tally(answers)]).toEqual([
        ...[amount, divided, { COMPLETED: taken, 20010: 4 - taken }],
      ])
    }
  }
  const paid = await payByToken(world, token, { amount: 500 })
  const mixed = await atOnce(2, (index) => refund(index, paid.id, index === 0 ? undefined : 100))
  expect(givenBack(mixed)).toBeLessThanOrEqual(500_00)
  expect(mixed.some(({ status }) => status === 200)).toBe(true)
  // With an API key, large refunds need no confirmation of identity.
  const whole = await payByToken(world, token, { amount: 900 })
  expect(tally(await atOnce(3, (index) => ask(index, 'refund', whole.id, { amount: 300 })))).toEqual({
    COMPLETED: 3,
  })
})
