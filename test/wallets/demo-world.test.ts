// There is one demo world, whichever process starts when, and everything demo.json says works.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unwrap } from '../../src/kernel/result.ts'
import { permissions } from '../../src/kernel/values/permissions.ts'
import { openPostgres } from '../../src/storage/index.ts'
import type { DemoWorldOptions, Wallets } from '../../src/wallets/index.ts'
import { createPostgresDatabase, databaseKinds } from '../database.ts'
import { joinWalletsWorld, openWalletsWorld, otherKeyring, type WalletsWorld } from './world.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'comporta-demo-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Money as the ledger would book it: once per funding id. */
function createBank() {
  const booked = new Map<string, [bigint, bigint]>()
  const fundConsumer: DemoWorldOptions['fundConsumer'] = async (walletId, amount, fundingId) => {
    booked.set(fundingId, [walletId, amount])
  }
  return { booked, fundConsumer }
}

const bank = createBank()
let folders = 0

function start(wallets: Wallets, options: Partial<DemoWorldOptions> = {}) {
  const dataDir = join(folder, `data-${++folders}`)
  return wallets.createDemoWorld({
    dataDir,
    baseUrl: 'http://127.0.0.1:8080',
    authScheme: 'Comporta',
    makeUsers: async () => [],
    fundConsumer: bank.fundConsumer,
    ...options,
  })
}

const readDemo = async (dataDir: string) => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))

async function expectToWork(
  { wallets }: WalletsWorld,
  document: Awaited<ReturnType<typeof start>>['document'],
) {
  for (const merchant of document.merchants) {
    const walletId = BigInt(merchant.wallet_id)
    expect(await wallets.authenticate.byApiKey(merchant.api_key)).toMatchObject({
      ok: true,
      value: { walletId },
    })
    expect(await wallets.authenticate.esbTokenMatches(walletId, merchant.esb_token)).toBe(true)
    expect(await wallets.callbackCredentials(walletId)).toMatchObject({
      user: merchant.callback_user,
      secret: merchant.callback_secret,
      signingSecrets: expect.arrayContaining([merchant.callback_signing_secret]),
    })
    expect((await wallets.get(walletId)).stores).toEqual(merchant.stores)
    expect((await wallets.findByPublicId(merchant.public_id))?.id).toBe(walletId)
  }
  for (const { email, pin } of document.consumers) {
    expect(await wallets.logInConsumer(email, pin)).toMatchObject({ ok: true })
  }
}

