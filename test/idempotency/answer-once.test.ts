// Idempotent requests: created once, answered equally, forgotten later.
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type App, createApp } from '../../src/http/index.ts'
import {
  claimOf,
  created,
  createdWithClaim,
  createIdempotency,
  findRequestsFor,
  type Idempotency,
  idempotencyClaimCte,
  type KeyedRequest,
} from '../../src/idempotency/index.ts'
import { type OnceVerb, withIdempotency } from '../../src/idempotency/with-idempotency.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { deny, ok, RefusalError, refuse } from '../../src/kernel/result.ts'
import { after, day, type Instant, minute, systemClock, toTimestamp } from '../../src/kernel/time.ts'
import { type Database, rowSet, statement } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'

const walletId = 1n
const rows = rowSet({ wallet_id: 'bigint', created_at: 'timestamptz', ...idempotencyClaimCte.columns })
const make = statement<{ made: bigint }>(`
  with input as (${rows.source}), ${idempotencyClaimCte.sql('input')}
  select count(*) as made from admitted`)

let database: Database
let app: App
let idempotency: Idempotency
let now: Instant
let verb: OnceVerb
let made: string[]
let thrown: unknown

/** Claims the key; false if it was used. */
async function claimed(key: KeyedRequest | undefined, body?: string): Promise<boolean> {
  const resourceId = randomUUID()
  made.push(resourceId)
  const claim = claimOf(key, { resourceId, href: `/things/${resourceId}`, ...(body && { body }) })
  const row = { wallet_id: walletId, created_at: toTimestamp(now), ...idempotencyClaimCte.row(claim) }
  return (await database.run(make, rows.parameters([row])))[0]?.made === 1n
}

beforeAll(async () => {
  database = await openTestDatabase('postgres')
  const clock = { now: () => now }
  const config = {
    baseUrl: 'http://gateway',
    mode: 'production',
    authSchemes: ['ApiKey'],
    rateLimits: false,
  } as const
  const caller = { walletId, keyId: 'k', permissions: new Set<never>(), rights: new Set<never>() }
  const authenticate = { byApiKey: () => ok(caller), isCurrent: () => true, esbTokenMatches: () => true }
  app = createApp({
    config,
    clock,
    random: systemRandomness,
    authenticate,
    ready: async () => {},
    metrics: new Registry(),
  })
  idempotency = createIdempotency({
    database,
    clock,
    keyring: { current: 1, keys: new Map([[1, new Uint8Array(32).fill(1)]]) },
    baseUrl: config.baseUrl,
    outcomeOf: async () => ({ status: 'COMPLETED' }),
    onError: (error) => {
      throw error
    },
  })
  idempotency.routes(app)
  app.post('/things', (request, reply) =>
    withIdempotency(request, reply, verb).catch((error) => {
      thrown = error
      throw error
    }),
  )
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await database.close()
})
beforeEach(() => {
  now = systemClock.now()
  made = []
})

async function post(requestId: string | undefined, body: object = {}) {
  const answer = await app.inject({
    method: 'POST',
    url: '/things',
    headers: { authorization: 'ApiKey k' },
    payload: { ...body, request_id: requestId },
  })
  return { status: answer.statusCode, body: answer.json(), replayed: answer.headers['idempotent-replayed'] }
}

const first = (body: unknown, status = 200) => ({ status, body, replayed: undefined })
const again = (body: unknown, status = 200) => ({ status, body, replayed: 'true' })
const refusal = (status: number, code: number, more: object = {}) => ({
  status,
  body: { code, ...more },
  replayed: undefined,
})
const inFlight = refusal(409, 10014)

/** Creates a thing, then calls `then`, which may throw. */
const making = (then: () => void = () => {}): OnceVerb => ({
  async work(key) {
    if (!(await claimed(key))) return undefined
    then()
    return created('{"made":true}')
  },
  reread: async (id, mayMove) => (mayMove ? JSON.stringify({ read: id }) : undefined),
})

