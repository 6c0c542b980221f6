// Authentication by API key, its refusals, and changes of keys.
import { afterEach, describe, expect, it } from 'vitest'
import { systemRandomness } from '../../src/kernel/random.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { mintApiKey } from '../../src/wallets/keys/credentials.ts'
import { createPostgresDatabase, databaseKinds } from '../database.ts'
import { joinWalletsWorld, openWalletsWorld } from './world.ts'

const shop = { name: 'Shop', email: 'shop@example.com' } as const

describe.each(databaseKinds)('authentication on %s', (kind) => {
  it('admits a live key with its permissions and the rights of its wallet', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant({ ...shop, rights: ['partner'] }))
    const { id, key } = unwrap(await wallets.createKey(wallet.id, ['mb_pay', 'checkout']))
    const caller = {
      walletId: wallet.id,
      keyId: id,
      permissions: new Set(['checkout', 'mb_pay']),
      rights: new Set(['partner']),
    }
    expect(await wallets.authenticate.byApiKey(key)).toEqual({ ok: true, value: caller })
    // The second time the answer comes from memory, without a promise.
    expect(wallets.authenticate.byApiKey(key)).toEqual({ ok: true, value: caller })
  })

  it('refuses each broken form of a key in its own way', async () => {
    const { wallets, database } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { key } = unwrap(await wallets.createKey(wallet.id))
    const other = unwrap(await wallets.createKey(wallet.id))
    const revoked = unwrap(await wallets.createKey(wallet.id))
    await wallets.revokeKey(revoked.id)
    const live = await joinWalletsWorld(database, { mode: 'production', listening: false })
    const production = unwrap(await live.wallets.createKey(wallet.id)).key
    const unknown = mintApiKey('sandbox', systemRandomness).key

    const table: [string, string, string][] = [
      ['nothing', '', 'authentication_required'],
      ['a word', 'letmein', 'authentication_required'],
      ['a cut key', key.slice(0, -1), 'authentication_required'],
      ['a key with a tail', `${key} `, 'authentication_required'],
      ['a key with a NUL', key.replace('_', '\u0000'), 'authentication_required'],
      ['a changed letter', changedAt(key, 30), 'invalid_api_key'],
      ['a changed checksum', changedAt(key, key.length - 1), 'invalid_api_key'],
      ['the id of another key', key.replace(idOf(key), other.id), 'invalid_api_key'],
      ['a key of nowhere', unknown, 'invalid_api_key'],
      ['a revoked key', revoked.key, 'invalid_api_key'],
      ['a key of production', production, 'invalid_api_key'],
    ]
    for (const [what, presented, refusal] of table) {
      expect(await wallets.authenticate.byApiKey(presented), what).toMatchObject({
        ok: false,
        refusal: { kind: refusal },
      })
    }
    expect(await live.wallets.authenticate.byApiKey(key)).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid_api_key' },
    })
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({ ok: true })
  })

  it('checks the rate limit before it looks up a key that has not been right before', async () => {
    let elapsed = 0
    const { database } = await openWalletsWorld(kind)
    const { wallets } = await joinWalletsWorld(database, { elapsed: () => elapsed })
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { id, key } = unwrap(await wallets.createKey(wallet.id))
    const never = () => false
    const tooMany = { ok: false, refusal: { kind: 'too_many_requests' } }
    const unknown = mintApiKey('sandbox', systemRandomness).key
    expect(wallets.authenticate.byApiKey(unknown, never)).toMatchObject(tooMany)
    expect(wallets.authenticate.byApiKey(key, never)).toMatchObject(tooMany)
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({ ok: true })
    // A key that was valid does not count as a guess, even when the cache is refreshed.
    expect(wallets.authenticate.byApiKey(key, never)).toMatchObject({ ok: true })
    elapsed += 60_000
    const another = mintApiKey('sandbox', systemRandomness).key
    expect(wallets.authenticate.byApiKey(another.replace(idOf(another), id), never)).toMatchObject({
      ok: false,
    })
    expect(await wallets.authenticate.byApiKey(key, never)).toMatchObject({ ok: true })
    await wallets.revokeKey(id)
    expect(await wallets.authenticate.byApiKey(key, never)).toMatchObject(tooMany)
  })

  it('refuses a key whose secret is right for another pepper', async () => {
    const { wallets, database } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { key, id } = unwrap(await wallets.createKey(wallet.id))
    await database.run({ text: 'update api_keys set digest = $2 where id = $1' }, [id, Buffer.alloc(32, 1)])
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid_api_key' },
    })
  })

  it('lets a revoked key in no more, from the moment the revocation is answered', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { id, key } = unwrap(await wallets.createKey(wallet.id))
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({ ok: true })
    expect(await wallets.revokeKey(id)).toEqual({ ok: true, value: undefined })
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid_api_key' },
    })
    expect(await wallets.revokeKey(id)).toMatchObject({ ok: true })
    expect(await wallets.listKeys(wallet.id)).toMatchObject([{ id, revokedAt: expect.any(Number) }])
  })

  it('gives a key the rights its wallet has now', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { key } = unwrap(await wallets.createKey(wallet.id))
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({ value: { rights: new Set() } })
    await wallets.changeMerchant(wallet.id, { rights: ['marketplace'] })
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({
      value: { rights: new Set(['marketplace']) },
    })
  })

  it.each(['', 'unknown1', 'x\u0000', "'; drop"])('revokes nothing for the id %o', async (id) => {
    const { wallets } = await openWalletsWorld(kind)
    expect(await wallets.revokeKey(id)).toMatchObject({ ok: false, refusal: { kind: 'not_found' } })
  })

  it('makes keys for merchants only, with known permissions only', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const consumer = unwrap(await wallets.createConsumer({ email: 'ana@example.com', pin: '1234' }))
    const unknown = ['checkout', 'admin'] as unknown as ['checkout']
    expect(await wallets.createKey(consumer)).toMatchObject({ refusal: { kind: 'not_found' } })
    expect(await wallets.createKey(999n)).toMatchObject({ refusal: { kind: 'not_found' } })
    expect(await wallets.createKey(consumer, unknown)).toMatchObject({
      refusal: { kind: 'invalid_parameter' },
    })
  })

  it('notes the day on which a key was last used, of those that were', async () => {
    const { wallets, clock } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { id, key } = unwrap(await wallets.createKey(wallet.id, undefined, 'Till 1'))
    const idle = unwrap(await wallets.createKey(wallet.id))
    const lastUsed = async () =>
      Object.fromEntries((await wallets.listKeys(wallet.id)).map((listed) => [listed.id, listed.lastUsedOn]))
    for (const day of ['2026-03-01', '2026-03-02']) {
      for (let use = 0; use < 3; use++) await wallets.authenticate.byApiKey(key)
      await expect.poll(lastUsed).toEqual({ [id]: day, [idle.id]: null })
      clock.advance(86_400_000)
    }
  })

  it('revokes no key of another wallet than the named one', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const other = unwrap(await wallets.createMerchant(shop)).wallet
    const { id, key } = unwrap(await wallets.createKey(wallet.id))
    expect(await wallets.revokeKey(id, other.id)).toMatchObject({ refusal: { kind: 'not_found' } })
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({ ok: true })
    expect(await wallets.revokeKey(id, wallet.id)).toMatchObject({ ok: true })
    expect(await wallets.authenticate.byApiKey(key)).toMatchObject({ ok: false })
  })

  it('says which secrets there are, and until when those before are taken, without them', async () => {
    const { wallets, clock } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const before = { callbackUser: wallet.callbackUser, hasEsbToken: false }
    expect(await wallets.secretsOf(wallet.id)).toEqual(before)
    const rotations = { rotateCallbackSecret: true, rotateCallbackSigningSecret: true, rotateEsbToken: true }
    unwrap(await wallets.changeMerchant(wallet.id, {}, rotations))
    const until = clock.now() + 86_400_000
    const after = { passwordOverlapUntil: until, signingOverlapUntil: until, hasEsbToken: true }
    expect(await wallets.secretsOf(wallet.id)).toEqual({ ...before, ...after })
    clock.advance(86_400_000)
    expect(await wallets.secretsOf(wallet.id)).toEqual({ ...before, hasEsbToken: true })
  })

  it('knows the ESB token of each wallet', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const partner = unwrap(await wallets.createMerchant({ ...shop, rights: ['partner'] }))
    const plain = unwrap(await wallets.createMerchant(shop))
    const token = partner.esbToken ?? ''
    expect(token).toMatch(/^[0-9A-Za-z]{40}$/)
    expect(plain.esbToken).toBeUndefined()
    expect(await wallets.authenticate.esbTokenMatches(partner.wallet.id, token)).toBe(true)
    for (const wrong of ['', token.slice(1), changedAt(token, 3), `${token} `]) {
      expect(await wallets.authenticate.esbTokenMatches(partner.wallet.id, wrong)).toBe(false)
    }
    expect(await wallets.authenticate.esbTokenMatches(plain.wallet.id, token)).toBe(false)
    expect(await wallets.authenticate.esbTokenMatches(999n, token)).toBe(false)

    const rotated = unwrap(await wallets.changeMerchant(partner.wallet.id, {}, { rotateEsbToken: true }))
    expect(await wallets.authenticate.esbTokenMatches(partner.wallet.id, token)).toBe(false)
    expect(await wallets.authenticate.esbTokenMatches(partner.wallet.id, rotated.esbToken ?? '')).toBe(true)
  })
})

