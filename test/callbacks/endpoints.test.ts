// Further endpoints: followed once, apart from each other, nothing lost.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callbackChecks } from '../../src/callbacks/audit.ts'
import { endpointSealedColumns, newSecret } from '../../src/callbacks/endpoints/secrets.ts'
import { deleteEndpoint, insertEndpoint } from '../../src/callbacks/endpoints/store.ts'
import { finalBefore } from '../../src/callbacks/feed/order.ts'
import { recordEvents } from '../../src/callbacks/index.ts'
import type { EventKind } from '../../src/callbacks/model.ts'
import { newId, systemRandomness } from '../../src/kernel/random.ts'
import type { Keyring } from '../../src/kernel/sealing.ts'
import { hour } from '../../src/kernel/time.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { createPostgresDatabase, databaseKinds, openTestDatabase } from '../database.ts'
import { patienceSeconds } from '../patience.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { CallbackWorld, keyring } from './callbacks.ts'

const countStates = statement<{ state: string; count: bigint }>(`
  select state, count(*) as count from endpoint_deliveries where wallet_id = $1 group by state`)
const countRows = statement<{ deliveries: bigint; attempts: bigint }>(`
  select (select count(*) from endpoint_deliveries where wallet_id = $1) as deliveries,
    (select count(*) from endpoint_attempts where wallet_id = $1) as attempts`)
const selectErrors = statement<{ last_error: string }>(
  'select last_error from endpoint_deliveries where wallet_id = $1',
)
const endLeases = statement('update endpoint_deliveries set claimed_until = now() where claim_id is not null')
const countUnfinal = statement<{ count: bigint }>(
  `select count(*) as count from events where wallet_id = $1 and not written_in < ${finalBefore}`,
)

/** Records events, and waits until no open transaction of the server could still come before them. */
async function recordFinal(world: CallbackWorld, ...asked: Parameters<CallbackWorld['record']>) {
  const events = await world.record(...asked)
  await untilFinal(world, asked[0])
  return events
}

async function untilFinal({ database }: CallbackWorld, walletId: bigint): Promise<void> {
  const limit = { timeout: patienceSeconds * 1000 }
  await expect.poll(() => database.run(countUnfinal, [walletId]), limit).toEqual([{ count: 0n }])
}

const giveUpOwn = statement(`
  update deliveries set state = 'GIVEN_UP', due_at = null, finished_at = now() where state = 'DUE'`)
const deleteAll = statement("update callback_endpoints set state = 'DELETED'")

const passwords = new Map<string, string>()

async function makeEndpoint(
  { database, clock }: CallbackWorld,
  walletId: bigint,
  url: string,
  kinds: readonly Exclude<EventKind, 'ping'>[] = [],
): Promise<string> {
  const at = clock.now()
  const id = newId(at, systemRandomness)
  const sealing = { keyring, random: systemRandomness }
  const password = newSecret(sealing, 'callback_secret', id)
  passwords.set(id, password.secret)
  const signing = newSecret(sealing, 'callback_signing_secret', id)
  const description = undefined
  expect(
    await insertEndpoint(database, { walletId, id, url, description, kinds, password, signing, at }),
  ).toBe(true)
  return id
}

/** A database that notes the statements about endpoints. */
function watched(database: Database): { readonly database: Database; readonly texts: string[] } {
  const texts: string[] = []
  const run: Database['run'] = (asked, parameters) => {
    if (/callback_endpoints|endpoint_deliveries|endpoint_attempts/.test(asked.text)) texts.push(asked.text)
    return database.run(asked, parameters)
  }
  return { database: Object.assign(Object.create(database), { run }), texts }
}

