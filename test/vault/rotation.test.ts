// Rotation of master keys during use, with interruptions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as breathe } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemRandomness } from '../../src/kernel/random.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { SealBroken, seal } from '../../src/kernel/sealing.ts'
import { cardSecrets } from '../../src/methods/cards/vault/index.ts'
import { privateKey, publicKeys, secureFieldSecrets } from '../../src/secure-fields/keys.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { createWallets, walletSecrets } from '../../src/wallets/index.ts'
import { createPostgresDatabase, databaseKinds, openTestDatabase } from '../database.ts'
import {
  card,
  clockAt,
  type KeyFile,
  live,
  newKeyFile,
  numberOf,
  openVault,
  storeMany,
  toStore,
  type VaultProcess,
} from './world.ts'

const walletId = 1000n

describe.each(databaseKinds)('rotation on %s', (kind) => {
  let database: Database
  let keys: KeyFile
  let serving: VaultProcess

  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    keys = await newKeyFile()
    serving = await openVault(database, keys.path)
  })
  afterEach(async () => {
    await database.run({ text: 'truncate stored_cards, secure_field_keys, wallets cascade' })
    await keys.remove()
  })

  const opened = async (process: VaultProcess, token: string) =>
    process.vault.open(await live(process.vault, walletId, token)).number
  const versionsOf = async (process: VaultProcess, secrets: string) => {
    const { versions } = await process.rotation.status()
    return Object.fromEntries(versions.map((one) => [one.version, one.secrets[secrets]]))
  }

  it('seals every card with the operator’s new key', async () => {
    const tokens = await storeMany(database, serving.vault, 230)
    const { token: voided } = await serving.vault.store(database, toStore({ walletId }))
    await serving.vault.void(walletId, voided)
    await keys.add(2)
    const operator = await openVault(database, keys.path)
    expect(await versionsOf(operator, 'stored_cards')).toEqual({ 1: 230, 2: 0 })
    expect(unwrapped(await operator.rotation.rotate())).toEqual({
      version: 2,
      added: false,
      resealed: { stored_cards: 230, cards_of_attempts: 0, secure_field_keys: 0 },
      left: {},
    })
    expect(await versionsOf(operator, 'stored_cards')).toEqual({ 1: 0, 2: 230 })
    for (const [index, token] of tokens.entries()) expect(await opened(serving, token)).toBe(numberOf(index))
    expect(unwrapped(await operator.rotation.rotate())).toMatchObject({
      added: false,
      resealed: { stored_cards: 0 },
    })
  })

  it('succeeds for 200 callers that open cards meanwhile, and one that stores', async () => {
    const tokens = await storeMany(database, serving.vault, 200)
    await keys.add(2)
    const operator = await openVault(database, keys.path)
    let rotated = false
    const rotation = operator.rotation.rotate().finally(() => {
      rotated = true
    })
    let opens = 0
    const open = async (token: string, index: number) => {
      do {
        expect(await opened(serving, token)).toBe(numberOf(index))
        opens++
        await breathe()
      } while (!rotated)
    }
    await Promise.all([
      ...tokens.map(open),
      serving.vault.store(database, toStore({ card: { ...card, number: numberOf(900) } })),
    ])
    expect(unwrapped(await rotation)).toMatchObject({ left: {} })
    expect(opens).toBeGreaterThanOrEqual(200)
    expect(await versionsOf(operator, 'stored_cards')).toEqual({ 1: 0, 2: 201 })
  })

  it('recognises a card that was stored under an older key', async () => {
    const { token } = await serving.vault.store(database, toStore())
    await keys.add(2)
    const operator = await openVault(database, keys.path)
    await operator.rotation.rotate()
    expect(await operator.vault.store(database, toStore())).toEqual({ token, created: false })
  })

  it('releases an old key that seals nothing', async () => {
    await keys.add(2)
    const second = await openVault(database, keys.path)
    const [token = ''] = await storeMany(database, second.vault, 1)
    await keys.add(3)
    await keys.keep(1, 3)
    const hasty = await openVault(database, keys.path)
    await expect(opened(hasty, token)).rejects.toThrow(SealBroken)
    expect(unwrapped(await hasty.rotation.rotate())).toMatchObject({ left: { stored_cards: 1 } })
    expect(await hasty.rotation.status()).toMatchObject({
      versions: [{ version: 1 }, { version: 2, inFile: false, secrets: { stored_cards: 1 } }, { version: 3 }],
    })
    await keys.keep(1, 2, 3)
    await hasty.rotation.rotate()
    await keys.keep(1, 3)
    expect(await opened(await openVault(database, keys.path), token)).toBe(numberOf(0))
  })

  it('skips damaged records, and reports them', async () => {
    const [damaged = '', whole = ''] = await storeMany(database, serving.vault, 2)
    await database.run(
      {
        text: `update stored_cards set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1)
        where token = $1`,
      },
      [damaged],
    )
    await keys.add(2)
    const operator = await openVault(database, keys.path)
    expect(unwrapped(await operator.rotation.rotate())).toMatchObject({
      resealed: { stored_cards: 1 },
      left: { stored_cards: 1 },
    })
    expect(await opened(serving, whole)).toBe(numberOf(1))
    await expect(opened(serving, damaged)).rejects.toThrow(SealBroken)
  })

  it('is finished by the next one after an interruption, without another key', async () => {
    const path = `${keys.path}.generated`
    const before = await openVault(database, path, { generate: true })
    const tokens = await storeMany(database, before.vault, 250)
    const interrupted = await openVault(breakingOffAfter(database, 6), path, { generate: true })
    await expect(interrupted.rotation.rotate()).rejects.toThrow('the connection is gone')
    const half = await versionsOf(before, 'stored_cards')
    expect(half).toEqual({ 1: expect.any(Number), 2: expect.any(Number) })
    expect(half[1]).toBeGreaterThan(0)
    expect(half[2]).toBeGreaterThan(0)
    for (const [index, token] of tokens.entries()) expect(await opened(before, token)).toBe(numberOf(index))

    const next = await openVault(database, path, { generate: true })
    expect(unwrapped(await next.rotation.rotate())).toMatchObject({
      version: 2,
      added: false,
      resealed: { stored_cards: half[1] },
      left: {},
    })
    expect(unwrapped(await next.rotation.rotate())).toMatchObject({
      version: 3,
      added: true,
      resealed: { stored_cards: 250 },
    })
    for (const [index, token] of tokens.entries()) expect(await opened(before, token)).toBe(numberOf(index))
  })

  it('makes one key if several start at once, and loses no card', async () => {
    const path = `${keys.path}.generated`
    const processes = await Promise.all(
      Array.from({ length: 4 }, () => openVault(database, path, { generate: true })),
    )
    const [first] = processes as [VaultProcess]
    const tokens = await storeMany(database, first.vault, 120)
    await Promise.all(processes.map(({ rotation }) => rotation.rotate()))
    const fresh = await openVault(database, path)
    expect([...fresh.keyring.keys.keys()]).toEqual([1, 2])
    for (const [index, token] of tokens.entries()) expect(await opened(fresh, token)).toBe(numberOf(index))
    expect((await versionsOf(fresh, 'stored_cards'))[1]).toBe(0)
  })

  it('notifies every process, which seals under the new key from then on', async () => {
    await serving.rotation.listen()
    await keys.add(2)
    expect(serving.keyring.current).toBe(1)
    const operator = await openVault(database, keys.path)
    await operator.rotation.rotate()
    await expect.poll(() => serving.keyring.current).toBe(2)
    await storeMany(database, serving.vault, 1)
    expect(await versionsOf(operator, 'stored_cards')).toEqual({ 1: 0, 2: 1 })

    await keys.keep(2)
    await database.notify('keyring', '')
    await expect.poll(() => serving.errors).toMatchObject([{ message: /must keep the key of version 1/ }])
    expect(await serving.rotation.rotate()).toMatchObject({
      ok: false,
      refusal: expect.stringMatching(/must keep the key/),
    })
    expect(serving.keyring.current).toBe(2)
  })

  it('includes callback secrets, secrets of the demo world and keys of secure fields', async () => {
    const { keyring } = serving
    const clock = clockAt(Date.UTC(2026, 2, 1))
    const wallets = createWallets({
      database,
      clock,
      random: systemRandomness,
      keyring,
      mode: 'sandbox',
      openAccounts: async () => undefined,
    })
    const made = unwrap(await wallets.createMerchant({ name: 'Shop', email: 'shop@example.com' }))
    const both = { rotateCallbackSecret: true, rotateCallbackSigningSecret: true }
    const rotated = unwrap(await wallets.changeMerchant(made.wallet.id, {}, both))
    await database.run(
      { text: 'insert into demo_wallets (label, wallet_id, secrets_sealed) values ($1, $2, $3)' },
      ['shop', made.wallet.id, seal(keyring, '{}', 'demo world shop', systemRandomness)],
    )
    const fields = { database, keyring, random: systemRandomness }
    const [published] = await publicKeys(fields, clock.now())
    const secret = await privateKey(fields, published?.kid ?? '', clock.now())

    await keys.add(2)
    await keys.add(3)
    const operator = await openVault(database, keys.path, {
      columns: [...cardSecrets, ...secureFieldSecrets, ...walletSecrets],
    })
    expect(unwrapped(await operator.rotation.rotate())).toMatchObject({
      version: 3,
      resealed: {
        callback_secrets: 1,
        previous_callback_secrets: 1,
        callback_signing_secrets: 1,
        previous_callback_signing_secrets: 1,
        demo_secrets: 1,
        secure_field_keys: 1,
      },
      left: {},
    })
    const again = createWallets({
      database,
      clock,
      random: systemRandomness,
      keyring,
      mode: 'sandbox',
      openAccounts: async () => undefined,
    })
    expect(await again.callbackCredentials(made.wallet.id)).toMatchObject({
      secret: rotated.callbackSecret,
      previousSecret: made.callbackSecret,
      signingSecrets: [rotated.callbackSigningSecret, made.callbackSigningSecret],
    })
    expect(await privateKey(fields, published?.kid ?? '', clock.now())).toEqual(secret)
  })
})

