// Limit of event streams for each address.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { usualDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { askedOnPhone } from '../phone.ts'
import type { World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(usualDatabase, { RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
})
afterAll(() => world.stop())

async function open(path: string, address: string) {
  const leaving = new AbortController()
  const response = await fetch(world.baseUrl + path, {
    signal: leaving.signal,
    headers: { accept: 'text/event-stream', 'x-forwarded-for': address },
  })
  return { response, status: response.status, close: () => leaving.abort() }
}

it('an address has at most 20 streams open, in the shop and on checkouts together; a closed one makes room', async () => {
  const checkout = await world.createCheckout()
  await askedOnPhone(world, checkout)
  const ofCheckout = `/checkout/${checkout.id}/events`
  const ofShop = `/sandbox/shop/events?session=${randomUUID()}`
  const address = '203.0.113.7'
  const streams = await Promise.all(
    Array.from({ length: 20 }, (_, index) => open(index % 2 === 0 ? ofShop : ofCheckout, address)),
  )
  for (const { response } of streams) {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
  }

  for (const path of [ofShop, ofCheckout]) {
    const { response } = await open(path, address)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({
      code: 10029,
      reason: expect.stringContaining('at most 20 event streams'),
    })
  }
  const other = await open(ofShop, '203.0.113.8')
  expect(other.status).toBe(200)
  other.close()

  for (const index of [0, 1]) {
    streams[index]?.close()
    streams.push(
      await world.eventually(async () => {
        const again = await open(ofCheckout, address)
        return again.status === 200 && again
      }),
    )
    expect((await open(ofShop, address)).status).toBe(429)
  }
  for (const { close } of streams) close()
})
