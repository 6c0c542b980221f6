// Retries of the SDK over a TCP proxy that cuts connections.
import { Comporta, ConnectionError, GatewayError, RateLimitError, TimeoutError } from '@comporta/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { storeCard } from '../stored-cards.ts'
import { cards, type World } from '../world.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

let world: World
let proxy: TcpProxy
let token: string

beforeAll(async () => {
  world = await openWorld()
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(() => world.stop())
// A request that was aborted may leave a connection for a later test.
beforeEach(async () => {
  proxy = await startTcpProxy(world.baseUrl)
})
afterEach(() => proxy.close())

/** Each request has its own connection, so that a cut breaks only one request. */
const fetchAlone: typeof fetch = (url, init) =>
  fetch(url, { ...init, headers: { ...init?.headers, connection: 'close' } })

function clientOf(change: Partial<ConstructorParameters<typeof Comporta>[0]> = {}): Comporta {
  const { api_key: apiKey, esb_token: esbToken } = world.shop
  return new Comporta({ apiKey, esbToken, baseUrl: proxy.baseUrl, fetch: fetchAlone, ...change })
}

function payOnce(invoice: string, client = clientOf()) {
  const urls = {
    cardsecure_url_confirm: 'https://shop.example/',
    cardsecure_url_cancel: 'https://shop.example/',
  }
  const callback = 'https://shop.example/callbacks'
  const asked = {
    method: 'CC',
    amount: '7.00',
    currency: 'EUR',
    ext_invoiceid: invoice,
    card: { token },
  } as const
  return client.cards.pay({ ...asked, ...urls, callback })
}

async function paymentsOf(invoice: string) {
  return (await clientOf({ baseUrl: world.baseUrl }).operations.list({ ext_invoiceid: invoice })).elements
}

async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('a payment', () => {
  it.each([
    ['the request is cut off', ['request']],
    ['the answer is lost', ['answer']],
    ['two answers are lost', ['answer', 'answer']],
  ] as const)('is made once when %s', async (lost, cuts) => {
    proxy.cutNext(...cuts)
    const before = proxy.connections()
    const { id, status } = await payOnce(lost)
    expect([status, proxy.connections() - before]).toEqual(['COMPLETED', cuts.length + 1])
    expect((await paymentsOf(lost)).map((one) => one.id)).toEqual([id])
  })

  it('that gives up says under which request id to ask what became of it', async () => {
    proxy.cutNext('answer', 'answer')
    const error = (await errorOf(payOnce('given up', clientOf({ retries: 1 })))) as ConnectionError
    expect(error).toBeInstanceOf(ConnectionError)
    expect([error.attempts, error.code]).toEqual([2, undefined])
    const direct = clientOf({ baseUrl: world.baseUrl })
    const outcome = await world.eventually(async () => {
      const outcome = await direct.requests.get(error.requestId ?? '')
      return outcome.status === 'COMPLETED' && outcome
    })
    const [payment] = await paymentsOf('given up')
    expect(outcome.href).toContain(payment?.id)
  })
})

describe('what is no payment', () => {
  it('is asked again when it only reads', async () => {
    proxy.cutNext('answer')
    expect(await clientOf().account.balance()).toMatchObject({ currency: 'EUR' })
  })

  it('is sent once when a second time would be another thing', async () => {
    const { id } = await world.createCheckout()
    proxy.cutNext('answer')
    expect(await errorOf(clientOf().checkouts.void(id))).toMatchObject({
      name: 'ConnectionError',
      attempts: 1,
    })
  })

  it('is sent again when it never reached the gateway', async () => {
    const nobody = clientOf({ baseUrl: `http://127.0.0.1:${await freePort()}`, retries: 1 })
    const error = await errorOf(nobody.checkouts.void(crypto.randomUUID()))
    expect(error).toMatchObject({
      name: 'ConnectionError',
      attempts: 2,
      reason: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe('time', () => {
  it('ends an attempt that hears nothing, and the next one succeeds', async () => {
    proxy.cutNext('silence')
    const before = proxy.connections()
    // On a slow machine more attempts may reach their time limit.
    const client = clientOf({ timeout: 2_000, totalTimeout: Number.POSITIVE_INFINITY, retries: 100 })
    expect(await client.account.balance()).toMatchObject({ currency: 'EUR' })
    expect(proxy.connections() - before).toBeGreaterThan(1)
  })

  it('ends the whole call', async () => {
    proxy.cutNext('silence', 'silence', 'silence', 'silence')
    const error = await errorOf(clientOf({ timeout: 300, totalTimeout: 700 }).account.balance())
    expect(error).toBeInstanceOf(TimeoutError)
    // `retries` alone would end it after the fourth attempt.
    expect((error as TimeoutError).attempts).toBeLessThan(4)
  })

  it('ends the only attempt of a call', async () => {
    proxy.cutNext('silence')
    const error = await errorOf(clientOf({ timeout: 3_600_000, totalTimeout: 300 }).account.balance())
    expect(error).toBeInstanceOf(TimeoutError)
  })

  it('ends with the signal of the caller, whose reason is thrown', async () => {
    proxy.cutNext('silence')
    const controller = new AbortController()
    const before = proxy.connections()
    const call = errorOf(clientOf().account.balance({ signal: controller.signal }))
    await world.eventually(async () => proxy.connections() > before)
    controller.abort(new Error('the customer went away'))
    expect(await call).toMatchObject({ message: 'the customer went away' })
  })
})

describe('an answer of something between', () => {
  const path = '/api/v2/balance'
  const balance = { status: 200, body: '{"balance":1.1}' }

  function clientOfReceiver(change = {}): Comporta {
    return clientOf({ baseUrl: world.receiver.origin, ...change })
  }

  it('that asks for time is given it', async () => {
    world.receiver.script(path, { status: 429, headers: { 'retry-after': '1' } }, balance)
    const started = performance.now()
    expect(await clientOfReceiver().account.balance()).toEqual({ balance: '1.10' })
    expect(performance.now() - started).toBeGreaterThanOrEqual(990)
  })

  it('that asks for more time than there is ends the call', async () => {
    world.receiver.script(path, { status: 429, headers: { 'retry-after': '60' } })
    const error = await errorOf(clientOfReceiver({ totalTimeout: 5_000 }).account.balance())
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfter: 60, attempts: 1 })
  })

  it('that is no JSON is an error with its status', async () => {
    world.receiver.script(path, { status: 502, body: '<h1>Bad gateway</h1>' })
    const error = await errorOf(clientOfReceiver({ retries: 1 }).account.balance())
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ status: 502, code: undefined, attempts: 2 })
  })

  it('that is no JSON although all is said to be well is no answer of the gateway', async () => {
    world.receiver.script(path, { status: 200, body: '<h1>Sign in to this network</h1>' })
    const error = await errorOf(clientOfReceiver().account.balance())
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ status: 200, code: undefined, attempts: 1 })
  })

  it.each(['', 'null', '<h1>Sign in</h1>'])(
    'that is "%s" where a refund should be leaves open what became of it',
    async (body) => {
      const id = crypto.randomUUID()
      world.receiver.script(`/api/v2/operations/${id}/refund`, { status: 200, body })
      const error = await errorOf(clientOfReceiver().operations.refund(id))
      expect(error).toBeInstanceOf(GatewayError)
      expect(error).toMatchObject({ status: 200, code: undefined, requestId: expect.any(String) })
    },
  )

  it('that is a page where a mandate should end is no answer of the gateway', async () => {
    const id = crypto.randomUUID()
    world.receiver.script(`/api/v2/mandate/mbway/${id}`, { status: 200, body: '<h1>Sign in</h1>' })
    expect(await errorOf(clientOfReceiver().mandates.end(id))).toMatchObject({ status: 200, code: undefined })
  })

  it('that leads elsewhere is not followed, and said once', async () => {
    const location = `${world.receiver.origin}/elsewhere`
    world.receiver.script(path, { status: 302, headers: { location } })
    expect(await errorOf(clientOfReceiver().account.balance())).toMatchObject({
      name: 'GatewayError',
      status: 302,
      attempts: 1,
      reason: `the answer has the status 302 and leads to ${location}: baseUrl must be the gateway's own address`,
    })
    expect(world.receiver.received('/elsewhere')).toEqual([])
  })

  it('that asks for more time than a timer can wait is waited for, not asked again at once', async () => {
    world.receiver.script(path, { status: 429, headers: { 'retry-after': '2200000' } })
    const before = world.receiver.received(path).length
    const controller = new AbortController()
    const client = clientOfReceiver({ totalTimeout: Number.POSITIVE_INFINITY })
    const call = errorOf(client.account.balance({ signal: controller.signal }))
    await world.eventually(async () => world.receiver.received(path).length > before)
    for (let later = 0; later < 50; later++) await fetch(world.receiver.url('/later'))
    controller.abort()
    expect(await call).toMatchObject({ name: 'AbortError' })
    expect(world.receiver.received(path).length - before).toBe(1)
  })

  it.each([
    ['the first attempt is still worked on', { code: 10_014 }, 409, 2],
    ['it is a refusal', { code: 40_010 }, 409, 1],
    ['the rail could not now', { code: 40_021 }, 503, 2],
    ['an operation was made, and failed', { code: 40_021, operation_id: 'x' }, 503, 1],
  ])('is asked for again, or not, where %s', async (_, body, status, attempts) => {
    world.receiver.script('/api/v2/checkout', { status, body: JSON.stringify(body) })
    const before = world.receiver.received('/api/v2/checkout').length
    const urls = { url_confirm: 'https://shop.example/', url_cancel: 'https://shop.example/' }
    const call = clientOfReceiver({ retries: 1 }).checkouts.create({
      payment: { amount: 1, currency: 'EUR' },
      ...urls,
    })
    expect(await errorOf(call)).toMatchObject({ code: body.code, attempts })
    const keys = world.receiver.received('/api/v2/checkout').slice(before)
    expect(keys.length).toBe(attempts)
    expect(new Set(keys.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })
})
