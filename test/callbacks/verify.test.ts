// POST /api/v2/callback/verify over HTTP.
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/http/index.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { ok, refuse } from '../../src/kernel/result.ts'
import { type Permission, permissions } from '../../src/kernel/values/permissions.ts'
import type { Database } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { CallbackWorld } from './callbacks.ts'

const operationId = '01900000-0000-7000-8000-00000000abcd'
const payload = {
  amount: 10,
  create_date: '2026-03-01T18:30:00+0000',
  ext_customerid: 'São João',
  ext_email: null,
  operation_id: operationId,
  rate: 0.1,
  user: 1000,
}
const genuine = JSON.stringify(payload)
const changed = (part: string, by: string) => genuine.replace(part, by)

describe.each(databaseKinds)('callback/verify on %s', (kind) => {
  let database: Database
  let receiver: Receiver
  let world: CallbackWorld
  let callbacks: ReturnType<CallbackWorld['callbacks']>
  let app: App
  let origin: string
  let walletId: bigint
  let otherId: bigint

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    receiver = await startReceiver()
    world = new CallbackWorld(database)
    callbacks = world.callbacks()
    walletId = world.wallet(receiver.url('/verify'))
    otherId = world.wallet(receiver.url('/other'))
    await world.record(walletId, 1, { subject: operationId, payload })
    app = createApp({
      config: {
        baseUrl: 'http://127.0.0.1',
        mode: 'sandbox',
        authSchemes: ['Comporta'],
        rateLimits: false,
      },
      clock: world.clock,
      random: systemRandomness,
      authenticate: { byApiKey: callerOf, isCurrent: () => true, esbTokenMatches: () => false },
      ready: async () => undefined,
      metrics: new Registry(),
    })
    callbacks.routes(app)
    origin = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await app.close()
    await callbacks.workers.callbacks.stop()
    await receiver.close()
    await database.close()
    expect(world.errors).toEqual([])
  })

  /** The key is the wallet's name: `mine`, `other`, `powerless`. */
  function callerOf(key: string) {
    const wallets = new Map([
      ['mine', walletId],
      ['powerless', walletId],
      ['other', otherId],
    ])
    const wallet = wallets.get(key)
    if (wallet === undefined) return refuse('invalid_api_key', 'unknown key')
    const granted: readonly Permission[] = key === 'powerless' ? ['operations'] : permissions
    return ok({ walletId: wallet, keyId: key, permissions: new Set(granted), rights: new Set<never>() })
  }

  async function verify(body: string | Uint8Array | undefined, key = 'mine', type = 'application/json') {
    const response = await fetch(`${origin}/api/v2/callback/verify`, {
      method: 'POST',
      headers: { authorization: `Comporta ${key}`, 'content-type': type },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { status: response.status, text, type: response.headers.get('content-type') }
  }

  it.each([
    ['as it was sent', genuine],
    ['with its keys in another order', JSON.stringify(Object.fromEntries(Object.entries(payload).reverse()))],
    ['with whitespace', JSON.stringify(payload, null, '\t')],
    ['with 10.0 for 10', changed('10', '10.0')],
    ['with 1e1 for 10', changed('10', '1e1')],
    ['with a sum of floating-point numbers for 0.1', changed('0.1', '0.10000000000000000555')],
    ['with a number for 10 that no double carries', changed('10', '10.0000000000000000001')],
    ['with escapes', changed('ã', '\\u00e3')],
  ])('answers true to a callback %s', async (_name, body) => {
    expect(await verify(body)).toEqual({ status: 200, text: 'true', type: 'application/json; charset=utf-8' })
  })

  it.each([
    ['another amount', changed('10', '11')],
    ['an amount as text', changed('10', '"10"')],
    ['a number that is no whole cent', changed('10', '10.00001')],
    ['a number that is nearly no whole cent', changed('0.1', '0.1000011')],
    ['a letter in another case', changed('São', 'são')],
    ['an accent written another way', changed('ã', 'a\u0303')],
    ['a field missing', changed(',"user":1000', '')],
    ['a null field missing', changed('"ext_email":null,', '')],
    ['a field more', changed('{', '{"more":null,')],
    ['a prototype more', changed('{', '{"__proto__":{"admin":true},')],
    ['a field twice', changed('{', '{"amount":10,')],
    ['the identifier in upper case', changed(operationId, operationId.toUpperCase())],
    ['another identifier', changed(operationId, '01900000-0000-7000-8000-00000000abce')],
    ['something behind it', `${genuine} x`],
    ['a list around it', `[${genuine}]`],
    ['an object around it', `{"callback":${genuine}}`],
    ['text for JSON', JSON.stringify(genuine)],
    ['half of it', genuine.slice(0, 40)],
    ['nothing', ''],
    ['whitespace', ' \n'],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1e400'],
    ['NUL', changed('São', '\\u0000')],
    ['half a surrogate pair', changed('São', '\\ud800')],
    ['a deep body', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    [
      'many identifiers',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [n, operationId]))),
    ],
  ])('answers false to %s', async (_name, body) => {
    expect(await verify(body)).toEqual({
      status: 400,
      text: 'false',
      type: 'application/json; charset=utf-8',
    })
  })

  it('answers false to bytes that are no UTF-8, to no body, and to a genuine one of another wallet', async () => {
    const broken = Buffer.from(genuine)
    broken[broken.indexOf(0xc3)] = 0xff
    expect(await verify(broken)).toMatchObject({ status: 400, text: 'false' })
    expect(await verify(undefined)).toMatchObject({ status: 400, text: 'false' })
    expect(await verify(genuine, 'other')).toMatchObject({ status: 400, text: 'false' })
  })

  it('reads the body with any content type', async () => {
    expect(await verify(genuine, 'mine', 'text/plain')).toMatchObject({ status: 200, text: 'true' })
  })

  it('asks for a key with the permission', async () => {
    expect(await verify(genuine, 'unknown')).toMatchObject({ status: 401 })
    expect(await verify(genuine, 'powerless')).toMatchObject({ status: 403 })
  })

  it.each(['DUE', 'GIVEN_UP', 'NO_ENDPOINT'])('ends the attempts of a delivery that is %s', async (state) => {
    const path = `/ended-${state}`
    receiver.script(path, { status: state === 'GIVEN_UP' ? 410 : 500 })
    world.wallets.set(walletId, { secret: 'AAAA', callbackUrl: receiver.url(path) })
    const [event] = await world.record(walletId, 1, { hasEndpoint: state !== 'NO_ENDPOINT' })
    if (event === undefined) throw new Error('nothing recorded')
    await callbacks.workers.callbacks.runDue(world.clock.now())
    expect(await world.delivery(event)).toMatchObject({ state })
    expect(await verify(JSON.stringify(event.payload))).toMatchObject({ text: 'true' })
    expect(await world.delivery(event)).toMatchObject({ state: 'VERIFIED', due_at: null })
    world.clock.advance(48 * 3_600_000)
    expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(0)
    expect(receiver.received(path)).toHaveLength(state === 'NO_ENDPOINT' ? 0 : 1)
  })

  it('may arrive before the callback is answered, with any answer', async () => {
    receiver.script('/in-flight', {
      status: 500,
      before: async ({ body }) => expect(await verify(body)).toMatchObject({ text: 'true' }),
    })
    world.wallets.set(walletId, { secret: 'AAAA', callbackUrl: receiver.url('/in-flight') })
    const [event] = await world.record(walletId)
    if (event === undefined) throw new Error('nothing recorded')
    expect(await callbacks.workers.callbacks.runDue(world.clock.now())).toBe(1)
    expect(await world.delivery(event)).toMatchObject({
      state: 'VERIFIED',
      attempts: 1,
      claim_id: null,
      last_status: 500,
    })
    expect(await world.attempts(event)).toHaveLength(1)
  })

  it('tells a delivery that arrived from one that was never verified', async () => {
    world.wallets.set(walletId, { secret: 'AAAA', callbackUrl: receiver.url('/arrived') })
    const [event] = await world.record(walletId)
    if (event === undefined) throw new Error('nothing recorded')
    await callbacks.workers.callbacks.runDue(world.clock.now())
    expect(await world.delivery(event)).toMatchObject({ state: 'DELIVERED' })
    expect(await verify(JSON.stringify(event.payload))).toMatchObject({ text: 'true' })
    expect(await world.delivery(event)).toMatchObject({ state: 'VERIFIED', attempts: 1 })
  })
})