describe.each(databaseKinds)('the demo world on %s', (kind) => {
  it('has the merchants, the consumers and the form of the contract', async () => {
    const world = await openWalletsWorld(kind)
    const { document } = await start(world.wallets)
    const keys = ['base_url', 'auth_scheme', 'merchants', 'consumers', 'users']
    expect(Object.keys(document)).toEqual(keys)
    expect(document.merchants.map(({ name, roles }) => [name, roles])).toEqual([
      ['Demo Shop', ['partner', 'pci_dss', 'marketplace']],
      ['Sub Shop A', ['sub_merchant']],
      ['Sub Shop B', ['sub_merchant']],
      ['Plain Shop', ['plain']],
    ])
    for (const merchant of document.merchants) {
      expect(merchant).toEqual({
        name: expect.any(String),
        wallet_id: expect.any(Number),
        public_id: expect.any(String),
        api_key: expect.stringMatching(/^cmp_test_/),
        esb_token: expect.any(String),
        callback_user: expect.any(String),
        callback_secret: expect.stringMatching(/^[0-9A-Za-z]{40}$/),
        callback_signing_secret: expect.stringMatching(/^whsec_/),
        stores: [expect.any(Number)],
        roles: expect.any(Array),
      })
    }
    expect(document.consumers).toEqual([
      {
        email: 'ana@demo.example',
        pin: expect.stringMatching(/^\d{4}$/),
        phone: '+351911000001',
        balance: '100.00',
      },
      {
        email: 'rui@demo.example',
        pin: expect.stringMatching(/^\d{4}$/),
        phone: '+351911000002',
        balance: '100.00',
      },
    ])
    await expectToWork(world, document)
  })

  it('lets the first shop do everything and the plain one nothing special', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { document } = await start(wallets)
    const [demo, , , plain] = document.merchants
    const caller = unwrap(await wallets.authenticate.byApiKey(demo?.api_key ?? ''))
    expect([...caller.permissions]).toEqual([...permissions])
    expect([...caller.rights]).toEqual(['partner', 'pci_dss', 'marketplace'])
    expect((await wallets.get(caller.walletId)).methods).toEqual([
      'CC',
      'MB',
      'MBWAY',
      'PAYPAL',
      'WALLET',
      'SEPA',
      'BANK',
    ])
    const plainCaller = unwrap(await wallets.authenticate.byApiKey(plain?.api_key ?? ''))
    expect(plainCaller.rights.size).toBe(0)
    for (const special of ['split', 'card', 'card_plain', 'mb_pay', 'mb_reference', 'mandates'] as const) {
      expect(plainCaller.permissions.has(special), special).toBe(false)
    }
  })

  it('stays the same after another start, with the address of that start', async () => {
    const world = await openWalletsWorld(kind)
    const dataDir = join(folder, `same-${kind}`)
    const first = await start(world.wallets, { dataDir })
    const second = await start(world.wallets, { dataDir, baseUrl: 'http://127.0.0.1:9999' })
    expect(second.document).toEqual({ ...first.document, base_url: 'http://127.0.0.1:9999' })
    expect(second.changed).toEqual([])
    expect(await readDemo(dataDir)).toEqual(second.document)
    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600)
    expect(await world.wallets.listMerchants()).toHaveLength(4)
  })

  it('is found again where demo.json was never written or got lost', async () => {
    const world = await openWalletsWorld(kind)
    const unwritable = join('/dev/null', 'data')
    await expect(start(world.wallets, { dataDir: unwritable })).rejects.toThrow()
    const dataDir = join(folder, `lost-${kind}`)
    const { document } = await start(world.wallets, { dataDir })
    expect(await readDemo(dataDir)).toEqual(document)
    await expectToWork(world, document)
    expect(await world.wallets.listMerchants()).toHaveLength(4)
  })

  it('funds each consumer once, also when the first attempt broke off', async () => {
    const world = await openWalletsWorld(kind)
    const { booked, fundConsumer } = createBank()
    const crashing = async (...args: Parameters<typeof fundConsumer>) => {
      await fundConsumer(...args)
      throw new Error('the power went out')
    }
    await expect(start(world.wallets, { fundConsumer: crashing })).rejects.toThrow('the power went out')
    await start(world.wallets, { fundConsumer })
    await start(world.wallets, { fundConsumer })
    expect(booked.size).toBe(2)
    expect([...booked.values()].map(([, amount]) => amount)).toEqual([10_000n, 10_000n])
  })

  it('replaces what no longer works, and nothing else', async () => {
    const world = await openWalletsWorld(kind)
    const { document: before } = await start(world.wallets)
    const [demo, subA] = before.merchants
    await world.wallets.revokeKey(demo?.api_key.split('_')[2] ?? '')
    await world.wallets.changeMerchant(
      BigInt(subA?.wallet_id ?? 0),
      {},
      { rotateCallbackSecret: true, rotateEsbToken: true },
    )
    const { document: after } = await start(world.wallets)
    await expectToWork(world, after)
    expect(after.merchants[0]).toEqual({ ...demo, api_key: expect.not.stringContaining(demo?.api_key ?? '') })
    expect(after.merchants.slice(2)).toEqual(before.merchants.slice(2))
    expect(after.consumers).toEqual(before.consumers)
  })

  it('works again under another master key', async () => {
    const { wallets, database } = await openWalletsWorld(kind)
    const { document: before } = await start(wallets)
    const world = await joinWalletsWorld(database, { keyring: otherKeyring, listening: false })
    const { document: after } = await start(world.wallets)
    await expectToWork(world, after)
    expect(after.merchants.map(({ wallet_id }) => wallet_id)).toEqual(
      before.merchants.map(({ wallet_id }) => wallet_id),
    )
  })

  it('comes with a call that can be pasted, and is not in the database in the clear', async () => {
    const { wallets, database } = await openWalletsWorld(kind)
    const { document, text } = await start(wallets)
    expect(text).toContain(`curl -s http://127.0.0.1:8080/api/v2/checkout`)
    expect(text).toContain(`Authorization: Comporta ${document.merchants[0]?.api_key}`)
    const stored = JSON.stringify(
      await database.run({ text: `select encode(secrets_sealed, 'escape') as text from demo_wallets` }),
    )
    expect(stored).not.toContain(document.merchants[0]?.esb_token)
  })
})

it('is one world for processes that start at once on one PostgreSQL', async () => {
  const url = await createPostgresDatabase()
  const first = openPostgres({ url })
  const databases = [first, ...Array.from({ length: 3 }, () => openPostgres({ url }))]
  const worlds = await Promise.all(databases.map((database) => joinWalletsWorld(database)))
  const started = await Promise.all(worlds.map(({ wallets }) => start(wallets)))
  for (const { document } of started) expect(document).toEqual(started[0]?.document)
  const [world] = worlds
  expect(await world?.wallets.listMerchants()).toHaveLength(4)
  for (const database of databases) await database.close()
})
