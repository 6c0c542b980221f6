// Start, readiness and graceful stop (CONTRACT section 1).
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { drain } from '../../src/http/index.ts'
import { day } from '../../src/kernel/time.ts'
import { type Gateway, openGateway, refused } from './gateway.ts'

let gateway: Gateway
afterEach(() => gateway.close())

async function beginSlow() {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  gateway.hold(promise)
  const arrived = once(gateway.app.server, 'request')
  const slow = gateway.ask('GET', '/held', { key: null })
  await arrived
  return { slow, release }
}

describe('readiness', () => {
  it.each([
    ['ready', async () => undefined, true, 200],
    ['behind', () => Promise.reject(new Error('migrations are behind')), true, 503],
    ['silent', () => new Promise<void>(() => undefined), true, 503],
    ['not working yet', async () => undefined, false, 503],
  ])('%s', async (_, ready, working, status) => {
    gateway = await openGateway({}, { ready, working: () => working })
    const answer = await gateway.ask('GET', '/readyz', { key: null })
    expect(answer.status).toBe(status)
    if (status === 503)
      expect(answer).toMatchObject(refused('service_unavailable', 'the gateway is not ready yet'))
    expect(await gateway.ask('GET', '/healthz', { key: null })).toMatchObject({
      status: 200,
      json: { status: 'up' },
    })
  })
})

it('the answer about readiness is kept for a second', async () => {
  let asked = 0
  gateway = await openGateway({}, { ready: async () => void asked++ })
  const ask = async () => (await gateway.ask('GET', '/readyz', { key: null })).status
  const started = performance.now()
  const statuses = await Promise.all(Array.from({ length: 50 }, ask))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const seconds = Math.floor((performance.now() - started) / 1000)
  expect(asked).toBeLessThanOrEqual(1 + seconds)
  while (asked < 2) expect(await ask()).toBe(200)
  expect(performance.now() - started).toBeGreaterThanOrEqual(1000)
})

describe('stopping', () => {
  it('finishes what is in flight, and leaves no connection open', async () => {
    gateway = await openGateway()
    await gateway.ask('GET', '/healthz')
    const { slow, release } = await beginSlow()
    // The server ends after its last answer, which comes before the grace period is over.
    const drained = drain(gateway.app, { graceMs: day })
    await expect.poll(() => gateway.ask('GET', '/healthz').catch(() => 'refused')).toBe('refused')
    release()
    await drained
    // The header tells the client to send no further request over this connection.
    expect(await slow).toMatchObject({ status: 200, json: { held: true }, headers: { connection: 'close' } })
  })

  it('cuts off what takes longer than it is given', async () => {
    gateway = await openGateway()
    const { slow } = await beginSlow()
    const [answer] = await Promise.allSettled([slow, drain(gateway.app, { graceMs: 50 })])
    expect(answer.status).toBe('rejected')
  })
})

describe('slowness', () => {
  it('of ours is owned up to after the time that a request may take', async () => {
    gateway = await openGateway()
    // Connections take this value at their creation; a test of 30 s would be slow.
    expect(gateway.app.server.timeout).toBe(30_000)
    gateway.app.server.timeout = 100
    gateway.hold(new Promise(() => undefined))
    const answer = await gateway.ask('GET', '/held', { key: null })
    expect(answer).toMatchObject(refused('service_unavailable', 'not done within 30 seconds'))
    expect(answer.headers.connection).toBe('close')
  })

  it('of clients is bounded: headers, requests, idle connections', async () => {
    gateway = await openGateway()
    const { headersTimeout, requestTimeout, keepAliveTimeout } = gateway.app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 60_000,
    })
  })
})