it('killed in the middle, is finished by the next one', async () => {
  const url = await createPostgresDatabase()
  const database = openPostgres({ url })
  const keys = await newKeyFile()
  try {
    const serving = await openVault(database, keys.path)
    const tokens = await storeMany(database, serving.vault, 300)
    await keys.add(2)
    const byVersion = async () => {
      const counts = await cardSecrets[0]?.countVersions(database)
      return [counts?.get(1) ?? 0, counts?.get(2) ?? 0]
    }
    // A payment locks some cards. The rotation does the others, and dies while it waits for these.
    await database.transaction(async (tx) => {
      await tx.run({ text: 'select 1 from stored_cards order by token limit 40 for update' })
      const script = new URL('rotate-until-killed.ts', import.meta.url).pathname
      const child = spawn(process.execPath, [script, url, keys.path], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      await expect.poll(byVersion).toEqual([40, 260])
      child.kill('SIGKILL')
      expect((await ended)[1]).toBe('SIGKILL')
    })
    for (const [index, token] of tokens.entries()) {
      expect(serving.vault.open(await live(serving.vault, walletId, token)).number).toBe(numberOf(index))
    }
    const next = await openVault(database, keys.path)
    expect(unwrapped(await next.rotation.rotate())).toMatchObject({
      resealed: { stored_cards: 40 },
      left: {},
    })
    expect(await byVersion()).toEqual([0, 300])
  } finally {
    await database.close()
    await keys.remove()
  }
})

function unwrapped<T>(result: { ok: true; value: T } | { ok: false; refusal: string }): T {
  if (!result.ok) throw new Error(result.refusal)
  return result.value
}

/** A database whose connection breaks in the middle of a later transaction. */
function breakingOffAfter(database: Database, transactions: number): Database {
  let begun = 0
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        if (++begun > transactions) throw new Error('the connection is gone')
        return result
      }),
  }
}
