// Signed heads, and proofs of the history before them.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'

describe('heads', () => {
  let world: World
  let head: Json
  const wallet = '1000'
  const fileOf = (name: string, content: string | Buffer) => {
    const path = join(world.dataDir, name)
    writeFileSync(path, content)
    return path
  }

  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.stop())

  it('are there a minute after the first payment', async () => {
    expect(await world.shop.get('/api/v2/audit/head')).toMatchObject({ status: 404, body: { code: 10004 } })
    expect(await world.cli('audit', 'head', '--wallet', wallet)).toMatchObject({ code: 1 })
    await world.payOnPage(await world.createCheckout(), cards.frictionless)
    await world.advance('PT1M')
    const { status, body } = await world.shop.get('/api/v2/audit/head')
    expect(status).toBe(200)
    expect(body).toMatchObject({ wallet, number: 1, postings: 2, events: 1, key: 1 })
    expect(body.signed).toContain(`hash ${body.hash}\n`)
    expect(body.signed).toContain(`gateway ${body.gateway.number} ${body.gateway.hash}\n`)
    expect(Date.parse(body.complete_through)).toBeGreaterThanOrEqual(Date.parse(body.through))
    head = body
    expect(await world.cli('audit')).toMatchObject({ code: 0, json: { ok: true, problems: [] } })
  })

  it('are signed so that openssl can see it, and only those that are', () => {
    const key = fileOf('key.pem', head.keys[0].public_key)
    const signature = fileOf('signature', Buffer.from(head.signature, 'base64'))
    const check = (signed: string) => {
      const args = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-sigfile', signature]
      const file = fileOf('signed', signed)
      return execFileSync('openssl', [...args, '-in', file], { encoding: 'utf8', stdio: 'pipe' })
    }
    expect(check(head.signed)).toContain('Signature Verified Successfully')
    expect(() => check(head.signed.replace('postings 2', 'postings 3'))).toThrow()
  })

  it('prove what was before them, as file, as JSON and as number and hash', async () => {
    await world.payOnPage(await world.createCheckout(), cards.frictionless)
    await world.advance('PT1M')
    const proved = { code: 0, json: { ok: true, postings: 2, events: 1, differences: [] } }
    const file = fileOf('head.json', JSON.stringify(head))
    expect(await world.cli('audit', '--since', file)).toMatchObject(proved)
    expect(await world.cli('audit', '--since', JSON.stringify(head))).toMatchObject(proved)
    const plain = `${head.number}:${head.hash}`
    expect(await world.cli('audit', '--since', plain, '--wallet', wallet)).toMatchObject(proved)
    const ofGateway = await world.cli('audit', 'head')
    expect(ofGateway.code).toBe(0)
    expect(await world.cli('audit', '--since', fileOf('gateway.json', ofGateway.text))).toMatchObject({
      code: 0,
      // Includes the opening balances of the demo world's consumers.
      json: { ok: true, postings: 6, events: 2 },
    })
    const ofWallet = await world.cli('audit', 'head', '--wallet', wallet)
    expect(ofWallet.json.signed).toBe((await world.shop.get('/api/v2/audit/head')).body.signed)
  })

  it.each([
    [
      'a head that nobody signed',
      (): string[] => ['--since', JSON.stringify({ ...head, signature: 'AAAA' })],
    ],
    ['what is no head', () => ['--since', 'yesterday']],
  ])('%s is refused', async (_what, args) => {
    expect(await world.cli('audit', ...args().map(String))).toMatchObject({
      code: 1,
      json: { error: { reason: expect.any(String) } },
    })
  })

  it('a head of another history is not proved', async () => {
    const plain = `${head.number}:${'0'.repeat(64)}`
    expect(await world.cli('audit', '--since', plain, '--wallet', wallet)).toMatchObject({
      code: 1,
      json: { ok: false, differences: [{ detail: expect.stringContaining('were rewritten') }] },
    })
    expect(await world.cli('audit', '--wallet', wallet)).toMatchObject({ code: 2 })
  })

  it('are signed by another key after it was rotated; both are published', async () => {
    expect(await world.cli('audit', 'rotate')).toMatchObject({ code: 0, json: { key: 2 } })
    await world.payOnPage(await world.createCheckout(), cards.frictionless)
    await world.advance('PT1M')
    const { body } = await world.shop.get('/api/v2/audit/head')
    expect(body).toMatchObject({ key: 2, number: 3, postings: 6 })
    expect(body.keys).toEqual((await world.cli('audit', 'keys')).json.keys)
    expect(body.keys[0]).toEqual(head.keys[0])
    expect(await world.cli('audit', '--since', JSON.stringify(head))).toMatchObject({ code: 0 })
  })

  it('the operator sees how far the chain is behind', async () => {
    const lag = async () => {
      const { text } = await world.request('/metrics')
      return Number(/^comporta_chain_lag_seconds (\S+)$/m.exec(text)?.[1])
    }
    await expect.poll(lag).toBeLessThan(120)
  })

  it('need the permission to read operations', async () => {
    const created = await world.cli('key', 'create', wallet, '--permissions', 'checkout')
    expect(created.code).toBe(0)
    const headers = { authorization: `Comporta ${created.json.api_key}` }
    expect(await world.request('/api/v2/audit/head', { headers })).toMatchObject({ status: 403 })
  })
})
