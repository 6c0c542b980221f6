// Races on authorizations, with two gateways on PostgreSQL.
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { authorizing, followUpsDeclined } from '../authorizing.ts'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import type { Answer, Json, World } from '../world.ts'

const crowd = 100

let world: World
/** A second gateway, because a lock inside one process would not protect against it. */
let other: GatewayProcess
let otherDir: string
let database: Database
let token: string
const { storeCard, authorize, capture, release, read } = authorizing(() => world)

beforeAll(async () => {
  world = await openWorld('postgres')
  otherDir = mkdtempSync(join(tmpdir(), 'comporta-other-'))
  cpSync(world.dataDir, otherDir, { recursive: true })
  const { databaseUrl } = world
  const environment = { RATE_LIMITS: 'off' }
  other = await startGatewayProcess({ dataDir: otherDir, databaseUrl, environment, port: await freePort() })
  database = openPostgres({ url: databaseUrl ?? '' })
  token = await storeCard()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await database.close()
  await other.stop()
  await world.stop()
  rmSync(otherDir, { recursive: true, force: true })
})

function ask(index: number, verb: 'capture' | 'release', id: string, body: unknown): Promise<Answer> {
  const path = `/api/v2/authorizations/${id}/${verb}`
  if (index % 2 === 0) return world.shop.post(path, body)
  return world.request(`${other.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
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

const sumOf = (operations: readonly Json[]) =>
  operations.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)

async function booksOf(id: string): Promise<{ captured: number; released: number }> {
  const [row] = await database.run<{ captured: bigint; released: bigint }>(
    { text: 'select captured, released from sandbox.authorizations where key = $1' },
    [id],
  )
  return { captured: Number(row?.captured), released: Number(row?.released) }
}

async function expectWithin(id: string, authorized: number): Promise<Json> {
  const authorization = await read(id)
  const [captured, released] = [sumOf(authorization.captures), sumOf(authorization.releases)]
  expect(captured + released).toBeLessThanOrEqual(authorized)
  expect(authorization.captures.length).toBeLessThanOrEqual(10)
  expect(await booksOf(id)).toEqual({ captured, released })
  return authorization
}

it('100 captures at once: 10 succeed, the others are refused because 10 did', async () => {
  const { id } = await authorize(token, 50)
  const answers = await atOnce(crowd, (index) => ask(index, 'capture', id, { amount: 0.2 }))
  expect(tally(answers)).toEqual({ COMPLETED: 10, 40019: 90 })
  expect((await expectWithin(id, 5000)).captures).toHaveLength(10)
})

it('100 captures at once above the total: as many succeed as fit', async () => {
  const { id } = await authorize(token, 10)
  const answers = await atOnce(crowd, (index) => ask(index, 'capture', id, { amount: 3 }))
  expect(tally(answers)).toEqual({ COMPLETED: 3, 40015: 97 })
  await expectWithin(id, 1000)
})

it('100 captures at once of the whole rest: one succeeds', async () => {
  const { id } = await authorize(token, 10)
  const answers = await atOnce(crowd, (index) => ask(index, 'capture', id, undefined))
  expect(tally(answers)).toEqual({ COMPLETED: 1, 40015: 99 })
  await expectWithin(id, 1000)
})

it('100 releases at once above the total: as many succeed as fit', async () => {
  const { id } = await authorize(token, 10)
  // The sum of the releases must stay within the authorization.
  const answers = await atOnce(crowd, (index) => ask(index, 'release', id, { amount: 0.35 }))
  expect(tally(answers)).toEqual({ COMPLETED: 28, 40015: 72 })
  await expectWithin(id, 1000)
})

it('captures and releases at once: no release comes after a capture', async () => {
  for (let round = 0; round < 3; round++) {
    const { id } = await authorize(token, 10)
    const answers = await atOnce(crowd, (index) =>
      ask(index, index % 4 < 2 ? 'capture' : 'release', id, { amount: index % 3 === 0 ? 0.5 : 1.2 }),
    )
    const captures = answers.filter((_, index) => index % 4 < 2)
    const releases = answers.filter((_, index) => index % 4 >= 2)
    for (const code of Object.keys(tally(captures)))
      expect(['COMPLETED', '40015', '40019', '10013']).toContain(code)
    for (const code of Object.keys(tally(releases))) expect(['COMPLETED', '40015', '10013']).toContain(code)
    await expectWithin(id, 1000)
    expect(await ask(0, 'release', id, { amount: 0.2 })).toMatchObject({ status: 409 })
  }
})

it('captures at once of a split authorization: the sum of their shares is exact', async () => {
  const [a, b] = ['Sub Shop A', 'Sub Shop B'].map((name) => world.merchant(name).public_id)
  const fees = { fee_fixed: 0, fee_variable: 0 }
  const split = [
    { merchant_wallet: a, amount_fraction: '1/3', ...fees },
    { merchant_wallet: b, amount: 14.29, ...fees, fee_fixed: 0.77 },
  ]
  for (let round = 0; round < 3; round++) {
    const { id } = await authorize(token, 50, { split })
    const answers = await atOnce(20, (index) => ask(index, 'capture', id, { amount: 4.99 }))
    expect(tally(answers)).toEqual({ COMPLETED: 10, 40019: 10 })
    const { captures } = await expectWithin(id, 5000)
    // 49.90 in ten captures of 4.79 after their fees of 0.20: a third of 47.90, and 14.29 / 50 of it less the
    // fee.
    const totals = [0, 1].map((at) =>
      captures.reduce(
        (sum: number, { splits }: Json) => sum + Math.round(Number(splits.elements[at].amount) * 100),
        0,
      ),
    )
    expect(totals).toEqual([1597, 1292])
  }
})

it('100 captures at once that the acquirer declines change nothing', async () => {
  const { id } = await authorize(await storeCard(followUpsDeclined), 10)
  const answers = await atOnce(crowd, (index) => ask(index, 'capture', id, { amount: 1.5 }))
  for (const code of Object.keys(tally(answers))) expect(['30007', '40015', '40019']).toContain(code)
  expect(await expectWithin(id, 1000)).toMatchObject({ captures: [] })
  const [row] = await database.run<{ captured: bigint; captures: number }>(
    { text: 'select captured, captures from operations where id = $1' },
    [id],
  )
  expect(row).toEqual({ captured: 0n, captures: 0 })
})

it('one request id of 100 callers at once captures once', async () => {
  const { id } = await authorize(token, 50)
  const body = { amount: 1, request_id: randomUUID() }
  const answers = await atOnce(crowd, (index) => ask(index, 'capture', id, body))
  const decided = answers.filter(({ body: { code } }) => code !== 10014)
  expect(new Set(decided.map(({ text }) => text)).size).toBe(1)
  expect(decided[0]?.status).toBe(200)
  expect((await expectWithin(id, 5000)).captures).toHaveLength(1)
})

interface Step {
  readonly verb: 'capture' | 'release'
  readonly cents: number | undefined
}

/** Whether the state before its group allows the answer. */
function expectFair({ verb, cents }: Step, { status, body }: Answer, before: Json): void {
  if (status !== 200) {
    const tooLittle = cents !== undefined && cents < 20
    return expect(tooLittle ? [40009] : [10013, 40015, 40019]).toContain(body.code)
  }
  const remaining = 1000 - sumOf(before.captures) - sumOf(before.releases)
  expect(body.status).toBe('COMPLETED')
  expect(sumOf([body])).toBeLessThanOrEqual(remaining)
  if (cents !== undefined) expect(sumOf([body])).toBe(cents)
  if (verb === 'release') expect(before.captures).toEqual([])
}

it('any sequence of groups at once stays within the authorization', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    verb: fc.constantFrom('capture', 'release'),
    cents: fc.option(fc.integer({ min: 1, max: 700 }), { nil: undefined }),
  })
  const group = fc.array(step, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 8 }), async (groups) => {
      const { id } = await authorize(token, 10)
      for (const steps of groups) {
        const before = await read(id)
        const bodyOf = ({ cents }: Step) => (cents === undefined ? {} : { amount: cents / 100 })
        const asking = steps.map((one, index) => ask(index, one.verb, id, bodyOf(one)))
        for (const [index, answer] of (await Promise.all(asking)).entries())
          expectFair(steps[index] as Step, answer, before)
        await expectWithin(id, 1000)
      }
    }),
    { numRuns: 50 },
  )
})

// This test is the last one, because it moves the clock by more than a month.
it('at the end of its month the acquirer releases the rest once', async () => {
  const authorized = await Promise.all([10, 10, 10].map((amount) => authorize(token, amount)))
  const [untouched, captured, released] = authorized.map(({ id }) => id as string)
  await capture(captured ?? '', { amount: 4 })
  await release(released ?? '', { amount: 10 })
  await world.advance('P33D')
  const closed = () =>
    database.run<{ id: string }>({
      text: "select id from operations where type = 'AUTH' and lapsed_at is null and status = 'COMPLETED'",
    })
  await world.eventually(async () => (await closed()).length === 0)
  expect(await booksOf(untouched ?? '')).toEqual({ captured: 0, released: 1000 })
  expect(await booksOf(captured ?? '')).toEqual({ captured: 400, released: 600 })
  expect(await booksOf(released ?? '')).toEqual({ captured: 0, released: 1000 })
})
