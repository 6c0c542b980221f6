// Lists, details and health of callbacks, and test callbacks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventFilter, NewEvent } from '../../src/callbacks/index.ts'
import { examineEvent } from '../../src/callbacks/reading/event.ts'
import { makeFailedDue } from '../../src/callbacks/resend-store.ts'
import { newId, systemRandomness } from '../../src/kernel/random.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { after, day, hour, systemClock, toTimestamp } from '../../src/kernel/time.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { judgesTimes } from '../patience.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { CallbackWorld, secret, signingSecret } from './callbacks.ts'

/** The best of three runs counts, because other work shares the machine. */
async function quickestMs(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 3; n++) {
    const began = performance.now()
    await ask()
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}

describe.each(databaseKinds)('events on %s', (kind) => {
  let database: Database
  let receiver: Receiver
  let world: CallbackWorld
  let callbacks: ReturnType<CallbackWorld['callbacks']>

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    receiver = await startReceiver()
    world = new CallbackWorld(database)
    callbacks = world.callbacks()
    await callbacks.workers.callbacks.start()
  })
  afterAll(async () => {
    await callbacks.workers.callbacks.stop()
    await receiver.close()
    await database.close()
    expect(world.errors).toEqual([])
  })

  const found = async (walletId: bigint, filter: EventFilter = {}) =>
    (await callbacks.events(walletId, filter, { limit: 20 })).events.map(({ id }) => id)
  const newestFirst = (recorded: readonly NewEvent[]) =>
    recorded
      .map(({ id }) => id)
      .sort()
      .reverse()
  const failedOf = (walletId: bigint, count: number) => database.run(recordFailed, [walletId, count])
  const reaches = (event: NewEvent, state: string) =>
    expect.poll(async () => (await world.delivery(event)).state).toBe(state)

  it('an attempt that ends while the event is read is not shown with the state of before', async () => {
    const { promise: until, resolve: answer } = Promise.withResolvers<void>()
    receiver.script('/read', { before: () => until })
    const walletId = world.wallet(receiver.url('/read'))
    const [event] = (await world.record(walletId, 1)) as [NewEvent]
    await receiver.waitFor('/read', 1)
    const slowly: Database = {
      ...database,
      async run(asked, parameters) {
        const rows = await database.run(asked, parameters)
        answer()
        await reaches(event, 'DELIVERED')
        return rows
      },
    }
    const deps = { database: slowly, machineClock: systemClock, version: '1' }
    expect(await examineEvent(deps, walletId, event.id)).toMatchObject({ state: 'DELIVERED' })
  })

  it('are listed newest first, with all filters and pages', async () => {
    const walletId = world.wallet(receiver.url('/found'))
    const first = await world.record(walletId, 3)
    world.clock.advance(hour)
    const later = await world.record(walletId, 2, { kind: 'mandate', event: 'ACTIVE' })
    const unsent = await world.record(walletId, 1, { hasEndpoint: false })
    const other = await world.record(world.wallet(receiver.url('/found')), 1)
    for (const event of [...first, ...later]) await reaches(event, 'DELIVERED')

    expect(await found(walletId)).toEqual(newestFirst([...first, ...later, ...unsent]))
    expect(await found(walletId, { kinds: ['mandate'] })).toEqual(newestFirst(later))
    expect(await found(walletId, { event: 'ACTIVE' })).toEqual(newestFirst(later))
    expect(await found(walletId, { subject: first[1]?.subject })).toEqual([first[1]?.id])
    expect(await found(walletId, { subject: first[1]?.subject, kinds: ['charge'] })).toEqual([])
    expect(await found(walletId, { subject: other[0]?.subject })).toEqual([])
    expect(await found(walletId, { states: ['NO_ENDPOINT', 'GIVEN_UP'] })).toEqual(newestFirst(unsent))
    expect(await found(walletId, { states: ['DUE'] })).toEqual([])
    expect(await found(walletId, { until: later[0]?.createdAt })).toEqual(newestFirst(first))
    expect(await found(walletId, { from: later[0]?.createdAt })).toEqual(newestFirst([...later, ...unsent]))
    const seen: string[] = []
    let before: string | undefined
    do {
      const page = await callbacks.events(walletId, {}, { before, limit: 2 })
      seen.push(...page.events.map(({ id }) => id))
      before = page.next
    } while (before !== undefined)
    expect(seen).toEqual(newestFirst([...first, ...later, ...unsent]))
  })

  it('that were delivered long ago and never verified have a filter', async () => {
    const walletId = world.wallet(receiver.url('/verified'))
    const [verified, unverified] = (await world.record(walletId, 2)) as [NewEvent, NewEvent]
    for (const event of [verified, unverified]) await reaches(event, 'DELIVERED')
    const since = after(world.clock.now(), 1)
    expect(await found(walletId, { unverifiedSince: since })).toEqual(newestFirst([verified, unverified]))
    expect(await found(walletId, { unverifiedSince: after(since, -hour) })).toEqual([])
    await database.run(markVerified, [walletId, verified.id])
    expect(await found(walletId, { unverifiedSince: since })).toEqual([unverified.id])
  })

  it('are examined with their body as sent, headers without secrets, and every attempt', async () => {
    receiver.script('/examined', { status: 500 })
    const walletId = world.wallet(receiver.url('/examined'))
    const [event] = (await world.record(walletId, 1)) as [NewEvent]
    await expect.poll(async () => (await world.attempts(event)).length).toBe(1)
    receiver.script('/examined', { status: 200 })
    unwrap(await callbacks.resend(walletId, event.id))
    await reaches(event, 'DELIVERED')

    const examined = await callbacks.examine(walletId, event.id)
    const sent = receiver.received('/examined').at(-1)
    expect(examined).toMatchObject({ payload: sent?.body, state: 'DELIVERED', lastStatus: 200 })
    expect(examined?.tries.map(({ httpStatus }) => httpStatus)).toEqual([200, 500])
    const { authorization, 'webhook-signature': signature, ...headers } = examined?.headers ?? {}
    expect([authorization, signature]).toEqual(['Basic [hidden]', 'v1,[hidden]'])
    expect(Object.keys(sent?.headers ?? {})).toEqual(expect.arrayContaining(Object.keys(headers)))
    expect(headers['user-agent']).toBe(sent?.headers['user-agent'])
    expect(JSON.stringify(examined)).not.toContain(secret)
    expect(JSON.stringify(examined)).not.toContain(signingSecret)
    expect(await callbacks.examine(world.wallet(), event.id)).toBeUndefined()
  })

  it('show how each address does', async () => {
    const walletId = world.wallet(receiver.url('/doing'))
    const [received] = (await world.record(walletId, 1)) as [NewEvent]
    await reaches(received, 'DELIVERED')
    expect(await callbacks.endpoints(walletId)).toMatchObject([
      { lane: 'wallet', lastStatus: 200, failingSince: undefined, backlog: 0, givenUp: 0 },
    ])
    receiver.script('/doing', { status: 503 })
    world.clock.advance(hour)
    const failing = await world.record(walletId, 2)
    for (const event of failing) await expect.poll(async () => (await world.attempts(event)).length).toBe(1)
    const url = 'http://127.0.0.1:1/nobody'
    const [own] = (await world.record(walletId, 1, { endpoint: 'operation', url })) as [NewEvent]
    await expect.poll(async () => (await world.attempts(own)).length).toBe(1)
    await expect
      .poll(() => callbacks.endpoints(walletId))
      .toMatchObject([
        {
          lane: 'wallet',
          lastStatus: 503,
          lastReceivedAt: received.createdAt,
          failingSince: failing[0]?.createdAt,
          backlog: 2,
        },
        {
          lane: 'http://127.0.0.1:1',
          lastError: expect.stringContaining('ECONNREFUSED'),
          lastReceivedAt: undefined,
          backlog: 1,
        },
      ])
    receiver.script('/doing', { status: 200 })
  })

  it('test an address once, and prove that they come from here', async () => {
    const walletId = world.wallet(receiver.url('/ping'))
    const id = unwrap(await callbacks.ping(walletId, 'wallet'))
    await receiver.waitFor('/ping', 1)
    const [sent] = receiver.received('/ping')
    expect(sent?.headers['webhook-id']).toBe(id)
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ event: 'ping', ping_id: id, user: Number(walletId) })
    await expect.poll(async () => (await callbacks.examine(walletId, id))?.state).toBe('DELIVERED')

    receiver.script('/ping', { status: 500 })
    const failed = unwrap(await callbacks.ping(walletId, 'card'))
    await expect.poll(async () => (await callbacks.examine(walletId, failed))?.state).toBe('GIVEN_UP')
    expect((await callbacks.examine(walletId, failed))?.tries).toHaveLength(1)
    expect(await found(walletId, { kinds: ['ping'] })).toEqual([id, failed].sort().reverse())

    expect(await callbacks.ping(world.wallet(), 'wallet')).toMatchObject({
      refusal: { kind: 'illegal_state', reason: expect.stringContaining('no callback address') },
    })
  })

  it('test no private address in production', async () => {
    const production = world.callbacks({ publicOnly: true })
    const walletId = world.wallet('https://127.0.0.1/callbacks')
    await callbacks.workers.callbacks.stop()
    const id = unwrap(await production.ping(walletId, 'wallet'))
    await production.workers.callbacks.runDue(world.clock.now())
    expect((await production.examine(walletId, id))?.tries).toMatchObject([
      { httpStatus: null, error: expect.stringContaining('public addresses only') },
    ])
    await production.workers.callbacks.stop()
    await callbacks.workers.callbacks.start()
  })

  it.runIf(judgesTimes && kind === 'postgres')('are listed quickly among many', async () => {
    const walletId = world.wallet(receiver.url('/many'))
    const from = after(world.clock.now(), -30 * day)
    const first = newId(from, systemRandomness)
    await database.run(insertMany, [walletId, first.slice(0, 24)])
    await database.run({ text: 'analyze events' })
    await database.run({ text: 'analyze deliveries' })
    for (const filter of [
      {},
      { states: ['GIVEN_UP'] as const },
      { kinds: ['charge'] as const },
      { unverifiedSince: from },
    ]) {
      expect(await quickestMs(() => callbacks.events(walletId, filter, { limit: 50 }))).toBeLessThan(300)
    }
    expect(await quickestMs(() => callbacks.endpoints(walletId))).toBeLessThan(300)
  })

  it('are sent again in batches, 100 a second from the oldest on', async () => {
    const walletId = world.wallet(receiver.url('/again'))
    const others = world.wallet(receiver.url('/others'))
    await failedOf(walletId, 2500)
    await failedOf(others, 10)
    const now = after(world.clock.now(), day)
    expect(await makeFailedDue(database, walletId, now)).toEqual({ resent: 2500, more: false })
    const [spread] = await database.run(selectSpread, [walletId, toTimestamp(now)])
    expect(spread).toEqual({ due: 2500n, first: 0, last: 24.99, in_order: true })
    expect(await database.run(selectSpread, [others, toTimestamp(now)])).toMatchObject([{ due: 0n }])
    expect(await makeFailedDue(database, walletId, now)).toEqual({ resent: 0, more: false })
  })
})

