// The vault stores cards for their token and hides them from others.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SealBroken } from '../../src/kernel/sealing.ts'
import { instant } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import {
  authentication,
  card,
  clockAt,
  type KeyFile,
  live,
  newKeyFile,
  number,
  openVault,
  toStore,
  type VaultProcess,
} from './world.ts'

const walletId = 1000n
const otherWallet = 1001n

describe.each(databaseKinds)('the vault on %s', (kind) => {
  let database: Database
  let keys: KeyFile
  let process: VaultProcess

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    keys = await newKeyFile()
  })
  afterAll(async () => {
    await database.close()
    await keys.remove()
  })
  beforeEach(async () => {
    process = await openVault(database, keys.path)
  })
  afterEach(() => database.run({ text: 'truncate stored_cards' }))

  const store = (changes?: Parameters<typeof toStore>[0]) => process.vault.store(database, toStore(changes))

  it('finds a stored card by its token in either case, and opens it', async () => {
    const proposed = randomUUID()
    expect(await store({ token: proposed.toUpperCase() })).toEqual({ token: proposed, created: true })
    for (const token of [proposed, proposed.toUpperCase()]) {
      const found = await live(process.vault, walletId, token)
      expect(found).toMatchObject({
        token: proposed,
        last4: '0027',
        bin: '417666',
        brand: 'visa',
        valdate: '12/2030',
        verificationStatus: 'VERIFIED',
        authentication,
      })
      expect(process.vault.open(found)).toEqual(card)
    }
    expect(process.vault.cardOnWire(await live(process.vault, walletId, proposed), instant(0))).toEqual({
      token: proposed.toUpperCase(),
      last4: '0027',
      type: 'visa',
      valdate: '12/2030',
      expired: false,
      verification_status: 'VERIFIED',
      bin: '417666',
      voided: false,
    })
  })

  it('finds nothing for another wallet, an unknown token, or an invalid one', async () => {
    const { token } = await store()
    expect(await process.vault.find(otherWallet, token)).toBeUndefined()
    for (const other of [randomUUID(), '', 'x', `${token} `, `${token}'`, '\u0000', token.slice(1)]) {
      expect(await process.vault.find(walletId, other)).toBeUndefined()
      expect(await process.vault.void(walletId, other)).toMatchObject({ refusal: { kind: 'not_found' } })
    }
    expect(await process.vault.void(otherWallet, token)).toMatchObject({ refusal: { kind: 'not_found' } })
    await live(process.vault, walletId, token)
  })

  it('gives the same card the same token, with the latest details', async () => {
    const first = await store({ verified: false, authentication: undefined })
    const again = { number, name: 'A. Pestana', expiry: { month: 1, year: 2031 } }
    expect(await store({ card: again })).toEqual({ token: first.token, created: false })
    const found = await live(process.vault, walletId, first.token)
    expect(found).toMatchObject({ verificationStatus: 'VERIFIED', valdate: '01/2031', authentication })
    expect(process.vault.open(found)).toEqual(again)
    await store({ card: again, verified: false, authentication: undefined })
    const last = await live(process.vault, walletId, first.token)
    expect(process.vault.cardOnWire(last, instant(0), { name: true })).toMatchObject({
      verification_status: 'UNVERIFIED',
      name: 'A. Pestana',
    })
    expect(last.authentication).toBeUndefined()
  })

  it('gives another card, and the same card of another wallet, another token', async () => {
    const mine = await store()
    const others = [
      await store({ walletId: otherWallet }),
      await store({ card: { ...card, number: '5299990270000368' } }),
    ]
    expect(others.every(({ token, created }) => created && token !== mine.token)).toBe(true)
    const rows = await database.run<{ fingerprint: Buffer }>(
      {
        text: 'select fingerprint from stored_cards where last4 = $1',
      },
      ['0027'],
    )
    const fingerprints = rows.map(({ fingerprint }) => Buffer.from(fingerprint).toString('hex'))
    expect(new Set(fingerprints).size).toBe(2)
  })

  it('makes one record for many stores of a card at once', async () => {
    const stored = await Promise.all(
      Array.from({ length: 40 }, () => database.transaction((tx) => process.vault.store(tx, toStore()))),
    )
    expect(new Set(stored.map(({ token }) => token)).size).toBe(1)
    expect(stored.filter(({ created }) => created)).toHaveLength(1)
    const [row] = await database.run<{ count: bigint }>({ text: 'select count(*) from stored_cards' })
    expect(row?.count).toBe(1n)
  })

  it('erases a voided card and keeps its record; a second void has no effect', async () => {
    const { token } = await store()
    expect(await process.vault.void(walletId, token.toUpperCase())).toEqual({ ok: true, value: true })
    const voided = await process.vault.find(walletId, token)
    expect(voided).toMatchObject({ voidedAt: Date.UTC(2026, 2, 1), last4: '0027' })
    expect(voided && process.vault.cardOnWire(voided, instant(0), { name: true })).toEqual({
      token: token.toUpperCase(),
      last4: '0027',
      type: 'visa',
      valdate: '12/2030',
      expired: false,
      verification_status: 'VERIFIED',
      bin: '417666',
      voided: true,
    })
    const later = await openVault(database, keys.path, { clock: clockAt(Date.UTC(2026, 5, 1)) })
    expect(await later.vault.void(walletId, token)).toEqual({ ok: true, value: true })
    expect(await process.vault.find(walletId, token)).toEqual(voided)
    const [row] = await database.run<Record<string, unknown>>({ text: 'select * from stored_cards' })
    expect(row).toMatchObject({ wrapped_key: null, sealed_pan: null, fingerprint: null, name: null })
    expect(await store()).toMatchObject({ created: true })
  })

  it('keeps either the card or nothing of it, and one live card per number, with concurrent writers', async () => {
    const { token } = await store()
    await expect(
      database.run({ text: 'update stored_cards set wrapped_key = null where token = $1' }, [token]),
    ).rejects.toThrow(/check/)
    await expect(
      database.run({ text: 'update stored_cards set voided_at = now() where token = $1' }, [token]),
    ).rejects.toThrow(/check/)
    await store({ card: { ...card, number: '5299990270000368' } })
    await expect(
      database.run({
        text: 'update stored_cards set fingerprint = (select fingerprint from stored_cards order by bin limit 1)',
      }),
    ).rejects.toThrow(/unique/)
  })

  it('opens no changed or moved record', async () => {
    const { token } = await store()
    const other = await store({ walletId: otherWallet, card: { ...card, number: '5299990270000368' } })
    const mine = await live(process.vault, walletId, token)
    const theirs = await live(process.vault, otherWallet, other.token)
    const forged = [
      { ...mine, sealedPan: theirs.sealedPan },
      { ...mine, wrappedKey: theirs.wrappedKey },
      { ...mine, sealedPan: theirs.sealedPan, wrappedKey: theirs.wrappedKey },
      { ...mine, walletId: otherWallet },
      { ...mine, token: other.token },
    ]
    for (const record of forged) expect(() => process.vault.open(record)).toThrow(SealBroken)
    for (const field of ['sealedPan', 'wrappedKey'] as const) {
      for (let index = 0; index < mine[field].length; index++) {
        const bytes = Buffer.from(mine[field])
        bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index)
        expect(() => process.vault.open({ ...mine, [field]: bytes }), `${field} ${index}`).toThrow(SealBroken)
      }
    }
    expect(process.vault.open(mine)).toEqual(card)
  })

  it('leaves no trace of the number in the rows', async () => {
    // 19 digits: the hidden part is too long to occur by chance.
    const long = '4176668374652910473'
    await store({ card: { ...card, number: long } })
    await store({ card: { ...card, number: long }, walletId: otherWallet })
    const rows = await database.run<{ text: string }>({
      text: 'select stored_cards::text as text from stored_cards',
    })
    const written = rows.map(({ text }) => text).join('\n')
    // The whole number, or its hidden digits, in any encoding.
    for (const digits of [long, long.slice(6, -4)]) {
      const bytes = Buffer.from(digits)
      for (const form of [digits, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')]) {
        expect(written).not.toContain(form)
      }
    }
    expect(written).toContain('0473')
  })
})
