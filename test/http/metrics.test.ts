// Access to the metrics, and trusted proxies.
import { afterEach, describe, expect, it } from 'vitest'
import { type AskOptions, type Gateway, openGateway, refused } from './gateway.ts'

let gateway: Gateway
afterEach(() => gateway.close())

const metrics = (headers: Record<string, string> = {}) =>
  gateway.ask('GET', '/metrics', { key: null, headers })

describe('without a token', () => {
  it('this machine reads the metrics', async () => {
    gateway = await openGateway()
    expect(await metrics()).toMatchObject({ status: 200, text: expect.stringContaining('process_') })
  })

  it('a page of another site that has its name lead here does not', async () => {
    gateway = await openGateway()
    for (const [host, status] of [
      ['evil.example', 404],
      ['localhost:9090', 200],
      ['pay.example', 200],
    ] as const) {
      const answer = await gateway.say(`GET /metrics HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect(answer.slice(9, 12), host).toBe(String(status))
    }
  })

  it.each([
    ['a proxy that is not trusted', 'off', { 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy that is trusted', 'loopback', { 'x-forwarded-for': '203.0.113.9' }],
    ['a client behind it on this machine', 'loopback', { 'x-forwarded-for': '127.0.0.1' }],
    ['another sort of proxy', 'off', { 'x-real-ip': '203.0.113.9' }],
    ['a proxy that follows the standard', 'off', { forwarded: 'for=203.0.113.9' }],
    ['a proxy that names only itself', 'off', { via: '1.1 proxy' }],
  ])('nobody reads them through %s', async (_, trustProxy, headers) => {
    gateway = await openGateway({ trustProxy })
    expect(await metrics(headers)).toMatchObject(refused('endpoint_not_found'))
  })
})

it('are read only with the token where there is one, also from this machine', async () => {
  gateway = await openGateway({ metricsToken: 'a-long-token-for-metrics' })
  const elsewhere = { 'x-forwarded-for': '203.0.113.9' }
  const authorization = 'Bearer a-long-token-for-metrics'
  expect((await metrics({ authorization })).status).toBe(200)
  expect((await metrics({ authorization, ...elsewhere })).status).toBe(200)
  for (const wrong of [{}, elsewhere, { authorization: 'Bearer a-long-token-for-metric' }])
    expect(await metrics(wrong)).toMatchObject(refused('endpoint_not_found'))
})

describe('a forwarded address', () => {
  /** The answer to a second customer behind the same proxy, after the first used up the limit. */
  async function statusOfAnother(): Promise<number> {
    const from = (ip: string): AskOptions => ({ key: null, headers: { 'x-forwarded-for': ip } })
    const first = Array.from({ length: 120 }, () => gateway.ask('GET', '/nowhere', from('203.0.113.1')))
    await Promise.all(first)
    return (await gateway.ask('GET', '/nowhere', from('203.0.113.2'))).status
  }

  it('is not trusted from clients: it evades no limit', async () => {
    gateway = await openGateway({ trustProxy: 'off', rateLimits: true })
    await expect.poll(statusOfAnother).toBe(429)
  })

  it.each(['loopback', '127.0.0.1', '10.0.0.0/8, 127.0.0.0/8'])('is believed of %s', async (trustProxy) => {
    gateway = await openGateway({ trustProxy, rateLimits: true })
    expect(await statusOfAnother()).toBe(404)
  })
})