describe.each(databaseKinds)('further endpoints on %s', (kind) => {
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
    await database.run(deleteAll)
    await database.run(giveUpOwn)
    expect(world.errors).toEqual([])
  })

  const idsAt = (path: string) => receiver.received(path).map(({ headers }) => headers['webhook-id'])

  it('get each event once, however many processes follow', async () => {
    const walletId = world.wallet(receiver.url('/own'))
    for (let n = 0; n < 9; n++) await makeEndpoint(world, walletId, receiver.url(`/many-${n}`))
    const several = Array.from({ length: 3 }, () => world.callbacks())
    await Promise.all(several.map((callbacks) => callbacks.workers.callback_endpoints.start()))
    const events = await recordFinal(world, walletId, 40)
    for (const callbacks of several) callbacks.wake()
    for (let n = 0; n < 9; n++) await receiver.waitFor(`/many-${n}`, 40)
    await Promise.all(several.map((callbacks) => callbacks.workers.callback_endpoints.stop()))
    const wanted = events.map(({ id }) => id).sort()
    for (let n = 0; n < 9; n++) expect(idsAt(`/many-${n}`).sort()).toEqual(wanted)
    expect(await database.run(countStates, [walletId])).toEqual([{ state: 'DELIVERED', count: 360n }])
    expect(receiver.received('/own')).toEqual([])
  })

  it('wait for no endpoint of the wallet that hangs, also if it was quick before', async () => {
    const walletId = world.wallet()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const quick = 30
    for (let n = 0; n < 8; n++) {
      const path = `/hangs-${n}`
      receiver.script(path, { before: async () => receiver.received(path).length > quick && (await over) })
      await makeEndpoint(world, walletId, receiver.url(path))
    }
    const callbacks = world.callbacks()
    const { callback_endpoints: worker } = callbacks.workers
    await recordFinal(world, walletId, quick)
    await worker.runDue()
    await makeEndpoint(world, walletId, receiver.url('/well'))
    await recordFinal(world, walletId, 60)
    const running = worker.runDue()
    await receiver.waitFor('/well', 60)
    // The others hold all that they may hold, and still wait.
    for (let n = 0; n < 8; n++) expect(receiver.openAtOnce(`/hangs-${n}`)).toBeLessThanOrEqual(16)
    end()
    await running
    await worker.stop()
  })

  it('take no slot of the first address', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    receiver.script('/stuck', { before: () => over })
    const walletId = world.wallet(receiver.url('/first'))
    await makeEndpoint(world, walletId, receiver.url('/stuck'))
    const callbacks = world.callbacks()
    await recordFinal(world, walletId, 50)
    const stuck = callbacks.workers.callback_endpoints.runDue()
    await receiver.waitFor('/stuck', 8)
    expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(50)
    end()
    await stuck
    await Promise.all(Object.values(callbacks.workers).map((worker) => worker.stop()))
  })

  it('get again what a dead process had claimed, once its lease has run out', async () => {
    receiver.script('/crash', { kind: 'hang' }, { status: 200 })
    const walletId = world.wallet()
    await makeEndpoint(world, walletId, receiver.url('/crash'))
    await recordFinal(world, walletId)
    const dead = world.callbacks({ attemptTimeoutMs: hour })
    const abandoned = dead.workers.callback_endpoints.runDue()
    await receiver.waitFor('/crash', 1)
    const callbacks = world.callbacks()
    expect(await callbacks.workers.callback_endpoints.runDue()).toBe(0)
    await database.run(endLeases)
    expect(await callbacks.workers.callback_endpoints.runDue()).toBe(1)
    expect(await database.run(countStates, [walletId])).toEqual([{ state: 'DELIVERED', count: 1n }])
    await Promise.all([...[callbacks, dead].map((one) => one.workers.callback_endpoints.stop()), abandoned])
    expect(await database.run(countRows, [walletId])).toEqual([{ deliveries: 1n, attempts: 1n }])
  })

  it('leave nothing behind when they are deleted during an attempt', async () => {
    const { promise: deleted, resolve: answer } = Promise.withResolvers<void>()
    receiver.script('/gone', { before: () => deleted })
    const walletId = world.wallet()
    const id = await makeEndpoint(world, walletId, receiver.url('/gone'))
    await recordFinal(world, walletId, 20)
    const callbacks = world.callbacks()
    const running = callbacks.workers.callback_endpoints.runDue()
    await receiver.waitFor('/gone', 8)
    await deleteEndpoint(database, walletId, id)
    answer()
    await running
    await callbacks.workers.callback_endpoints.runDue()
    expect(await database.run(countRows, [walletId])).toEqual([{ deliveries: 0n, attempts: 0n }])
    expect(receiver.received('/gone')).toHaveLength(8)
    await callbacks.workers.callback_endpoints.stop()
  })

  it('get no callback at a private address in production', async () => {
    const walletId = world.wallet()
    await makeEndpoint(world, walletId, receiver.url('/private').replace('http:', 'https:'))
    await recordFinal(world, walletId)
    const callbacks = world.callbacks({ publicOnly: true })
    await callbacks.workers.callback_endpoints.runDue()
    expect(await database.run(selectErrors, [walletId])).toEqual([
      { last_error: expect.stringContaining('callbacks go to public addresses only') },
    ])
    expect(receiver.received('/private')).toEqual([])
    await callbacks.workers.callback_endpoints.stop()
  })

  it('keep their secrets when the master key is rotated', async () => {
    const walletId = world.wallet()
    const id = await makeEndpoint(world, walletId, receiver.url('/rotated'))
    const both: Keyring = { current: 2, keys: new Map([...keyring.keys, [2, new Uint8Array(32).fill(9)]]) }
    for (const column of endpointSealedColumns)
      await column.resealOnce(database, { keyring: both, random: systemRandomness })
    await recordFinal(world, walletId)
    const after = world.callbacks({
      keyring: { current: 2, keys: new Map([...both.keys].filter(([version]) => version === 2)) },
    })
    await after.workers.callback_endpoints.runDue()
    const [callback] = receiver.received('/rotated')
    expect(callback?.headers.authorization).toBe(`Basic ${btoa(`${id}:${passwords.get(id)}`)}`)
    await after.workers.callback_endpoints.stop()
  })

  it('with a broken secret stop no other', async () => {
    const walletId = world.wallet()
    const broken = await makeEndpoint(world, walletId, receiver.url('/broken'))
    await makeEndpoint(world, walletId, receiver.url('/whole'))
    await database.run(statement("update callback_endpoints set password_sealed = '\\x00' where id = $1"), [
      broken,
    ])
    await recordFinal(world, walletId, 3)
    const callbacks = world.callbacks()
    await callbacks.workers.callback_endpoints.runDue()
    expect(receiver.received('/whole')).toHaveLength(3)
    expect(receiver.received('/broken')).toEqual([])
    expect(world.errors.splice(0).map(String)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('SealBroken')),
    )
    await callbacks.workers.callback_endpoints.stop()
  })

  it('that lack a delivery are found by the audit', async () => {
    const walletId = world.wallet()
    await makeEndpoint(world, walletId, receiver.url('/audited'), ['charge'])
    const [lost] = await recordFinal(world, walletId, 1, { kind: 'charge' })
    await recordFinal(world, walletId, 1, { kind: 'mandate' })
    const callbacks = world.callbacks()
    await callbacks.workers.callback_endpoints.runDue()
    const findings = async () =>
      (await Promise.all(callbackChecks.map((check) => check.run(database))))
        .flatMap((done) => done.findings)
        .filter(({ check }) => check.startsWith('endpoint'))
    expect(await findings()).toEqual([])
    await database.run(statement('delete from endpoint_deliveries where event_id = $1'), [lost?.id])
    expect(await findings()).toMatchObject([{ check: 'endpoints_have_their_deliveries', subject: lost?.id }])
    const forged = randomUUID()
    await database.run(
      statement(`
        insert into endpoint_deliveries (wallet_id, endpoint_id, event_id, state, due_at)
        select wallet_id, id, $2, 'DUE', now() from callback_endpoints where wallet_id = $1`),
      [walletId, forged],
    )
    expect(await findings()).toContainEqual(
      expect.objectContaining({ check: 'endpoint_deliveries_have_events', subject: forged }),
    )
    await database.run(statement('delete from endpoint_deliveries where event_id = $1'), [forged])
    await callbacks.workers.callback_endpoints.stop()
  })

  it('cost a wallet without them nothing: no statement for its events', async () => {
    const { database: noted, texts } = watched(database)
    const callbacks = world.callbacks({ database: noted, pollMs: hour })
    await callbacks.workers.callback_endpoints.start()
    await expect.poll(() => texts.filter((text) => /select distinct wallet_id/.test(text)).length).toBe(1)
    texts.length = 0
    const walletId = world.wallet(receiver.url('/alone'))
    const offers = await world.offer(callbacks, walletId, 5)
    for (const { committed } of offers) committed()
    await callbacks.workers.callbacks.runDue()
    callbacks.wake()
    await receiver.waitFor('/alone', 5)
    expect(texts).toEqual([])
    await Promise.all(Object.values(callbacks.workers).map((worker) => worker.stop()))
  })
})

it('an event that commits late is followed too, in one order', async () => {
  const url = await createPostgresDatabase()
  const [database, other] = [openPostgres({ url }), openPostgres({ url })]
  const receiver = await startReceiver()
  const world = new CallbackWorld(database)
  const walletId = world.wallet()
  await makeEndpoint(world, walletId, receiver.url('/late'))
  const callbacks = world.callbacks()
  const { callback_endpoints: worker } = callbacks.workers
  const [early, late] = [world.event(walletId), world.event(walletId)]
  await other.transaction(async (tx) => {
    await recordEvents(tx, [early])
    await recordEvents(database, [late])
    // The event of the open transaction could still get an earlier position than the late event.
    expect(await worker.runDue()).toBe(0)
  })
  await untilFinal(world, walletId)
  await worker.runDue()
  expect(
    receiver
      .received('/late')
      .map(({ headers }) => headers['webhook-id'])
      .sort(),
  ).toEqual([early.id, late.id].sort())
  await worker.stop()
  await receiver.close()
  await Promise.all([database.close(), other.close()])
})
