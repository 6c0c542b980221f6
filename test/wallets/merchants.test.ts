// Merchants and consumers as the database keeps them.

import { describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { day, hour } from '../../src/kernel/time.ts'
import { defaultFeeSchedule } from '../../src/methods/list.ts'
import { databaseKinds } from '../database.ts'
import { joinWalletsWorld, openWalletsWorld, otherKeyring } from './world.ts'

const shop = { name: 'Shop', email: 'shop@example.com' } as const

describe.each(databaseKinds)('merchants on %s', (kind) => {
  it('begin with defaults, a store, ledger accounts and numbers from 1000', async () => {
    const { wallets, opened } = await openWalletsWorld(kind)
    const { wallet, callbackSecret, callbackSigningSecret } = unwrap(await wallets.createMerchant(shop))
    expect(wallet).toMatchObject({
      id: 1000n,
      kind: 'merchant',
      ...shop,
      rights: [],
      methods: ['CC', 'MB', 'MBWAY'],
      feeSchedule: defaultFeeSchedule,
      callbackUrl: null,
      cardCallbackUrl: null,
      selfEvents: false,
      stores: [expect.any(Number)],
    })
    expect(callbackSecret).toMatch(/^[0-9A-Za-z]{40}$/)
    expect(callbackSigningSecret).toMatch(/^whsec_[0-9A-Za-z+/]{32}$/)
    expect(opened).toEqual([[1000n, 'merchant']])
    expect(await wallets.get(wallet.id)).toEqual(wallet)
    expect(await wallets.findByPublicId(wallet.publicId)).toEqual(wallet)
    expect(await wallets.listMerchants()).toEqual([wallet])
  })

  it('keep every setting that is changed, and the others', async () => {
    const { wallets, database } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const changes = {
      name: 'Loja',
      email: 'loja@example.com',
      phone: '+351911234567',
      iban: 'PT50000201231234567890154',
      rights: ['partner', 'marketplace'],
      methods: ['CC', 'SEPA'],
      splitFeeFixed: cents(30),
      splitFeeVariableBp: 250,
      callbackUrl: 'https://shop.example/callback',
      cardCallbackUrl: 'https://shop.example/cards',
      selfEvents: true,
      secureFieldOrigins: ['https://shop.example'],
    } as const
    const fees = { CC: { ratePpm: 15_000, fixedCents: 10 } }
    unwrap(await wallets.changeMerchant(wallet.id, { ...changes, fees }, { addStores: ['Porto'] }))
    unwrap(await wallets.changeMerchant(wallet.id, { fees: { MB_INSTANT: { ratePpm: 0, fixedCents: 99 } } }))
    const expected = {
      ...wallet,
      ...changes,
      feeSchedule: { ...defaultFeeSchedule, ...fees, MB_INSTANT: { ratePpm: 0, fixedCents: 99 } },
      stores: [...wallet.stores, expect.any(Number)],
    }
    expect(await wallets.get(wallet.id)).toEqual(expected)
    const { wallets: fresh } = await joinWalletsWorld(database, { listening: false })
    expect(await fresh.get(wallet.id)).toEqual(expected)
  })

  it('are neither partly changed nor partly created by a refusal', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const refused = await wallets.changeMerchant(wallet.id, { name: 'New' }, { addStores: ['Lisboa', ''] })
    expect(refused).toMatchObject({ ok: false, refusal: { kind: 'invalid_parameter' } })
    expect(await wallets.createMerchant(shop, { addStores: ['\n'] })).toMatchObject({ ok: false })
    expect(await wallets.createMerchant({ ...shop, email: 'none' })).toMatchObject({ ok: false })
    expect(await wallets.listMerchants()).toEqual([wallet])
    expect(await wallets.changeMerchant(999n, { name: 'New' })).toMatchObject({
      refusal: { kind: 'not_found' },
    })
  })

  it('are found by public id only when it is exactly theirs', async () => {
    const { wallets } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    for (const other of ['', '1000', 'x'.repeat(16), `${wallet.publicId} `, 'a\u0000', 'é'.repeat(16)]) {
      expect(await wallets.findByPublicId(other)).toBeUndefined()
    }
    expect(await wallets.find(999n)).toBeUndefined()
    await expect(wallets.get(999n)).rejects.toThrow('there is no wallet 999')
  })

  it('offer each callback secret before its rotation for 24 hours more', async () => {
    const { wallets, clock, database } = await openWalletsWorld(kind)
    const made = unwrap(await wallets.createMerchant(shop))
    const { wallet, callbackSecret: first, callbackSigningSecret: firstKey } = made
    const user = wallet.callbackUser
    const credentials = () => wallets.callbackCredentials(wallet.id)
    expect(await credentials()).toEqual({ user, secret: first, signingSecrets: [firstKey] })
    const rotate = async (what: object) => unwrap(await wallets.changeMerchant(wallet.id, {}, what))
    const { callbackSecret: second } = await rotate({ rotateCallbackSecret: true })
    expect(second).not.toBe(first)
    const passwords = { user, secret: second, previousSecret: first }
    expect(await credentials()).toEqual({ ...passwords, signingSecrets: [firstKey] })
    clock.advance(day - 1)
    const { callbackSigningSecret: secondKey } = await rotate({ rotateCallbackSigningSecret: true })
    expect(await credentials()).toEqual({ ...passwords, signingSecrets: [secondKey, firstKey] })
    clock.advance(1)
    expect(await credentials()).toEqual({ user, secret: second, signingSecrets: [secondKey, firstKey] })
    clock.advance(day)
    expect(await credentials()).toEqual({ user, secret: second, signingSecrets: [secondKey] })
    const stored = await database.run<{ text: string }>({ text: 'select wallets::text from wallets' })
    for (const secret of [first, firstKey, secondKey ?? '']) {
      expect(JSON.stringify(stored)).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  it('have secrets that open only under the master key', async () => {
    const { wallets, database } = await openWalletsWorld(kind)
    const { wallet } = unwrap(await wallets.createMerchant(shop))
    const { wallets: robbed } = await joinWalletsWorld(database, { keyring: otherKeyring, listening: false })
    await expect(robbed.callbackCredentials(wallet.id)).rejects.toThrow('cannot be opened')
  })
})

describe.each(databaseKinds)('consumers on %s', (kind) => {
  const ana = { email: 'Ana@example.com', pin: '4821', phone: '+351911000001' }

  it('log in with e-mail, in any case, and PIN', async () => {
    const { wallets, opened } = await openWalletsWorld(kind)
    const id = unwrap(await wallets.createConsumer(ana))
    expect(opened).toEqual([[id, 'consumer']])
    expect(await wallets.logInConsumer(' ana@EXAMPLE.com', '4821')).toEqual({ ok: true, value: id })
    expect(await wallets.get(id)).toMatchObject({ kind: 'consumer', email: ana.email, phone: ana.phone })
    await expect(wallets.callbackCredentials(id)).rejects.toThrow('receives no callbacks')
    expect(await wallets.changeMerchant(id, { name: 'Shop' })).toMatchObject({
      refusal: { kind: 'not_found' },
    })
    expect(await wallets.listMerchants()).toEqual([])
  })

  it('are locked for a day after three wrong PINs', async () => {
    const { wallets, clock } = await openWalletsWorld(kind)
    const id = unwrap(await wallets.createConsumer(ana))
    const wrong = { ok: false, refusal: { kind: 'authentication_failed' } }
    const locked = { ok: false, refusal: { kind: 'pin_retries_exhausted' } }
    expect(await wallets.logInConsumer(ana.email, '0000')).toMatchObject(wrong)
    expect(await wallets.logInConsumer(ana.email, '0000')).toMatchObject(wrong)
    expect(await wallets.logInConsumer(ana.email, ana.pin)).toEqual({ ok: true, value: id })
    expect(await wallets.logInConsumer(ana.email, '0000')).toMatchObject(wrong)
    expect(await wallets.logInConsumer(ana.email, '0000')).toMatchObject(wrong)
    expect(await wallets.logInConsumer(ana.email, '0000')).toMatchObject(locked)
    expect(await wallets.logInConsumer(ana.email, ana.pin)).toMatchObject(locked)
    clock.advance(24 * hour)
    expect(await wallets.logInConsumer(ana.email, '0000')).toMatchObject(wrong)
    expect(await wallets.logInConsumer(ana.email, ana.pin)).toEqual({ ok: true, value: id })
  })

  it('that do not exist are answered as those who do, also when locked and long after', async () => {
    const { wallets, clock, database } = await openWalletsWorld(kind)
    unwrap(await wallets.createConsumer(ana))
    const tell = async (email: string) => {
      const result = await wallets.logInConsumer(email, '0000')
      return result.ok ? 'in' : `${result.refusal.kind}: ${result.refusal.reason}`
    }
    for (const pause of [0, 0, 0, 0, hour, 23 * hour, 0, 0, 0]) {
      clock.advance(pause)
      expect(await tell('nobody@example.com')).toBe(await tell(ana.email))
    }
    expect(await tell('NOBODY@example.com')).toMatch(/^pin_retries_exhausted/)
    const kept = await database.run<{ text: string }>({
      text: 'select unknown_log_ins::text from unknown_log_ins',
    })
    expect(JSON.stringify(kept)).not.toContain(Buffer.from('nobody').toString('hex'))
    clock.advance(31 * 24 * hour)
    await tell('somebody@example.com')
    expect(await database.run({ text: 'select 1 from unknown_log_ins' })).toHaveLength(1)
  })

  it('are checked a few at once; if too many wait, others are refused without a counted try', async () => {
    const { wallets } = await openWalletsWorld(kind)
    unwrap(await wallets.createConsumer(ana))
    const flood = Array.from({ length: 60 }, (_, index) => wallets.logInConsumer(`n${index}@b.pt`, '0000'))
    const late = Array.from({ length: 5 }, () => wallets.logInConsumer(ana.email, '0000'))
    const kinds = (await Promise.all(flood)).map((result) => (result.ok ? 'in' : result.refusal.kind))
    expect(kinds.filter((kind) => kind === 'authentication_failed')).toHaveLength(22)
    expect(kinds.filter((kind) => kind === 'service_unavailable')).toHaveLength(38)
    for (const result of await Promise.all(late)) {
      expect(result).toMatchObject({ refusal: { kind: 'service_unavailable' } })
    }
    expect(await wallets.logInConsumer(ana.email, ana.pin)).toMatchObject({ ok: true })
  })

  it('cannot be guessed by asking many times at once', async () => {
    const { wallets } = await openWalletsWorld(kind)
    unwrap(await wallets.createConsumer(ana))
    const guesses = Array.from({ length: 12 }, (_, guess) =>
      wallets.logInConsumer(ana.email, String(1000 + guess)),
    )
    const kinds = (await Promise.all(guesses)).map((result) => (result.ok ? 'in' : result.refusal.kind))
    expect(kinds.filter((kind) => kind === 'authentication_failed')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'pin_retries_exhausted')).toHaveLength(10)
  })

  it.each(['nobody@example.com', '', 'a\u0000@b.pt', `${'a'.repeat(5000)}@b.pt`])(
    'learn nothing about %o',
    async (email) => {
      const { wallets } = await openWalletsWorld(kind)
      unwrap(await wallets.createConsumer(ana))
      const known = await wallets.logInConsumer(ana.email, '0000')
      expect(await wallets.logInConsumer(email, '0000')).toEqual(known)
    },
  )

  it.each([
    [{ pin: '123' }, 'pin must be 4 to 8 digits'],
    [{ pin: '12a4' }, 'pin must be 4 to 8 digits'],
    [{ phone: '911' }, 'phone must be'],
    [{ email: 'ana' }, 'email must be'],
    [{ email: 'ANA@example.com' }, 'already has a wallet'],
  ])('with %o are refused', async (change, words) => {
    const { wallets } = await openWalletsWorld(kind)
    unwrap(await wallets.createConsumer(ana))
    const refused = await wallets.createConsumer({ ...ana, email: 'rui@example.com', ...change })
    expect(refused).toMatchObject({
      ok: false,
      refusal: { kind: 'invalid_parameter', reason: expect.stringContaining(words) },
    })
  })
})
