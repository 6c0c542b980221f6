// Deliveries to a real receiver: schedule, headers, answers, timeouts.
import { createHmac } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { attemptDelaysMs } from '../../src/callbacks/sending/schedule.ts'
import { SealBroken } from '../../src/kernel/sealing.ts'
import { hour, second } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { CallbackWorld, secret, signingSecret } from './callbacks.ts'

describe.each(databaseKinds)('delivery on %s', (kind) => {
  let database: Database
  let receiver: Receiver
  let world: CallbackWorld
  let callbacks: ReturnType<CallbackWorld['callbacks']>
  const runDue = () => callbacks.workers.callbacks.runDue(world.clock.now())

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await database.close()
  })
  beforeEach(() => {
    world = new CallbackWorld(database)
    callbacks = world.callbacks()
  })
  afterEach(async () => {
    await callbacks.workers.callbacks.stop()
    expect(world.errors).toEqual([])
  })

  it('posts the frozen payload with headers that prove it', async () => {
    const walletId = world.wallet(receiver.url('/proof'))
    const [event] = await world.record(walletId, 1, {
      subject: '01900000-0000-7000-8000-000000000001',
      payload: {
        operation_id: '01900000-0000-7000-8000-000000000001',
        ext_customerid: 'São João "1"',
        amount: 0.1,
      },
    })
    if (event === undefined) throw new Error('nothing recorded')
    expect(await runDue()).toBe(1)
    const [callback] = receiver.received('/proof')
    expect(callback?.body).toBe(
      '{"operation_id":"01900000-0000-7000-8000-000000000001","ext_customerid":"São João \\"1\\"","amount":0.1}',
    )
    expect(callback?.method).toBe('POST')
    expect(callback?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`cb_${walletId}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
      'user-agent': 'Comporta/1.2.3',
      'webhook-id': event.id,
    })
    const timestamp = String(callback?.headers['webhook-timestamp'])
    expect(Number(timestamp)).toBe(Math.floor(world.clock.now() / second))
    const key = Buffer.from(signingSecret.slice('whsec_'.length), 'base64')
    const hmac = createHmac('sha256', key)
      .update(`${event.id}.${timestamp}.${callback?.body}`)
      .digest('base64')
    expect(callback?.headers['webhook-signature']).toBe(`v1,${hmac}`)
    expect(await world.delivery(event)).toMatchObject({
      state: 'DELIVERED',
      attempts: 1,
      due_at: null,
      claim_id: null,
      last_status: 200,
    })
  })

  it('repeats by the schedule, 13 times in all, then gives up and keeps the event', async () => {
    receiver.script('/failing', { status: 500 })
    const [event] = await world.record(world.wallet(receiver.url('/failing')))
    if (event === undefined) throw new Error('nothing recorded')
    for (const [index, delay] of attemptDelaysMs.entries()) {
      if (index > 0) {
        world.clock.advance(delay - 1)
        expect(await runDue()).toBe(0)
        world.clock.advance(delay * 0.1 + 1)
      }
      expect(await runDue()).toBe(1)
    }
    expect(await world.delivery(event)).toMatchObject({
      state: 'GIVEN_UP',
      attempts: 13,
      due_at: null,
      last_status: 500,
    })
    expect((await world.attempts(event)).map(({ http_status }) => http_status)).toEqual(Array(13).fill(500))
    const bodies = new Set(receiver.received('/failing').map(({ body }) => body))
    const ids = new Set(receiver.received('/failing').map(({ headers }) => headers['webhook-id']))
    expect([bodies.size, ids.size]).toEqual([1, 1])

    world.clock.advance(100 * 3_600_000)
    expect(await runDue()).toBe(0)
    receiver.script('/failing', { status: 200 })
    expect((await callbacks.resend(event.walletId, event.id)).ok).toBe(true)
    expect(await runDue()).toBe(1)
    expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED', attempts: 1 })
  })

  it.each([
    ['204', { status: 204 }, { state: 'DELIVERED', last_status: 204 }],
    ['410', { status: 410 }, { state: 'GIVEN_UP', last_status: 410, attempts: 1 }],
    ['404', { status: 404 }, { state: 'DUE', last_status: 404 }],
    ['a redirect', { status: 307, headers: { location: '/redirected' } }, { state: 'DUE', last_status: 307 }],
    ['no answer', { kind: 'hang' }, { state: 'DUE', last_status: null, last_error: 'no answer in time' }],
    [
      'a cut connection',
      { kind: 'cut' },
      { state: 'DUE', last_status: null, last_error: expect.stringContaining('other side closed') },
    ],
    ['a long body', { status: 200, body: 'x'.repeat(3_000_000) }, { state: 'DELIVERED', last_status: 200 }],
  ] as const)('interprets %s correctly', async (name, answer, expected) => {
    const path = `/answers/${encodeURIComponent(name)}`
    receiver.script(path, answer)
    const [event] = await world.record(world.wallet(receiver.url(path)))
    if (event === undefined) throw new Error('nothing recorded')
    // Only a missing answer needs the full timeout.
    const hangs = 'kind' in answer && answer.kind === 'hang'
    const impatient = world.callbacks({ attemptTimeoutMs: hangs ? 1000 : hour })
    expect(await impatient.workers.callbacks.runDue(world.clock.now())).toBe(1)
    await impatient.workers.callbacks.stop()
    expect(await world.delivery(event)).toMatchObject({ ...expected, attempts: 1 })
    expect(receiver.received(path)).toHaveLength(1)
    expect(receiver.received('/redirected')).toEqual([])
  })

  it('fails an attempt at an endpoint without a listener, and continues', async () => {
    const [event] = await world.record(world.wallet('http://127.0.0.1:1/callback'))
    if (event === undefined) throw new Error('nothing recorded')
    expect(await runDue()).toBe(1)
    expect(await world.delivery(event)).toMatchObject({
      state: 'DUE',
      attempts: 1,
      last_error: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('sends to the address of the event, of cards, or of the wallet, as they are at the attempt', async () => {
    const walletId = world.wallet(receiver.url('/general'), { cardCallbackUrl: receiver.url('/cards') })
    const plain = world.wallet(receiver.url('/plain'))
    await world.record(walletId, 1, { endpoint: 'operation', url: receiver.url('/own') })
    await world.record(walletId, 1, { endpoint: 'mandate', url: receiver.url('/mandate') })
    await world.record(walletId, 1, { endpoint: 'card' })
    await world.record(walletId, 1)
    await world.record(plain, 1, { endpoint: 'card' })
    const moved = world.wallets.get(walletId)
    if (moved !== undefined) moved.callbackUrl = receiver.url('/general-new')
    expect(await runDue()).toBe(5)
    const paths = ['/own', '/mandate', '/cards', '/general', '/general-new', '/plain']
    expect(paths.map((path) => receiver.received(path).length)).toEqual([1, 1, 1, 0, 1, 1])
  })

  it('parks what has no endpoint, at no cost, until it is sent by hand', async () => {
    const walletId = world.wallet()
    const [unset] = await world.record(walletId, 1, { hasEndpoint: false })
    const [removed] = await world.record(walletId)
    if (unset === undefined || removed === undefined) throw new Error('nothing recorded')
    expect(await runDue()).toBe(0)
    for (const event of [unset, removed]) {
      expect(await world.delivery(event)).toMatchObject({ state: 'NO_ENDPOINT', attempts: 0, due_at: null })
    }
    const wallet = world.wallets.get(walletId)
    if (wallet !== undefined) wallet.callbackUrl = receiver.url('/set-later')
    expect(await runDue()).toBe(0)
    await callbacks.resend(walletId, unset.id)
    expect(await runDue()).toBe(1)
    expect(await world.delivery(unset)).toMatchObject({ state: 'DELIVERED' })
  })

  it('sends again what was asked for during the last attempt', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    receiver.script('/during', { status: 410, before: () => over }, { status: 200 })
    const [event] = await world.record(world.wallet(receiver.url('/during')))
    if (event === undefined) throw new Error('nothing recorded')
    const running = runDue()
    await receiver.waitFor('/during', 1)
    await callbacks.resend(event.walletId, event.id)
    end()
    await running
    await runDue()
    expect(receiver.received('/during')).toHaveLength(2)
    expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED' })
    // The answer to the first one is kept too.
    const statuses = (await world.attempts(event)).map(({ http_status }) => http_status)
    expect(statuses.sort()).toEqual([200, 410])
  })

  it('ends if the secrets of the wallet cannot be opened', async () => {
    const walletId = world.wallet(receiver.url('/sealed'))
    const [event] = await world.record(walletId)
    if (event === undefined) throw new Error('nothing recorded')
    const broken = world.callbacks({
      credentialsOf: async () => {
        throw new SealBroken('it is too short')
      },
    })
    for (let attempt = 1; attempt <= 13; attempt++) {
      await broken.workers.callbacks.runDue(world.clock.now())
      expect(await world.delivery(event)).toMatchObject({ attempts: attempt, claim_id: null })
      world.clock.advance(14 * hour)
    }
    await broken.workers.callbacks.stop()
    const logged = world.errors.splice(0).filter((error) => String(error).includes(event.id))
    expect(logged).toHaveLength(13)
    expect(await world.delivery(event)).toMatchObject({
      state: 'GIVEN_UP',
      last_error: expect.stringContaining('cannot open the secrets'),
    })
  })

  it('refuses to send again what does not exist, or belongs to another wallet', async () => {
    const [event] = await world.record(world.wallet(receiver.url('/mine')), 1)
    if (event === undefined) throw new Error('nothing recorded')
    const other = await callbacks.resend(world.wallet(), event.id)
    expect(other).toMatchObject({ ok: false, refusal: { kind: 'not_found' } })
    await runDue()
  })

  it('offers the old secret within a rotation to a receiver that does not know the new one', async () => {
    receiver.script('/rotating', { status: 401 }, { status: 200 })
    const walletId = world.wallet(receiver.url('/rotating'), {
      previousSecret: 'the password before',
      signingSecrets: [signingSecret, 'whsec_b2xkIHNlY3JldCBvZiAyNCBieXRl'],
    })
    const [event] = await world.record(walletId)
    if (event === undefined) throw new Error('nothing recorded')
    expect(await runDue()).toBe(1)
    const offered = receiver
      .received('/rotating')
      .map(
        ({ headers }) =>
          Buffer.from(String(headers.authorization).slice('Basic '.length), 'base64')
            .toString()
            .split(':')[1],
      )
    expect(offered).toEqual([secret, 'the password before'])
    expect(String(receiver.received('/rotating')[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED', attempts: 1 })
  })

  it('delivers at once after a wake, and counts attempts', async () => {
    const slowPoll = world.callbacks({ pollMs: 60_000 })
    await slowPoll.workers.callbacks.start()
    const walletId = world.wallet(receiver.url('/woken'))
    await world.record(walletId, 3)
    slowPoll.wake()
    await receiver.waitFor('/woken', 3)
    await slowPoll.workers.callbacks.stop()
    const metrics = await slowPoll.registry.metrics()
    expect(metrics).toContain('comporta_callback_attempts_total{outcome="delivered"} 3')
    expect(metrics).toMatch(/comporta_callbacks_due \d+/)
  })

  it.each([
    ['https://127.0.0.1:9/inside', 'callbacks go to public addresses only'],
    ['https://[::1]:9/inside', 'callbacks go to public addresses only'],
    ['https://[::ffff:10.0.0.1]/inside', 'callbacks go to public addresses only'],
    ['https://0x7f.1/inside', 'callbacks go to public addresses only'],
    ['https://169.254.169.254/latest/meta-data', 'callbacks go to public addresses only'],
    ['http://93.184.216.34/plain', 'callbacks go to https addresses only'],
    ['ftp://93.184.216.34/plain', 'the address is not an http address'],
  ])('in production does not connect to %s', async (url, reason) => {
    const strict = world.callbacks({ publicOnly: true })
    const [event] = await world.record(world.wallet(url))
    if (event === undefined) throw new Error('nothing recorded')
    expect(await strict.workers.callbacks.runDue(world.clock.now())).toBe(1)
    expect(await world.delivery(event)).toMatchObject({
      state: 'DUE',
      attempts: 1,
      last_status: null,
      last_error: reason,
    })
    await strict.workers.callbacks.stop()
  })

  it('in production tells a name inside from one that does not exist neither by words nor by times', async () => {
    const strict = world.callbacks({ publicOnly: true })
    const tried = []
    for (const name of ['localhost', 'no-such-name.invalid']) {
      const walletId = world.wallet(`https://${name}/inside`)
      const [event] = await world.record(walletId)
      if (event === undefined) throw new Error('nothing recorded')
      await strict.workers.callbacks.runDue(world.clock.now())
      const [attempt] = (await strict.examine(walletId, event.id))?.tries ?? []
      tried.push([attempt?.httpStatus, attempt?.error, (attempt?.durationMs ?? 1) % 1000])
    }
    expect(tried).toEqual(Array(2).fill([null, expect.stringContaining('and this name has none'), 0]))
    await strict.workers.callbacks.stop()
  })

  it('in production opens no connection to this machine, by any name for it', async () => {
    let connections = 0
    const inside = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const { port } = inside.address() as AddressInfo
    const strict = world.callbacks({ publicOnly: true })
    for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0']) {
      await world.record(world.wallet(`https://${host}:${port}/strict`))
    }
    expect(await strict.workers.callbacks.runDue(world.clock.now())).toBe(5)
    expect(connections).toBe(0)
    await strict.workers.callbacks.stop()
    await new Promise((resolve) => inside.close(resolve))
  })
})
