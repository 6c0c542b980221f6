// Further callback endpoints, as a merchant's program uses them.
import { randomUUID } from 'node:crypto'
import { CallbackError, verifyCallback } from '@comporta/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import type { ReceivedCallback } from '../receiver.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { type Answer, cards, type Json, type Merchant, type World } from '../world.ts'

let world: World
let token: string
let other: Caller
beforeAll(async () => {
  world = await openWorld('postgres')
  token = await storeCard(world, cards.frictionless.number)
  const wallet = String(world.merchant('Sub Shop A').wallet_id)
  const { json } = await world.cli('key', 'create', wallet, '--permissions', 'callbacks,callback_endpoints')
  other = { api_key: json.api_key }
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})
afterEach(async () => {
  for (const caller of [world.shop, other])
    for (const { id } of (await done('GET', '', undefined, caller)).elements)
      await done('DELETE', `/${id}`, undefined, caller)
})

const endpoints = '/api/v2/callback_endpoints'

type Caller = Pick<Merchant, 'api_key'>

function send(method: string, path: string, body?: unknown, caller: Caller = world.shop): Promise<Answer> {
  const headers = {
    authorization: `Comporta ${caller.api_key}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return world.request(endpoints + path, { method, headers, ...sent })
}

async function done(method: string, path: string, body?: unknown, caller?: Caller): Promise<Json> {
  const answer = await send(method, path, body, caller)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

let paths = 0
const newPath = (name: string) => `/${name}-${++paths}`

/** A new endpoint at a path of the receiver. */
const endpointAt = (path: string, more: Json = {}, caller?: Caller): Promise<Json> =>
  done('POST', '', { url: world.receiver.url(path), ...more }, caller)

/** A payment; answers its id. */
const paid = async (): Promise<string> =>
  (await payByToken(world, token, { request_id: randomUUID(), callback: world.receiver.url('/operation') }))
    .id

const about = (callback: ReceivedCallback) => JSON.parse(callback.body)
const deliveriesOf = async (id: string, query = ''): Promise<Json[]> =>
  (await done('GET', `/${id}/deliveries${query}`)).elements

async function receivedAt(path: string, operationId: string): Promise<ReceivedCallback> {
  return world.eventually(async () =>
    world.receiver.received(path).find((callback) => about(callback).operation_id === operationId),
  )
}

describe('an endpoint', () => {
  it('gets the callback that the first address gets, signed with its own secrets', async () => {
    const path = newPath('stock')
    const made = await endpointAt(path, { description: 'Stock' })
    expect(made).toMatchObject({
      ...{ number: 2, url: world.receiver.url(path), description: 'Stock', kinds: [], status: 'ACTIVE' },
      ...{ callback_user: made.id, health: { backlog: 0, given_up: 0 } },
    })
    const id = await paid()
    const [own, first] = [await receivedAt(path, id), await receivedAt('/operation', id)]
    expect(own.body).toBe(first.body)
    expect(own.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(verifyCallback(own.body, own.headers, made.callback_signing_secret)).toMatchObject({
      operation_id: id,
    })
    const { callback_signing_secret: walletSecret } = world.shop
    expect(() => verifyCallback(own.body, own.headers, walletSecret)).toThrow(CallbackError)
    expect(() => verifyCallback(first.body, first.headers, made.callback_signing_secret)).toThrow(
      CallbackError,
    )
    expect(own.headers.authorization).toBe(`Basic ${btoa(`${made.id}:${made.callback_secret}`)}`)
  })

  it('shows its secrets once', async () => {
    const made = await endpointAt(newPath('once'))
    for (const answer of [await done('GET', ''), await done('GET', `/${made.id}`)]) {
      expect(JSON.stringify(answer)).not.toContain(made.callback_secret)
      expect(JSON.stringify(answer)).not.toContain(made.callback_signing_secret)
    }
    const log = (await world.shop.get('/api/v2/request_log')).text
    expect(log).not.toContain(made.callback_secret)
    expect(log).not.toContain(made.callback_signing_secret)
  })

  it('changes neither the feed of events nor the first delivery', async () => {
    const path = newPath('fails')
    world.receiver.script(path, { status: 500 })
    await endpointAt(path)
    const id = await paid()
    await receivedAt(path, id)
    await receivedAt('/operation', id)
    const found = await world.eventually(async () => {
      const { events } = (await world.shop.get('/api/v2/events')).body
      const mine = events.filter((event: Json) => event.body.operation_id === id)
      return mine[0]?.delivery.state === 'DELIVERED' && mine
    })
    expect(found).toHaveLength(1)
    expect(found[0].delivery).toMatchObject({ attempts: 1, last_status: 200 })
  })

  it('gets only the kinds of its filter, from a change on', async () => {
    const path = newPath('cards')
    const made = await endpointAt(path, { kinds: ['card_stored'] })
    const id = await paid()
    await receivedAt('/operation', id)
    await storeCard(world, cards.frictionless.number)
    await world.receiver.waitFor(path, 1)
    await done('PATCH', `/${made.id}`, { kinds: ['OPERATION', 'charge'] })
    const later = await paid()
    await receivedAt(path, later)
    const types = world.receiver.received(path).map((callback) => about(callback).type)
    expect(types).toEqual(['ADD_CARD', 'PAYMENT'])
    expect((await done('GET', `/${made.id}`)).kinds).toEqual(['operation', 'charge'])
  })

  it('gets the events of its pause after it', async () => {
    const path = newPath('pause')
    const made = await endpointAt(path)
    expect((await done('PATCH', `/${made.id}`, { status: 'PAUSED' })).status).toBe('PAUSED')
    const ids = [await paid(), await paid()]
    await receivedAt('/operation', ids[1] ?? '')
    await world.advance('PT1H')
    expect(world.receiver.received(path)).toEqual([])
    expect((await send('POST', `/${made.id}/test`)).body.code).toBe(10013)
    await done('PATCH', `/${made.id}`, { status: 'active' })
    await world.receiver.waitFor(path, 2)
    expect(
      world.receiver
        .received(path)
        .map((callback) => about(callback).operation_id)
        .sort(),
    ).toEqual(ids.sort())
  })

  it('is signed with both secrets after a rotation, for 24 hours', async () => {
    const path = newPath('rotated')
    const made = await endpointAt(path)
    const kind = 'callback_signing_secret'
    const { secret, overlap } = await done('POST', `/${made.id}/secrets`, { kind })
    expect(secret).toMatch(/^whsec_/)
    expect((await done('GET', `/${made.id}`)).callback_signing_secret_overlap).toBe(overlap)
    const during = await receivedAt(path, await paid())
    const secretsThatFit = ({ body, headers }: ReceivedCallback) =>
      [secret, made.callback_signing_secret].filter((one) => {
        const signatures = String(headers['webhook-signature']).split(' ')
        return signatures.some((signature) => {
          try {
            return verifyCallback(body, { ...headers, 'webhook-signature': signature }, one) !== undefined
          } catch {
            return false
          }
        })
      })
    expect(secretsThatFit(during)).toHaveLength(2)
    await world.advance('PT25H')
    expect(secretsThatFit(await receivedAt(path, await paid()))).toEqual([secret])
    expect(await done('GET', `/${made.id}`)).not.toHaveProperty('callback_signing_secret_overlap')
  })

  it('tries the old password if the new one is refused', async () => {
    const path = newPath('password')
    const made = await endpointAt(path)
    const { secret } = await done('POST', `/${made.id}/secrets`, { kind: 'callback_secret' })
    world.receiver.script(path, { status: 401 }, { status: 200 })
    await paid()
    const [first, second] = await world.receiver.waitFor(path, 2)
    expect(first?.headers.authorization).toBe(`Basic ${btoa(`${made.id}:${secret}`)}`)
    expect(second?.headers.authorization).toBe(`Basic ${btoa(`${made.id}:${made.callback_secret}`)}`)
    const [delivery] = await world.eventually(async () => {
      const found = await deliveriesOf(made.id)
      return found[0]?.status === 'DELIVERED' && found
    })
    expect(delivery).toMatchObject({ attempts: 1 })
  })
})

describe('deliveries', () => {
  it('are repeated for each endpoint alone, and show in its health', async () => {
    const [broken, well] = [newPath('broken'), newPath('well')]
    world.receiver.script(broken, { status: 500 })
    const [ill, healthy] = [await endpointAt(broken), await endpointAt(well)]
    const id = await paid()
    await receivedAt(well, id)
    await world.advance('PT1M')
    await world.receiver.waitFor(broken, 3)
    expect(world.receiver.received(well)).toHaveLength(1)
    const health = async (one: Json) => (await done('GET', `/${one.id}`)).health
    expect(await health(ill)).toMatchObject({
      backlog: 1,
      last_status: 500,
      failing_since: expect.anything(),
    })
    expect(await health(healthy)).toMatchObject({
      backlog: 0,
      last_status: 200,
      last_received: expect.anything(),
    })
    expect(await health(healthy)).not.toHaveProperty('failing_since')
    const lost = await world.eventually(async () => {
      await world.advance('PT13H')
      return (await deliveriesOf(ill.id, '?status=GIVEN_UP'))[0]
    })
    expect(lost).toMatchObject({ status: 'GIVEN_UP', attempts: 13, kind: 'operation', subject_id: id })
    const one = await done('GET', `/${ill.id}/deliveries/${lost.event_id}`)
    expect(one.answers).toHaveLength(13)
    expect(one.answers[0]).toMatchObject({ status: 500, duration_ms: expect.any(Number) })
    world.receiver.script(broken, { status: 200 })
    expect(await done('POST', `/${ill.id}/resend`, {})).toEqual({ resent: 1, more: false })
    await world.eventually(async () => (await deliveriesOf(ill.id))[0]?.status === 'DELIVERED')
    expect(await health(ill)).toMatchObject({ backlog: 0, given_up: 0, last_status: 200 })
  })

  it('of any event of the wallet can be asked for, of another wallet not', async () => {
    const id = await paid()
    const first = await receivedAt('/operation', id)
    const eventId = String(first.headers['webhook-id'])
    const path = newPath('later')
    const made = await endpointAt(path, { kinds: ['mandate'] })
    expect(await done('POST', `/${made.id}/resend`, { event_id: eventId })).toEqual({
      resent: 1,
      more: false,
    })
    await receivedAt(path, id)
    const theirs = await endpointAt(newPath('theirs'), {}, other)
    const refused = await send('POST', `/${theirs.id}/resend`, { event_id: eventId }, other)
    expect(refused.body).toMatchObject({ code: 10004, reason: `event ${eventId} does not exist` })
    expect((await send('POST', `/${made.id}/resend`, {}, other)).status).toBe(404)
  })

  it('test one endpoint with a ping', async () => {
    const [path, silent] = [newPath('tested'), newPath('untested')]
    const made = await endpointAt(path)
    await endpointAt(silent)
    world.receiver.script(path, { status: 404 })
    const { event_id: eventId } = await done('POST', `/${made.id}/test`)
    const [ping] = await world.receiver.waitFor(path, 1)
    expect(about(ping as ReceivedCallback)).toMatchObject({ event: 'ping', ping_id: eventId })
    const delivery = await world.eventually(async () => {
      const found = await done('GET', `/${made.id}/deliveries/${eventId}`)
      return found.status !== 'DUE' && found
    })
    expect(delivery).toMatchObject({
      ...{ status: 'GIVEN_UP', kind: 'ping', attempts: 1, answers: [{ status: 404 }] },
    })
    expect(await done('POST', `/${made.id}/resend`, {})).toEqual({ resent: 1, more: false })
    await world.receiver.waitFor(path, 2)
    await receivedAt(silent, await paid())
    expect(world.receiver.received(silent)).toHaveLength(1)
  })

  it('end with their endpoint', async () => {
    const path = newPath('deleted')
    world.receiver.script(path, { status: 503 })
    const made = await endpointAt(path)
    const id = await paid()
    await receivedAt(path, id)
    await world.eventually(async () => (await deliveriesOf(made.id))[0]?.attempts === 1)
    expect(await done('DELETE', `/${made.id}`)).toEqual({})
    const soFar = world.receiver.received(path).length
    await world.advance('P2D')
    expect(world.receiver.received(path)).toHaveLength(soFar)
    expect((await send('GET', `/${made.id}/deliveries`)).status).toBe(404)
    const found = (await world.shop.get('/api/v2/events?limit=100')).body.events
    expect(found.some((event: Json) => event.body.operation_id === id)).toBe(true)
  })

  it('two changes at once: one wins, and the other is refused', async () => {
    const made = await endpointAt(newPath('both'))
    const answers = await Promise.all([
      send('PATCH', `/${made.id}`, { status: 'PAUSED' }),
      send('PATCH', `/${made.id}`, { description: 'stock' }),
    ])
    const last = await done('GET', `/${made.id}`)
    const won = answers.filter(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).every((status) => [200, 409].includes(status))).toBe(true)
    expect([last.status === 'PAUSED', last.description === 'stock'].filter(Boolean)).toHaveLength(won.length)
  })

  it('are kept for 90 days', async () => {
    const path = newPath('kept')
    const made = await endpointAt(path)
    const id = await paid()
    const { headers } = await receivedAt(path, id)
    await world.eventually(async () => (await deliveriesOf(made.id))[0]?.status === 'DELIVERED')
    await world.advance('P89D')
    expect(await deliveriesOf(made.id)).toHaveLength(1)
    await world.advance('P2D')
    expect(await deliveriesOf(made.id)).toHaveLength(0)
    expect((await world.cli('audit')).json).toMatchObject({ ok: true })
    await done('POST', `/${made.id}/resend`, { event_id: headers['webhook-id'] })
    await world.receiver.waitFor(path, 2)
  })
})

it('one that never answers delays neither another endpoint nor another wallet', async () => {
  const [hung, well, theirs] = [newPath('hung'), newPath('well'), newPath('theirs')]
  world.receiver.script(hung, { kind: 'hang' })
  const made = await endpointAt(hung)
  await endpointAt(well)
  const ofOther = await endpointAt(theirs, {}, other)
  const ids = await Promise.all(Array.from({ length: 40 }, paid))
  await done('POST', `/${ofOther.id}/test`, undefined, other)
  await world.receiver.waitFor(theirs, 1)
  await world.receiver.waitFor(well, ids.length)
  for (const id of ids) await receivedAt('/operation', id)
  // The first attempts at the endpoint that hangs still wait for an answer.
  const waiting = await deliveriesOf(made.id, '?status=DUE&limit=30')
  expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true)
  expect(world.receiver.openAtOnce(hung)).toBeLessThanOrEqual(8)
})

describe('refusals', () => {
  const url = 'https://shop.example/callbacks'

  it.each([
    [{}, 10001, 'url'],
    [{ url: 'shop.example' }, 10002, 'url must be an absolute https or http URL'],
    [{ url: 'ftp://shop.example' }, 10002, 'url must be an absolute https or http URL'],
    [{ url: 'https://me:secret@shop.example' }, 10002, 'url must be an absolute https or http URL without'],
    [{ url: `https://shop.example/${'a'.repeat(2048)}` }, 10002, 'url'],
    [{ url, kinds: ['operation', 'ping'] }, 10002, 'kinds[1] must be one of operation, card_stored'],
    [{ url, kinds: 'operation' }, 10002, 'kinds'],
    [{ url, description: 'a'.repeat(101) }, 10002, 'description'],
  ])('of a wrong field (%#)', async (body, code, reason) => {
    const error = (await send('POST', '', body)).body
    expect(error).toMatchObject({ code, reason: expect.stringContaining(reason) })
  })

  it('of an eleventh endpoint, and of an address that is in use', async () => {
    const urls = Array.from({ length: 9 }, (_, n) => `https://shop.example/${n}`)
    const made = await Promise.all(urls.map((url) => done('POST', '', { url })))
    expect(made.map(({ number }) => number).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect((await send('POST', '', { url })).body).toMatchObject({
      code: 10013,
      reason: 'the wallet already has 10 endpoints: delete one first',
    })
    expect((await send('PATCH', `/${made[0].id}`, { url: urls[1] })).body).toMatchObject({
      code: 10013,
      reason: `the endpoint ${made[1].id} already has this url`,
    })
    await done('DELETE', `/${made[3].id}`)
    expect((await send('POST', '', { url: urls[0] })).body.code).toBe(10013)
    expect(await done('POST', '', { url })).toMatchObject({ number: made[3].number })
  })

  it('of an unknown endpoint, delivery or word', async () => {
    const made = await endpointAt(newPath('known'))
    for (const [method, path, body] of [
      ['GET', `/${randomUUID()}`],
      ['PATCH', `/${randomUUID()}`, {}],
      ['DELETE', `/${randomUUID()}`],
      ['POST', `/${randomUUID()}/test`],
      ['POST', `/${randomUUID()}/secrets`, { kind: 'callback_secret' }],
      ['GET', `/${made.id}/deliveries/${randomUUID()}`],
    ] as const)
      expect((await send(method, path, body)).body.code, `${method} ${path}`).toBe(10004)
    expect((await send('POST', `/${made.id}/secrets`, { kind: 'other' })).body).toMatchObject({
      code: 10002,
      reason: 'kind must be callback_secret or callback_signing_secret',
    })
    expect((await send('PATCH', `/${made.id}`, { status: 'OFF' })).body).toMatchObject({
      code: 10002,
      reason: 'status must be ACTIVE or PAUSED',
    })
    expect((await send('GET', `/${made.id}/deliveries?status=LOST`)).body.code).toBe(10002)
  })
})
