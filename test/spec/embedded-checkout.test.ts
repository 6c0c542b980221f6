// Pages of the checkout for frames of the shop's page: headers, settings, script.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { type SignedIn, signIn } from '../people.ts'
import { cards, type Json, type World } from '../world.ts'

let world: World
let owner: SignedIn
let endpoints: string

beforeAll(async () => {
  world = await openWorld()
  owner = await signIn(world, 'owner@demo.example')
  endpoints = `/wallets/${world.shop.wallet_id}/developers/endpoints`
})
afterAll(() => world.stop())

const shop = 'https://shop.example'
const other = 'https://loja.example:8443'

async function allow(origins: readonly string[]): Promise<void> {
  expect((await owner.send('PATCH', endpoints, { embed_origins: origins })).status).toBe(200)
}

interface Framing {
  readonly ancestors: string | undefined
  readonly frameOptions: string | null
  readonly told: boolean
}

async function framingOf(url: string, init?: RequestInit): Promise<Framing> {
  const { headers, text } = await world.request(url, init)
  const policy = headers.get('content-security-policy') ?? ''
  return {
    ancestors: /frame-ancestors ([^;]*)/.exec(policy)?.[1],
    frameOptions: headers.get('x-frame-options'),
    told: text.includes('data-embed-origins'),
  }
}

const refused: Framing = { ancestors: "'none'", frameOptions: 'SAMEORIGIN', told: false }
const framed: Framing = { ancestors: `${shop} ${other}`, frameOptions: null, told: true }

describe('the pages of a checkout', () => {
  async function addresses(): Promise<Record<string, string>> {
    const [open, waiting, paid, cancelled] = await Promise.all(
      Array.from({ length: 4 }, () => world.createCheckout()),
    )
    await world.payOnPage(paid, cards.frictionless)
    await world.request(`/checkout/${cancelled.id}/cancel`, { method: 'POST', redirect: 'manual' })
    await world.request(`/checkout/${waiting.id}/mb`, { method: 'POST' })
    const link = (await world.shop.post('/api/v2/payment_links', { description: 'Lamp', amount: 10 })).body
    return {
      ...{ open: open.url_redirect, waiting: waiting.url_redirect, paid: paid.url_redirect },
      ...{ cancelled: cancelled.url_redirect, link: link.url },
      wrong: `${open.url_redirect}?late`,
    }
  }

  async function framings(): Promise<Record<string, Framing>> {
    const found = Object.entries(await addresses()).map(async ([name, url]) => [name, await framingOf(url)])
    return Object.fromEntries(await Promise.all(found))
  }

  const all = (framing: Framing) =>
    Object.fromEntries(
      ['open', 'waiting', 'paid', 'cancelled', 'link', 'wrong'].map((name) => [name, framing]),
    )

  it('are for no frame without origins, and for these origins with them', async () => {
    expect(await framings()).toEqual(all(refused))
    await allow([shop, other])
    expect(await framings()).toEqual(all(framed))
    await allow([])
    expect(await framings()).toEqual(all(refused))
  })

  it('of another merchant, of nobody, and those that are no checkout are for no frame', async () => {
    await allow([shop, other])
    const foreign = await world.merchant('Plain Shop').post('/api/v2/checkout', {
      payment: { amount: 10, currency: 'EUR' },
      ...{ url_confirm: `${shop}/ok`, url_cancel: `${shop}/no` },
    })
    const pages = [
      foreign.body.url_redirect,
      '/checkout/01991234-5678-7000-8000-000000000000',
      '/l/none',
      '/',
    ]
    for (const page of pages) expect(await framingOf(page)).toEqual(refused)
  })

  it('for a bank are framed by the shop too, and its hidden frame reports inside it', async () => {
    await allow([shop, other])
    const done = (query: string) => framingOf(`/checkout/method-done${query}`, { method: 'POST' })
    expect((await done('')).ancestors).toBe("'self'")
    expect((await done('?merchant=0000000000000000')).ancestors).toBe("'self'")
    expect((await done('?merchant=a&merchant=b')).ancestors).toBe("'self'")
    expect((await done(`?merchant=${world.shop.public_id}`)).ancestors).toBe(`'self' ${shop} ${other}`)
  })

  it('lead to the shop after a cancellation, except in a frame', async () => {
    const cancel = async (body: string) => {
      const { id } = await world.createCheckout()
      const path = `/checkout/${id}/cancel`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { headers: answer } = await world.request(path, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body,
      })
      return answer.get('location')?.replace(id, '<id>')
    }
    expect(await cancel('')).toBe('https://shop.example/no?checkoutid=<id>')
    expect(await cancel('framed=1')).toBe('/checkout/<id>?lang=pt')
  })
})

describe('the list of origins', () => {
  it.each([
    [['https://shop.example/', 'HTTPS://Shop.Example', 'https://shop.example:443'], [shop]],
    [
      ['http://localhost:3000', 'http://127.0.0.1'],
      ['http://localhost:3000', 'http://127.0.0.1'],
    ],
    [['https://loja-é.example'], ['https://xn--loja--fsa.example']],
    [[], []],
  ])('%j is kept as %j', async (origins, kept) => {
    await allow(origins)
    expect((await owner.get(endpoints)).body.embed_origins).toEqual(kept)
  })

  it.each([
    'http://shop.example',
    'https://shop.example/page',
    'https://shop.example?x',
    'https://ana@shop.example',
    'https://*.example',
    'https://*',
    '*',
    "https://a;script-src'unsafe-inline'",
    'https://a,b',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///x',
    'shop.example',
    'null',
    "'self'",
    '',
    `https://${'a'.repeat(200)}.example/x`,
  ])('refuses %j, and names the field', async (origin) => {
    await allow([shop])
    const { status, body } = await owner.send('PATCH', endpoints, { embed_origins: [shop, origin] })
    expect(status).toBe(400)
    expect(body.reason).toMatch(/^embed_origins holds origins such as https:/)
    expect(body.reason.length).toBeLessThanOrEqual(120)
    expect((await owner.get(endpoints)).body.embed_origins).toEqual([shop])
  })

  it('has at most 10 origins', async () => {
    const origins = Array.from({ length: 11 }, (_, number) => `https://shop${number}.example`)
    expect((await owner.send('PATCH', endpoints, { embed_origins: origins })).status).toBe(400)
    await allow(origins.slice(1))
  })

  it('is changed by people with the right for keys, and logged with both values', async () => {
    const allowed = 'https://first.example'
    await allow([allowed])
    const reader = await signIn(world, 'reader@demo.example')
    expect((await reader.send('PATCH', endpoints, { embed_origins: [other] })).status).toBe(403)
    await allow([other])
    const logged = await world.eventually(async () => {
      const { actions } = (await owner.get(`/wallets/${world.shop.wallet_id}/actions`)).body
      return actions
        .flatMap((one: Json) => one.changes ?? [])
        .find((one: Json) => one.field === 'embed_origins' && one.new === other)
    })
    expect(logged).toEqual({ field: 'embed_origins', old: allowed, new: other })
  })
})

describe('checkout.js', () => {
  it('is one unchanging file for every site, with the hash of the guide', async () => {
    const { status, headers, text } = await world.request('/embed/v1/checkout.js')
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const hash = `sha384-${createHash('sha384').update(text).digest('base64')}`
    const guide = readFileSync(new URL('../../docs/embedded-checkout.md', import.meta.url), 'utf8')
    expect([...guide.matchAll(/sha384-[\w+/=]+/g)].map(String)).toEqual([hash, hash])
  })
})