describe('two processes on one PostgreSQL', () => {
  const pools: Database[] = []
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })

  function openPool(url: string): Database {
    const pool = openPostgres({ url })
    pools.push(pool)
    return pool
  }

  async function twoProcesses(second: { listening?: boolean; elapsed?: () => number } = {}) {
    const url = await createPostgresDatabase()
    const first = openPool(url)
    const here = await joinWalletsWorld(first)
    const there = await joinWalletsWorld(openPool(url), second)
    const { wallet } = unwrap(await here.wallets.createMerchant(shop))
    const { id, key } = unwrap(await here.wallets.createKey(wallet.id))
    expect(await there.wallets.authenticate.byApiKey(key)).toMatchObject({ ok: true })
    expect(there.wallets.authenticate.byApiKey(key)).not.toBeInstanceOf(Promise)
    return { here: here.wallets, there: there.wallets, wallet, id, key }
  }

  it('a key revoked in one is refused by the other as soon as the notice arrives', async () => {
    const { here, there, id, key } = await twoProcesses({ elapsed: () => 0 })
    await here.revokeKey(id)
    await expect.poll(() => there.authenticate.byApiKey(key)).toMatchObject({ ok: false })
  })

  it('settings changed in one are seen by the other', async () => {
    const { here, there, wallet } = await twoProcesses({ elapsed: () => 0 })
    expect((await there.get(wallet.id)).callbackUrl).toBeNull()
    await here.changeMerchant(wallet.id, { callbackUrl: 'https://shop.example/callback' })
    await expect
      .poll(async () => (await there.get(wallet.id)).callbackUrl)
      .toBe('https://shop.example/callback')
  })

  it('a lost notice is made up for after 5 seconds of real time', async () => {
    let elapsed = 0
    const { here, there, id, key } = await twoProcesses({ listening: false, elapsed: () => elapsed })
    await here.revokeKey(id)
    elapsed = 4999
    expect(await there.authenticate.byApiKey(key)).toMatchObject({ ok: true })
    elapsed = 5000
    expect(await there.authenticate.byApiKey(key)).toMatchObject({ ok: false })
  })
})

function changedAt(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'x' ? 'y' : 'x') + text.slice(index + 1)
}

function idOf(key: string): string {
  return key.split('_')[2] as string
}
