// Concurrent workers: no double, lost or delayed delivery.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hour } from '../../src/kernel/time.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { createPostgresDatabase, databaseKinds, openTestDatabase } from '../database.ts'
import { judgesTimes, patienceSeconds } from '../patience.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { CallbackWorld } from './callbacks.ts'

const countStates = statement<{ state: string; count: bigint }>(`
  select state, count(*) as count from deliveries where wallet_id = $1 group by state`)

const countClaimed = statement<{ claimed: bigint; unclaimed: bigint }>(`
  select count(claim_id) as claimed, count(*) - count(claim_id) as unclaimed
  from deliveries where wallet_id = $1 and state = 'DUE'`)

const countTried = statement<{ count: bigint }>(
  'select count(*) as count from deliveries where wallet_id = $1 and attempts = 1',
)

const claimForAnHour = statement(`
  update deliveries set claim_id = event_id, claimed_until = now() + interval '1 hour' where event_id = $1`)
/** Ends every lease. */
const endLeases = statement('update deliveries set claimed_until = now() where claim_id is not null')
const giveUpTheRest = statement(`
  update deliveries set state = 'GIVEN_UP', due_at = null, finished_at = now() where state = 'DUE'`)

describe.each(databaseKinds)('workers on %s', (kind) => {
  let database: Database
  let receiver: Receiver
  let world: CallbackWorld

  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    receiver = await startReceiver()
    world = new CallbackWorld(database)
  })
  afterEach(async () => {
    await receiver.close()
    await database.run(giveUpTheRest)
    expect(world.errors).toEqual([])
  })

  it('deliver each event once, however many they are', async () => {
    receiver.script('/shared', { delayMs: 2 })
    const walletId = world.wallet(receiver.url('/shared'))
    const others = Array.from({ length: 20 }, (_, n) => world.wallet(receiver.url(`/shared-${n}`)))
    const several = Array.from({ length: 3 }, () => world.callbacks())
    await Promise.all(several.map((callbacks) => callbacks.workers.callbacks.start()))
    await world.record(walletId, 150)
    for (const other of others) await world.record(other, 5)
    for (const callbacks of several) callbacks.wake()
    await receiver.waitFor('/shared', 150)
    for (const n of others.keys()) await receiver.waitFor(`/shared-${n}`, 5)
    await Promise.all(several.map((callbacks) => callbacks.workers.callbacks.stop()))
    const all = receiver.received().map(({ headers }) => headers['webhook-id'])
    expect(new Set(all).size).toBe(all.length)
    expect(await database.run(countStates, [walletId])).toEqual([{ state: 'DELIVERED', count: 150n }])
  })

  it('send a quick endpoint more at once, and one that fails no more than any gets at first', async () => {
    const severalOpen = () =>
      vi.waitFor(() => expect(receiver.openAtOnce('/quick')).toBeGreaterThan(16), patienceSeconds * 1000)
    // The first answers are quick. The rest wait until more attempts are open than the first limit.
    receiver.script('/quick', {
      before: async () => receiver.received('/quick').length > 30 && (await severalOpen()),
    })
    receiver.script('/broken', { delayMs: 50, status: 503 })
    await world.record(world.wallet(receiver.url('/quick')), 200)
    await world.record(world.wallet(receiver.url('/broken')), 30)
    const callbacks = world.callbacks()
    await callbacks.workers.callbacks.runDue(world.clock.now())
    await severalOpen()
    expect(receiver.openAtOnce('/broken')).toBe(8)
    await callbacks.workers.callbacks.stop()
  })

  it('send what was written claimed as soon as it is committed, and no other process does', async () => {
    const callbacks = world.callbacks({ pollMs: 60_000 })
    await callbacks.workers.callbacks.start()
    const walletId = world.wallet(receiver.url('/offered'))
    const offered = await world.offer(callbacks, walletId, 3)
    const other = world.callbacks()
    expect(await other.workers.callbacks.runDue(world.clock.now())).toBe(0)
    expect(receiver.received('/offered')).toEqual([])
    for (const { committed } of offered) committed()
    await receiver.waitFor('/offered', 3)
    await expect
      .poll(() => database.run(countStates, [walletId]))
      .toEqual([{ state: 'DELIVERED', count: 3n }])
    await Promise.all([callbacks.workers.callbacks.stop(), other.workers.callbacks.stop()])
  })

  it('write claimed what they have slots for; the rest is queued, and is sent as well', async () => {
    receiver.script('/many', { delayMs: 20 })
    const callbacks = world.callbacks({ pollMs: 60_000 })
    await callbacks.workers.callbacks.start()
    const walletId = world.wallet(receiver.url('/many'))
    const offered = await world.offer(callbacks, walletId, 20)
    expect(await database.run(countClaimed, [walletId])).toEqual([{ claimed: 8n, unclaimed: 12n }])
    for (const { committed } of offered) committed()
    const callbacksCame = await receiver.waitFor('/many', 20)
    await expect
      .poll(() => database.run(countStates, [walletId]))
      .toEqual([{ state: 'DELIVERED', count: 20n }])
    expect(new Set(callbacksCame.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
    await callbacks.workers.callbacks.stop()
  })

  it('free the slots of events that were not recorded', async () => {
    const callbacks = world.callbacks({ pollMs: 60_000 })
    await callbacks.workers.callbacks.start()
    const walletId = world.wallet(receiver.url('/abandoned'))
    const leases = () => callbacks.offer(world.event(walletId)).columns.event_lease_ms
    const first = Array.from({ length: 8 }, () => callbacks.offer(world.event(walletId)))
    for (const { abandoned } of first) abandoned()
    expect(Array.from({ length: 8 }, leases)).not.toContain(null)
    expect(leases()).toBe(null)
    await callbacks.workers.callbacks.stop()
    expect(receiver.received('/abandoned')).toEqual([])
  })

  it('send what a process wrote claimed and died over, once its lease has run out', async () => {
    const dead = world.callbacks({ attemptTimeoutMs: hour, pollMs: hour })
    await dead.workers.callbacks.start()
    const walletId = world.wallet(receiver.url('/left'))
    await world.offer(dead, walletId, 2)
    const callbacks = world.callbacks()
    expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(0)
    await database.run(endLeases)
    expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(2)
    expect(await database.run(countStates, [walletId])).toEqual([{ state: 'DELIVERED', count: 2n }])
    await Promise.all([callbacks.workers.callbacks.stop(), dead.workers.callbacks.stop()])
  })

  it('never deliver one event at the same time, also when it is slow', async () => {
    const { promise: othersEnded, resolve: answer } = Promise.withResolvers<void>()
    receiver.script('/slow', { before: () => othersEnded })
    const [event] = await world.record(world.wallet(receiver.url('/slow')))
    if (event === undefined) throw new Error('nothing recorded')
    const several = Array.from({ length: 4 }, () => world.callbacks())
    let ended = 0
    const runs = several.map(async (callbacks) => {
      const count = await callbacks.workers.callbacks.runDue(world.clock.now())
      ended += 1
      return count
    })
    await expect.poll(() => ended).toBe(3)
    answer()
    const counts = await Promise.all(runs)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(receiver.received('/slow')).toHaveLength(1)
    await Promise.all(several.map((callbacks) => callbacks.workers.callbacks.stop()))
  })

  it('keep their claim when the clock of the sandbox jumps', async () => {
    const { promise: secondLooked, resolve: answer } = Promise.withResolvers<void>()
    receiver.script('/jump', { before: () => secondLooked })
    const [event] = await world.record(world.wallet(receiver.url('/jump')))
    if (event === undefined) throw new Error('nothing recorded')
    const [first, second] = [world.callbacks(), world.callbacks()]
    const delivered = first.workers.callbacks.runDue(world.clock.now())
    await receiver.waitFor('/jump', 1)
    world.clock.advance(48 * 3_600_000)
    expect(await second.workers.callbacks.runDue(world.clock.now())).toBe(0)
    answer()
    expect(await delivered).toBe(1)
    await Promise.all([first.workers.callbacks.stop(), second.workers.callbacks.stop()])
  })

  it('deliver again what a dead worker had claimed, once its lease has run out', async () => {
    receiver.script('/crash', { kind: 'hang' }, { status: 200 })
    const [event] = await world.record(world.wallet(receiver.url('/crash')))
    if (event === undefined) throw new Error('nothing recorded')
    // This worker hangs, so the others must treat it as dead.
    const dead = world.callbacks({ attemptTimeoutMs: hour })
    const abandoned = dead.workers.callbacks.runDue(world.clock.now())
    await receiver.waitFor('/crash', 1)
    const callbacks = world.callbacks()
    expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(0)
    await database.run(endLeases)
    expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(1)
    expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED', attempts: 1 })
    await Promise.all([callbacks.workers.callbacks.stop(), dead.workers.callbacks.stop(), abandoned])
  })

  it('do not finish a delivery that another process has claimed since', async () => {
    const { promise: firstGaveUp, resolve: answerSecond } = Promise.withResolvers<void>()
    const { promise: secondCame, resolve: cutFirst } = Promise.withResolvers<void>()
    receiver.script('/late', { kind: 'cut', before: () => secondCame }, { before: () => firstGaveUp })
    const [event] = await world.record(world.wallet(receiver.url('/late')))
    if (event === undefined) throw new Error('nothing recorded')
    const late = world.callbacks()
    const lateEnd = late.workers.callbacks.runDue(world.clock.now())
    await receiver.waitFor('/late', 1)
    await database.run(endLeases)
    world.clock.advance(1)
    const callbacks = world.callbacks()
    const delivered = callbacks.workers.callbacks.runDue(world.clock.now())
    await receiver.waitFor('/late', 2)
    cutFirst()
    await lateEnd
    expect(await world.delivery(event)).toMatchObject({
      state: 'DUE',
      attempts: 0,
      claim_id: expect.any(String),
    })
    answerSecond()
    await delivered
    expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED', attempts: 1, claim_id: null })
    // Both attempts happened and are recorded.
    expect((await world.attempts(event)).map(({ http_status }) => http_status)).toEqual([null, 200])
    await Promise.all([late.workers.callbacks.stop(), callbacks.workers.callbacks.stop()])
  })

  const takeOver = 'take over the claims of a killed process at once, on their own database'
  if (kind === 'pglite')
    it(takeOver, async () => {
      const [event] = await world.record(world.wallet(receiver.url('/killed')))
      if (event === undefined) throw new Error('nothing recorded')
      await database.run(claimForAnHour, [event.id])
      const callbacks = world.callbacks()
      expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(0)
      await callbacks.workers.callbacks.start()
      await receiver.waitFor('/killed', 1)
      await callbacks.workers.callbacks.stop()
      expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED' })
    })

  it('give back what is unanswered when they stop', async () => {
    receiver.script('/stopping', { kind: 'hang' }, { status: 200 })
    const [event] = await world.record(world.wallet(receiver.url('/stopping')))
    if (event === undefined) throw new Error('nothing recorded')
    const stopping = world.callbacks({ attemptTimeoutMs: hour })
    await stopping.workers.callbacks.start()
    await receiver.waitFor('/stopping', 1)
    await stopping.workers.callbacks.stop()
    expect(await world.delivery(event)).toMatchObject({ state: 'DUE', attempts: 0, claim_id: null })
    expect(await world.attempts(event)).toEqual([])
    const next = world.callbacks()
    expect(await next.workers.callbacks.runDue(world.clock.now())).toBe(1)
    expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED', attempts: 1 })
    await next.workers.callbacks.stop()
  })

  it('delay no other merchant when an endpoint hangs', async () => {
    const backlog = kind === 'postgres' ? 100_000 : 5_000
    receiver.script('/hanging', { kind: 'hang' })
    const hanging = world.wallet(receiver.url('/hanging'))
    for (let left = backlog; left > 0; left -= 5000) await world.record(hanging, Math.min(left, 5000))
    // The attempts of this worker never end.
    const callbacks = world.callbacks({ attemptTimeoutMs: hour, pollMs: 1000 })
    await callbacks.workers.callbacks.start()
    await receiver.waitFor('/hanging', 8)
    const waits: number[] = []
    for (let n = 0; n < 20; n++) {
      const path = `/prompt-${kind}-${n}`
      const walletId = world.wallet(receiver.url(path))
      const before = Date.now()
      await world.record(walletId)
      callbacks.wake()
      const [callback] = await receiver.waitFor(path, 1)
      waits.push((callback?.at ?? Number.POSITIVE_INFINITY) - before)
    }
    // The median counts, because other load changes single values.
    if (judgesTimes) expect(waits.toSorted((a, b) => a - b)[10]).toBeLessThan(1000)
    expect(receiver.openAtOnce('/hanging')).toBe(8)
    await callbacks.workers.callbacks.stop()
  })

  it('answer at the deadline what was delivered by then, and continue with the rest', async () => {
    const { promise: deadlinePassed, resolve: never } = Promise.withResolvers<void>()
    receiver.script('/never', { kind: 'cut', before: () => deadlinePassed }, { status: 200 })
    await world.record(world.wallet(receiver.url('/never')))
    const well = world.wallet(receiver.url('/well'))
    await world.record(well, 3)
    const callbacks = world.callbacks({ attemptTimeoutMs: hour })
    const deadline = new AbortController()
    const counted = callbacks.workers.callbacks.runDue(world.clock.now(), deadline.signal)
    await receiver.waitFor('/well', 3)
    await receiver.waitFor('/never', 1)
    await expect.poll(() => database.run(countStates, [well])).toEqual([{ state: 'DELIVERED', count: 3n }])
    deadline.abort()
    expect(await counted).toBe(3)
    // Only the end of the connection ends this attempt.
    const rest = callbacks.workers.callbacks.runDue(world.clock.now())
    never()
    expect(await rest).toBe(1)
    await callbacks.workers.callbacks.stop()
  })

  it('hold no address of a merchant up for another address of the same merchant', async () => {
    const second = await startReceiver()
    receiver.script('/dead-system', { kind: 'hang' })
    const walletId = world.wallet()
    await world.record(walletId, 700, { endpoint: 'operation', url: receiver.url('/dead-system') })
    // Attempts at the dead endpoint never end.
    const callbacks = world.callbacks({ attemptTimeoutMs: hour })
    await callbacks.workers.callbacks.start()
    await receiver.waitFor('/dead-system', 8)
    await world.record(walletId, 3, { endpoint: 'operation', url: second.url('/other-system') })
    callbacks.wake()
    await second.waitFor('/other-system', 3)
    await callbacks.workers.callbacks.stop()
    await second.close()
  })

  it('probe an endpoint that hangs with one attempt at a time, until it answers', async () => {
    const { promise: eightCame, resolve: cutEight } = Promise.withResolvers<void>()
    const { promise: looked, resolve: cutTheRest } = Promise.withResolvers<void>()
    const unanswered = (until: Promise<void>) => ({ kind: 'cut' as const, before: () => until })
    const steps = Array.from({ length: 10 }, (_, n) => unanswered(n < 8 ? eightCame : looked))
    receiver.script('/probed', ...steps, { status: 200 })
    const walletId = world.wallet(receiver.url('/probed'))
    await world.record(walletId, 30)
    const callbacks = world.callbacks()
    const finished = callbacks.workers.callbacks.runDue(world.clock.now())
    await receiver.waitFor('/probed', 8)
    // A fast failure blocks nothing.
    const newest = () => Math.max(...receiver.received('/probed').map(({ at }) => at))
    const untilHeldUp = () => expect.poll(() => Date.now() - newest()).toBeGreaterThan(1100)
    await untilHeldUp()
    cutEight()
    await receiver.waitFor('/probed', 9)
    await expect.poll(() => database.run(countTried, [walletId])).toEqual([{ count: 8n }])
    // The delivery of this event shows that the worker polled again.
    await world.record(world.wallet(receiver.url('/witness')))
    const enough = new AbortController()
    const witnessed = callbacks.workers.callbacks.runDue(world.clock.now(), enough.signal)
    await receiver.waitFor('/witness', 1)
    enough.abort()
    await witnessed
    // Eight attempts at once notice the failure, and a few more follow. After that there is one at a time.
    expect(receiver.received('/probed').length).toBeLessThanOrEqual(10)
    await untilHeldUp()
    cutTheRest()
    expect(await finished).toBe(31)
    expect(receiver.openAtOnce('/probed')).toBe(8)
    expect(await database.run(countStates, [walletId])).toEqual(
      expect.arrayContaining([
        { state: 'DELIVERED', count: 20n },
        { state: 'DUE', count: 10n },
      ]),
    )
    await callbacks.workers.callbacks.stop()
  })
})

it('a worker gives up on a silent database, for every statement', async () => {
  const url = await createPostgresDatabase()
  const [database, other] = [openPostgres({ url, answerMsMax: 1000 }), openPostgres({ url })]
  const world = new CallbackWorld(database)
  const callbacks = world.callbacks()
  const runDue = () => callbacks.workers.callbacks.runDue(world.clock.now())
  await other.transaction(async (tx) => {
    await tx.run(statement('lock table deliveries in access exclusive mode'))
    await expect(runDue()).rejects.toThrow('the database cannot be reached')
  })
  // On a slow machine any statement may take a second.
  await expect.poll(() => runDue().catch(() => 'unreachable')).toBe(0)
  await callbacks.workers.callbacks.stop()
  await Promise.all([database.close(), other.close()])
})
