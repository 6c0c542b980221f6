// Listen addresses, and client addresses from proxies.
import { afterEach, expect, it } from 'vitest'
import { formTo, openPage } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type World } from '../world.ts'

let world: World | undefined
afterEach(async () => {
  await world?.stop()
  world = undefined
})

it.each([
  ['::1', '[::1]'],
  ['::', '[::]'],
])('HOST=%s is handed out as %s', async (HOST, name) => {
  world = await openWorld(undefined, { HOST })
  expect(new URL(world.baseUrl).hostname).toBe(name)
  const { url_redirect } = await world.createCheckout()
  expect(url_redirect.startsWith(`http://${name}:`)).toBe(true)
  expect((await openPage(url_redirect)).status).toBe(200)
})

const forwarded: readonly [string, string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['198.51.100.1, 203.0.113.7:80', '203.0.113.7'],
  ['unknown', '127.0.0.1'],
  ['198.51.100.1, unknown', '127.0.0.1'],
]

it('X-Forwarded-For may have ports; an invalid address counts as the proxy', async () => {
  world = await openWorld(undefined, { TRUST_PROXY: 'loopback' })
  for (const [header, address] of forwarded) {
    const opened = await world.createCheckout()
    const page = await openPage(opened.url_redirect)
    const { action, fields } = formTo(page, '/card')
    const card = { number: cards.frictionless.number, name: 'Ana Silva', expiry: '12/30', vcode: '123' }
    await fetch(new URL(action, page.url), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-for': header, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...fields, ...card }).toString(),
    })
    const { ipaddress } = await world.operation(opened.payment.id)
    expect([header, ipaddress]).toEqual([header, address])
  }
})
