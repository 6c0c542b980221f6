// The API reference.
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStaticFile } from '../../src/http/pages/static-file.ts'
import { type Gateway, openGateway } from './gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

interface Document {
  readonly openapi: string
  readonly servers: { url: string }[]
  readonly components: { securitySchemes: Record<string, unknown> }
  readonly paths: Record<string, Record<string, PathItem>>
}

interface PathItem {
  readonly summary?: string
  readonly security: Record<string, string[]>[]
  readonly requestBody?: unknown
  readonly responses: Record<
    string,
    { description: string; content?: Record<string, { schema: { properties: object } }> }
  >
}

it('describes the API, its security and its refusals, and nothing that is hidden', async () => {
  const { status, json } = await gateway.ask('GET', '/openapi.json', { key: null })
  expect(status).toBe(200)
  const document = json as Document
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: 'https://pay.example' }])
  expect(Object.keys(document.paths).sort()).toEqual([
    '/api/v2/things',
    '/api/v2/things/{id}',
    '/api/v2/things/{id}/poke',
    '/prows/v2/things',
  ])
  const post = document.paths['/api/v2/things']?.post
  expect(post).toMatchObject({
    summary: 'Make a thing',
    security: [{ apiKey: [] }],
    requestBody: expect.anything(),
  })
  expect(post?.responses['400']?.description).toBe(
    '10001 Missing parameter; 10002 Invalid parameter; 10009 Invalid JSON format',
  )
  expect(post?.responses['200']?.content?.['application/json']?.schema.properties).toHaveProperty('cents')
  expect(post?.responses['409']?.description).toBe('10014 Request is being processed')
  expect(post?.responses['422']?.description).toBe('10015 request_id was used with another body')
  expect(document.paths['/api/v2/things/{id}/poke']?.post?.responses).not.toHaveProperty('422')
  const statuses = Object.keys(post?.responses ?? {})
  expect(statuses).toEqual(expect.arrayContaining(['200', '400', '401', '403', '413', '415', '429', '503']))
  expect(document.paths['/prows/v2/things']?.post?.security).toEqual([{ apiKey: [], esbToken: [] }])
})

it('serves the readable reference with its script, under a policy that lets no other host in', async () => {
  const bare = await gateway.ask('GET', '/docs/api', { key: null })
  expect(bare).toMatchObject({ status: 301, headers: { location: '/docs/api/' } })
  const page = await gateway.ask('GET', '/docs/api/', { key: null })
  expect(page.status).toBe(200)
  expect(page.text).toContain('<html lang="en">')
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'")
  const sources = [...page.text.matchAll(/src="([^"]+)"/g)].map(([, source]) => source)
  expect(sources).toEqual([expect.stringMatching(/^js\/scalar-[0-9a-f]{16}\.js$/)])
  const script = await gateway.ask('GET', `/docs/api/${sources[0]}`, { key: null })
  expect(script).toMatchObject({
    status: 200,
    headers: { 'content-type': expect.stringMatching(/javascript/) },
  })
  expect((await gateway.ask('GET', '/docs/api/js/scalar-0.js', { key: null })).status).toBe(404)
})

it('is prefilled only on a loopback address, because a plain proxy hides its clients', async () => {
  const trialKeys = async () => ({
    authorization: 'Comporta key-trial',
    apiKey: 'key-trial',
    esbToken: 'esb-trial',
  })
  for (const [baseUrl, isPrefilled] of [
    ['http://localhost:8080', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:8080', true],
    ['https://pay.example', false],
    ['http://192.0.2.7:8080', false],
  ] as const) {
    const one = await openGateway({ baseUrl }, { trialKeys })
    const { text } = await one.ask('GET', '/docs/api/', { key: null, headers: { host: 'localhost' } })
    expect([baseUrl, text.includes('key-trial')]).toEqual([baseUrl, isPrefilled])
    await one.close()
  }
})

it('compresses its script for the browser, caches it for ever, and answers 304', async () => {
  const page = await (await fetch(`${gateway.url}/docs/api/`)).text()
  const address = `${gateway.url}/docs/api/${/src="([^"]+)"/.exec(page)?.[1]}`
  const load = async (accepted: string, more: Record<string, string> = {}) => {
    const answer = await fetch(address, { headers: { 'accept-encoding': accepted, ...more } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const plain = await load('identity')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(plain.text.length).toBeGreaterThan(1_000_000)
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['deflate, br;q=0.0', null],
  ] as const) {
    const { status, headers, text } = await load(accepted)
    expect([accepted, status, headers.get('content-encoding')]).toEqual([accepted, 200, encoding])
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(text === plain.text).toBe(true)
    if (encoding !== null) expect(Number(headers.get('content-length'))).toBeLessThan(plain.text.length / 3)
    const again = await load(accepted, { 'if-none-match': String(headers.get('etag')) })
    expect(again).toMatchObject({ status: 304, text: '' })
  }
})

it('compresses a file once for all requests', async () => {
  const file = createStaticFile(Buffer.from('x'.repeat(10_000)), 'text/plain', 'no-cache')
  const [one, other] = await Promise.all([file.encoded('br'), file.encoded('br')])
  expect(one).toBe(other)
  expect(await file.encoded('br')).toBe(one)
  expect(brotliDecompressSync(one).toString()).toBe('x'.repeat(10_000))
})
