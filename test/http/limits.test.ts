// Rate limits over real connections (CONTRACT section 17).
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Answer,
  type AskOptions,
  type Gateway,
  keys,
  openGateway,
  refused,
  validBody,
} from './gateway.ts'

const open: Gateway[] = []
// The time is simulated, so that a slow machine does not refill the limit.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())
afterEach(() => Promise.all(open.splice(0).map((gateway) => gateway.close())))

async function limited(rateLimits = true): Promise<Gateway> {
  const gateway = await openGateway({ rateLimits })
  open.push(gateway)
  return gateway
}

/** Returns the number admitted, and the refusals. */
async function flood(
  gateway: Gateway,
  times: number,
  path: string,
  options: AskOptions = {},
  method = 'GET',
) {
  const answers = await Promise.all(Array.from({ length: times }, () => gateway.ask(method, path, options)))
  return {
    passed: answers.filter(({ status }) => status !== 429).length,
    refusal: answers.find(({ status }) => status === 429) as Answer,
  }
}

describe('a key', () => {
  it('has bursts of 200, at 100 a second', async () => {
    const gateway = await limited()
    const first = await gateway.ask('GET', '/api/v2/things')
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"default";q=200;w=2',
      ratelimit: '"default";r=199;t=1',
    })
    const { passed, refusal } = await flood(gateway, 400, '/api/v2/things')
    expect(passed).toBe(199)
    expect(refusal).toMatchObject(
      refused('too_many_requests', /^at most 100 requests per second, 200 at once/),
    )
    expect(refusal.headers).toMatchObject({
      'retry-after': '1',
      ratelimit: expect.stringMatching(/^"default";r=0;t=\d$/),
    })
    const other = await gateway.ask('GET', `/api/v2/things/01991234-5678-7000-8000-000000000000`, {
      key: keys.plain,
    })
    expect(other.status).toBe(200)
  })

  it('in the body counts as the key, not as its address', async () => {
    const gateway = await limited()
    const body = { ...validBody, merchant: { apikey: keys.all } }
    expect((await flood(gateway, 100, '/api/v2/things', { key: null, body }, 'POST')).passed).toBe(100)
  })
})

describe('an address', () => {
  it.each<[string, string, AskOptions]>([
    ['without a key', '/api/v2/things', { key: null }],
    ['that tries keys out', '/api/v2/things', { key: 'key-guessed' }],
    ['that tries paths out', '/nowhere', { key: null }],
  ])('%s has bursts of 60', async (_, path, options) => {
    const gateway = await limited()
    const { passed, refusal } = await flood(gateway, 240, path, options)
    expect(passed).toBe(60)
    expect(refusal.headers).toMatchObject({ 'ratelimit-policy': '"address";q=60;w=3', 'retry-after': '1' })
    // A valid key does not count as a guess.
    expect((await gateway.ask('GET', '/api/v2/things')).status).toBe(200)
    // The proxy is trusted, so another customer has another address.
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    expect((await gateway.ask('GET', path, { ...options, headers })).status).not.toBe(429)
  })

  it('has no more keys looked up than its limit, and right ones do not count', async () => {
    const gateway = await limited()
    for (let round = 0; round < 3; round++) {
      expect((await flood(gateway, 40, '/api/v2/things', { key: keys.slow })).passed).toBe(40)
    }
    const before = gateway.lookedUp()
    await flood(gateway, 240, '/api/v2/things', { key: 'key-guessed' })
    expect(gateway.lookedUp() - before).toBeGreaterThanOrEqual(1)
    expect(gateway.lookedUp() - before).toBeLessThanOrEqual(60)
  })

  it('looks at pages without being held up, and its health is never limited', async () => {
    const gateway = await limited()
    expect((await flood(gateway, 200, '/openapi.json', { key: null })).passed).toBe(200)
    expect((await flood(gateway, 200, '/healthz', { key: null })).passed).toBe(200)
  })

  it('may check readiness in bursts of 60, apart from other requests', async () => {
    const gateway = await limited()
    await flood(gateway, 120, '/nowhere', { key: null })
    const { passed, refusal } = await flood(gateway, 240, '/readyz', { key: null })
    expect(passed).toBe(60)
    expect(refusal.headers).toMatchObject({ 'ratelimit-policy': '"readiness";q=60;w=3' })
  })
})

it('a thing is read 30 times a minute', async () => {
  const gateway = await limited()
  const path = '/api/v2/things/01991234-5678-7000-8000-000000000000'
  const { passed, refusal } = await flood(gateway, 60, path)
  expect(passed).toBe(30)
  expect(refusal).toMatchObject(
    refused('too_many_requests', /^at most 30 thing reads per minute: try again in [12] s$/),
  )
  expect(refusal.headers).toMatchObject({ 'ratelimit-policy': '"thing-reads";q=30;w=60' })
  expect((await gateway.ask('GET', path.replace(/0$/, '1'))).status).toBe(200)
})

describe('the used requests', () => {
  it('is earned back one request after the other, up to the burst and no further', async () => {
    const gateway = await limited()
    await flood(gateway, 200, '/api/v2/things')
    const passedAfter = async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds)
      return (await flood(gateway, 240, '/api/v2/things')).passed
    }
    expect(await passedAfter(9)).toBe(0)
    expect(await passedAfter(1)).toBe(1)
    expect(await passedAfter(500)).toBe(50)
    expect(await passedAfter(10_000)).toBe(200)
  })

  it('may be asked for again after the seconds that the refusal names, and not before', async () => {
    const gateway = await limited()
    const path = '/api/v2/things/01991234-5678-7000-8000-000000000000'
    await flood(gateway, 30, path)
    const again = async () => {
      const { status, headers } = await gateway.ask('GET', path)
      return [status, headers['retry-after']]
    }
    expect(await again()).toEqual([429, '2'])
    vi.advanceTimersByTime(1_000)
    expect(await again()).toEqual([429, '1'])
    vi.advanceTimersByTime(1_000)
    expect(await again()).toEqual([200, undefined])
    expect(await again()).toEqual([429, '2'])
  })
})

it('no request is limited when limits are off', async () => {
  const gateway = await limited(false)
  const { passed } = await flood(gateway, 100, '/api/v2/things/01991234-5678-7000-8000-000000000000')
  expect(passed).toBe(100)
  expect((await gateway.ask('GET', '/api/v2/things')).headers).not.toHaveProperty('ratelimit')
})