const recordFailed = statement(`
  with recorded as (
    insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
    select $1::bigint, id, 'operation', id, 'COMPLETED', '{}', sha256('x'::bytea), now()
    from (select gen_random_uuid() as id from generate_series(1, $2::integer)) as made
    returning wallet_id, id
  )
  insert into deliveries (wallet_id, event_id, lane, endpoint, state, attempts, finished_at)
  select wallet_id, id, 'wallet', 'wallet', 'GIVEN_UP', 3, now() from recorded`)

const selectSpread = statement<{ due: bigint; first: number; last: number; in_order: boolean }>(`
  select count(*) as due, min(after)::float as first, max(after)::float as last, bool_and(after = place / 100.0) as in_order
  from (
    select extract(epoch from due_at - $2::timestamptz) as after, row_number() over (order by event_id) - 1 as place
    from deliveries where wallet_id = $1 and state = 'DUE' and attempts = 0 and due_at is not null
  ) as waiting`)

const markVerified = statement(`
  update deliveries set state = 'VERIFIED' where wallet_id = $1 and event_id = $2`)

const insertMany = statement(`
  with made as (
    insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
    select $1, ($2 || lpad(to_hex(n), 12, '0'))::uuid, 'operation', gen_random_uuid(), 'COMPLETED', '{}',
      sha256('x'), now()
    from generate_series(1, 200000) as n
    returning wallet_id, id
  )
  insert into deliveries (wallet_id, event_id, lane, endpoint, state, attempts, finished_at)
  select wallet_id, id, 'wallet', 'wallet', 'VERIFIED', 1, now() from made`)