function dies(): never {
  throw new Error('the process died')
}

it('has no key is made each time', async () => {
  const given: unknown[] = []
  const answers = [createdWithClaim(true, '{"n":1}'), createdWithClaim(false, '{"n":2}')]
  verb = {
    async work(key) {
      given.push(key)
      return answers.shift()
    },
  }
  expect(await post(undefined)).toEqual(first({ n: 1 }))
  // Undefined without a key is a bug.
  expect(await post(undefined)).toMatchObject({
    ...refusal(500, 19999),
    body: { reason: 'nothing was created' },
  })
  expect(given).toEqual([undefined, undefined])
  const nothing = { requestId: undefined, resourceId: undefined }
  expect(claimOf(undefined, { resourceId: 'x', href: '/x' }) ?? nothing).toBe(nothing)
})

it('is made once, and answered again as it was', async () => {
  const id = randomUUID()
  verb = making()
  expect(await post(id, { amount: 1 })).toEqual(first({ made: true }))
  expect(await post(id.toUpperCase(), { amount: 1 })).toEqual(again({ made: true }))
  expect(await post(id, { amount: 2 })).toMatchObject(refusal(422, 10015))
})

it('is answered by its claim where the answer was known before', async () => {
  const id = randomUUID()
  const keys: (KeyedRequest | undefined)[] = []
  verb = {
    async work(key) {
      keys.push(key)
      return createdWithClaim(await claimed(key, '{"claimed":true}'), '{"claimed":true}')
    },
  }
  expect(await post(id)).toEqual(first({ claimed: true }))
  expect(await post(id)).toEqual(again({ claimed: true }))
  expect(keys[0]).toMatchObject({ requestId: id })
  expect(keys[0]?.firstAnswer({ ok: true, value: '{}' })).toEqual({ status: 200, body: '{}' })
  expect(keys[0]?.firstAnswer(refuse('limit_reached', 'x'))).toMatchObject({
    body: expect.stringContaining('"reason":"x"'),
  })
})

it('is not kept twice where its statement has kept it', async () => {
  const id = randomUUID()
  verb = {
    async work(key) {
      return { answer: { status: 200, body: `{"kept":${await claimed(key)}}` }, isKept: true }
    },
  }
  expect(await post(id)).toEqual(first({ kept: true }))
  expect(await post(id)).toEqual(first({ kept: false }))
})

it('is in flight for a minute, then its result is the answer', async () => {
  const id = randomUUID()
  verb = making(dies)
  expect(await post(id)).toMatchObject(refusal(500, 19999))
  const [resource] = made
  expect(await post(id)).toMatchObject({
    ...inFlight,
    body: { code: 10014, reason: expect.stringContaining(id) },
  })
  now = after(now, minute)
  expect(await post(id)).toMatchObject(inFlight)
  now = after(now, 1)
  const { reread: _, ...bare } = making()
  verb = bare
  expect(await post(id)).toMatchObject(inFlight)
  verb = making()
  expect(await post(id)).toEqual(again({ read: resource }))
  verb = making(dies)
  expect(await post(id)).toEqual(again({ read: resource }))
})

it('is answered at once after its object has settled, though its process may live', async () => {
  const id = randomUUID()
  verb = making(dies)
  await post(id)
  const [resource = ''] = made
  const asked: unknown[] = []
  const settledAfter = (count: number): OnceVerb => ({
    ...making(),
    async reread(resourceId, mayMove) {
      asked.push([resourceId, mayMove])
      return asked.length < count ? undefined : '{"settled":true}'
    },
  })
  verb = settledAfter(2)
  expect(await post(id)).toMatchObject(inFlight)
  expect(await post(id)).toEqual(again({ settled: true }))
  expect(await post(id)).toEqual(again({ settled: true }))
  expect(asked).toEqual([
    [resource, false],
    [resource, false],
  ])
})

