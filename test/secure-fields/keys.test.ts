// Keys, frames and files as browsers get them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hour, minute } from '../../src/kernel/time.ts'
import { consume } from '../../src/secure-fields/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { type FieldsGateway, shop, shopOrigin, startFieldsGateway } from './world.ts'

const keysPath = '/.well-known/secure-fields/jwks.json'
const framePath = `/secure-fields/v1/frame?merchant=${shop.publicId}`

let database: Database
let gateway: FieldsGateway

beforeAll(async () => {
  database = await openTestDatabase('pglite')
})
beforeEach(async () => {
  await database.run(statement('truncate secure_field_keys, secure_field_uses'))
  gateway = await startFieldsGateway(database)
  return () => gateway.close()
})
afterAll(() => database.close())

async function kids(from = gateway): Promise<string[]> {
  const { keys } = (await (await from.get(keysPath)).json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}

describe('keys', () => {
  it('are public halves with a cache time', async () => {
    const response = await gateway.get(keysPath)
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    const { keys } = (await response.json()) as { keys: object[] }
    expect(keys).toHaveLength(1)
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('change each day, the newest first, and the old one ends two hours later', async () => {
    const [first] = await kids()
    gateway.advance(11 * hour + 59 * minute)
    expect(await kids()).toEqual([first])
    gateway.advance(minute)
    const both = await kids()
    expect(both).toEqual([expect.not.stringMatching(`^${first}$`), first])
    gateway.advance(2 * hour)
    expect(await kids()).toEqual(both.slice(0, 1))
  })

  it.each(databaseKinds)('are the same for processes that rotate at once: %s', async (kind) => {
    const own = await openTestDatabase(kind)
    const processes = await Promise.all([startFieldsGateway(own), startFieldsGateway(own)])
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => kids(processes[index % 2])))
    expect(new Set(answers.flat()).size).toBe(1)
    for (const process of processes) await process.close()
    await own.close()
  })

  it('are sealed in the database, and destroyed when no card needs them', async () => {
    await kids()
    const rows = statement<{ sealed_private: Uint8Array }>('select sealed_private from secure_field_keys')
    const [row] = await database.run(rows)
    // The secret has 32 bytes, and the seal adds 33.
    expect(row?.sealed_private).toHaveLength(65)
    gateway.advance(13 * hour)
    expect(await gateway.fields.workers.secure_fields.runDue()).toBe(0)
    gateway.advance(hour)
    expect(await gateway.fields.workers.secure_fields.runDue()).toBe(1)
    expect(await database.run(rows)).toEqual([])
  })

  it('keep their uses until the card is too old', async () => {
    const { newCardSecure } = await gateway.encrypt({ iat: gateway.now() + minute })
    const opened = await gateway.decrypt(newCardSecure)
    if (!opened.ok) throw new Error(opened.refusal.reason)
    await consume(database, opened.value.use)
    gateway.advance(16 * minute)
    expect(await gateway.fields.workers.secure_fields.runDue()).toBe(0)
    expect(await gateway.decrypt(newCardSecure)).toMatchObject({ refusal: { reason: /used before/ } })
    gateway.advance(minute)
    expect(await gateway.fields.workers.secure_fields.runDue()).toBe(1)
    expect(await gateway.decrypt(newCardSecure)).toMatchObject({
      refusal: { reason: /older than 15 minutes/ },
    })
  })
})

async function ancestors(): Promise<string | number> {
  const response = await gateway.get(framePath)
  const policy = response.headers.get('content-security-policy') ?? ''
  if (response.status !== 200) {
    expect(policy).toContain("frame-ancestors 'none'")
    return response.status
  }
  expect(response.headers.get('x-frame-options')).toBeNull()
  return /frame-ancestors ([^;]*)/.exec(policy)?.[1] ?? ''
}

describe('the frame', () => {
  it('may be framed by the registered origins, and in the sandbox by the gateway’s pages', async () => {
    expect(await ancestors()).toBe(`${shopOrigin} ${gateway.baseUrl}`)
  })

  it('may be framed by local pages in a sandbox without registered origins', async () => {
    gateway.register()
    expect(await ancestors()).toBe(
      `http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:* ${gateway.baseUrl}`,
    )
  })

  it('is refused in production without registered origins', async () => {
    await gateway.close()
    gateway = await startFieldsGateway(database, { sandbox: false })
    expect(await ancestors()).toBe(shopOrigin)
    gateway.register()
    expect(await ancestors()).toBe(403)
    const session = await gateway.get(`/secure-fields/v1/session?merchant=${shop.publicId}`)
    expect(session.status).toBe(403)
  })

  it('does not exist for an unknown merchant', async () => {
    expect((await gateway.get('/secure-fields/v1/frame?merchant=nobody')).status).toBe(404)
    expect((await gateway.get('/secure-fields/v1/frame')).status).toBe(400)
  })

  it('has a strict policy, is not cached, and uses no device features', async () => {
    const { headers } = await gateway.get(framePath)
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/)
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('permissions-policy')).toContain('camera=()')
  })

  it('has a new session each time', async () => {
    const pages = await Promise.all([gateway.get(framePath), gateway.get(framePath)])
    const [one, two] = await Promise.all(
      pages.map(async (page) => /session&#?\w+;:&#?\w+;([\w-]+)/.exec(await page.text())?.[1]),
    )
    expect(one).toMatch(/^[\w-]{80,}$/)
    expect(one).not.toBe(two)
  })
})

describe('the library', () => {
  const path = '/secure-fields/v1/secure-fields.js'

  it('never changes under its name, and any site may load and pin it', async () => {
    const response = await gateway.get(path)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const content = Buffer.from(await response.arrayBuffer())
    const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`
    const published = (await (await gateway.get('/secure-fields/v1/integrity.json')).json()) as Record<
      string,
      string
    >
    expect(published).toEqual({ file: expect.any(String), url: gateway.baseUrl + path, integrity })
    const hashed = await gateway.get(`/secure-fields/v1/${published.file}`)
    expect(Buffer.from(await hashed.arrayBuffer()).equals(content)).toBe(true)
    // Merchants pin version 1 by its hash: a change needs a new hash, or better a version 2.
    expect(readFileSync(new URL('../../docs/secure-fields.md', import.meta.url), 'utf8')).toContain(integrity)
  })
})

it('files of the frame are compressed for the browser, and cached for ever', async () => {
  const page = await (await gateway.get(framePath)).text()
  const script = /\/assets\/[\w-]+\.js/.exec(page)?.[0]
  for (const path of [String(script), '/secure-fields/v1/secure-fields.js']) {
    const load = (accepted: string) =>
      fetch(gateway.baseUrl + path, { headers: { 'accept-encoding': accepted } })
    const plain = await (await load('identity')).text()
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await load(accepted)
      expect([path, accepted, answer.headers.get('content-encoding')]).toEqual([path, accepted, encoding])
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(await answer.text()).toBe(plain)
    }
  }
})