it('of a dead process with a failed object is answered with the failure', async () => {
  const id = randomUUID()
  verb = making(dies)
  await post(id)
  now = after(now, minute + 1)
  const operationId = randomUUID()
  const fails = (error: Error): OnceVerb => ({ ...making(), reread: () => Promise.reject(error) })
  verb = fails(new Error('out of reach'))
  expect(await post(id)).toMatchObject(refusal(500, 19999))
  verb = fails(new RefusalError({ kind: 'not_found', reason: 'gone' }))
  expect(await post(id)).toMatchObject(refusal(404, 10004))
  verb = fails(new RefusalError({ kind: 'card_declined', reason: 'no', operationId }))
  const failed = { status: 402, body: { operation_id: operationId, reason: 'no' }, replayed: 'true' }
  expect(await post(id)).toMatchObject(failed)
  verb = making()
  expect(await post(id)).toMatchObject(failed)
})

it('and was answered by another process meanwhile gets that answer', async () => {
  const id = randomUUID()
  verb = {
    async work(key) {
      await claimed(key)
      await idempotency.keep(walletId, id, { status: 200, body: '{"other":true}' })
      return created('{"made":true}')
    },
  }
  expect(await post(id)).toEqual(again({ other: true }))
})

it('and claimed nothing that is known is in flight', async () => {
  verb = { work: async () => undefined }
  expect(await post(randomUUID())).toMatchObject({
    ...inFlight,
    body: { reason: 'the request is being processed' },
  })
})

it('is refused without a record is forgotten, unless it was answered before', async () => {
  const id = randomUUID()
  const refused: OnceVerb = { work: async () => deny('illegal_state', 'not now') }
  verb = refused
  expect(await post(id)).toMatchObject(refusal(409, 10013))
  verb = making()
  expect(await post(id)).toEqual(first({ made: true }))
  verb = refused
  expect(await post(id)).toEqual(again({ made: true }))
})

it('is refused with a record is answered so for good', async () => {
  const [id, operationId] = [randomUUID(), randomUUID()]
  verb = {
    async work(key) {
      await claimed(key)
      throw new RefusalError({ kind: 'card_declined', reason: 'no', operationId })
    },
  }
  expect(await post(id)).toMatchObject({
    status: 402,
    body: { operation_id: operationId },
    replayed: undefined,
  })
  verb = making()
  expect(await post(id)).toMatchObject({ status: 402, body: { operation_id: operationId }, replayed: 'true' })
})

it('is found by its object, and forgotten after 30 days', async () => {
  const id = randomUUID()
  verb = making()
  await post(id)
  const [resourceId = ''] = made
  const createdAt = now
  const found = (at = createdAt, wallet = walletId) =>
    findRequestsFor(database, wallet, [
      { id: resourceId, createdAt: at },
      { id: randomUUID(), createdAt: at },
    ])
  expect(await found()).toEqual([{ requestId: id, resourceId, href: `/things/${resourceId}`, createdAt }])
  expect([await found(after(createdAt, 1)), await found(createdAt, 2n)]).toEqual([[], []])
  now = after(createdAt, 30 * day)
  await idempotency.workers.requests.runDue()
  expect(await found()).toHaveLength(1)
  now = after(now, 1)
  await idempotency.workers.requests.runDue()
  expect(await found()).toEqual([])
})

it('is unknown where nothing was asked for under it', async () => {
  const key = { requestId: randomUUID(), fingerprint: new Uint8Array([1]) }
  expect(await idempotency.recall(walletId, key)).toEqual({ kind: 'unknown' })
})

it('with a broken verb ends with its error', async () => {
  verb = { work: () => Promise.reject(new Error('broken')) }
  expect(await post(randomUUID())).toMatchObject({ status: 500 })
  expect(thrown).toMatchObject({ message: 'broken' })
})
