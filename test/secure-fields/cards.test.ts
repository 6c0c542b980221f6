// Cards encrypted by the frame's code: accepted, refused, replayed.
import fc from 'fast-check'
import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hour, minute, second } from '../../src/kernel/time.ts'
import { consume, type NewCardSecure } from '../../src/secure-fields/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import type { EncryptedCard } from '../../web/secure-fields/messages.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import {
  card,
  type FieldsGateway,
  otherShop,
  shop,
  shopOrigin,
  startFieldsGateway,
  unknownSession,
} from './world.ts'

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

describe('a card', () => {
  it('is decrypted as typed', async () => {
    const { newCardSecure, brand, last4, bin, expiresAt } = await gateway.encrypt()
    expect({ brand, last4, bin, expiresAt }).toEqual({
      brand: 'visa',
      last4: '0027',
      bin: '417666',
      expiresAt: '2026-03-01T12:15:00.000Z',
    })
    expect(Object.keys(newCardSecure).toSorted()).toEqual(['name', 'number', 'valdate', 'vcode'])
    const opened = await gateway.decrypt(newCardSecure)
    expect(opened).toMatchObject({ ok: true, value: card })
  })

  it('with any changed part is refused', async () => {
    const { newCardSecure } = await gateway.encrypt()
    const right = newCardSecure.number as string
    const [head = ''] = right.split('.')
    const header = JSON.parse(Buffer.from(head, 'base64url').toString())
    const changed = fc.oneof(
      fc
        .record({ at: fc.nat(right.length - 1), other: fc.string({ unit: 'binary', maxLength: 3 }) })
        .map(({ at, other }) => right.slice(0, at) + other + right.slice(at + 1)),
      fc
        .record({
          name: fc.constantFrom('alg', 'enc', 'kid', 'epk', 'zip', 'crit', 'apu', 'p2c', '__proto__'),
          value: fc.oneof(
            fc.jsonValue(),
            fc.constantFrom('none', 'dir', 'DEF', 'RSA1_5', { kty: 'EC', crv: 'P-256', x: '', y: '' }),
          ),
        })
        .map(({ name, value }) => {
          const other = Buffer.from(JSON.stringify({ ...header, [name]: value })).toString('base64url')
          return [other, ...right.split('.').slice(1)].join('.')
        }),
      fc.jsonValue().map((value) => value as string),
      fc.constantFrom('.'.repeat(4), '.'.repeat(3999), 'a'.repeat(4001), `${right}.`),
    )
    await fc.assert(
      fc.asyncProperty(changed, async (number) => {
        fc.pre(number !== right)
        const opened = await gateway.decrypt({ ...newCardSecure, number })
        const kinds = ['invalid_parameter', 'missing_parameter']
        const refusal = opened.ok ? undefined : opened.refusal
        expect(kinds).toContain(refusal?.kind)
        expect(refusal?.reason).toMatch(/^newCardSecure\.number (?:must|was|cannot|is) /)
      }),
      { seed: 18, numRuns: 300 },
    )
  })

  it('of the longest name fits', async () => {
    const { newCardSecure } = await gateway.encrypt({ origin: shopOrigin })
    for (const jwe of Object.values(newCardSecure)) expect(jwe.length).toBeLessThan(1100)
  })

  it.each(databaseKinds)('is used once, also by twenty callers at once: %s', async (kind) => {
    const own = await openTestDatabase(kind)
    const there = await startFieldsGateway(own)
    const { newCardSecure } = await there.encrypt()
    const opened = await Promise.all(Array.from({ length: 20 }, () => there.decrypt(newCardSecure)))
    const used = await Promise.all(
      opened.map((one) => (one.ok ? consume(own, one.value.use) : Promise.resolve(one))),
    )
    expect(used.filter(({ ok }) => ok)).toHaveLength(1)
    const again = {
      ok: false,
      refusal: { kind: 'invalid_parameter', reason: 'newCardSecure was used before: encrypt the card again' },
    }
    expect(used.filter(({ ok }) => !ok)).toEqual(Array(19).fill(again))
    expect(await there.decrypt(newCardSecure)).toEqual(again)
    await there.close()
    await own.close()
  })

  it('counts as unused when the transaction that used it is rolled back', async () => {
    const { newCardSecure } = await gateway.encrypt()
    const opened = await gateway.decrypt(newCardSecure)
    if (!opened.ok) throw new Error(opened.refusal.reason)
    const { use } = opened.value
    const rolledBack = database.transaction(async (tx) => {
      expect(await consume(tx, use)).toMatchObject({ ok: true })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    expect(await gateway.decrypt(newCardSecure)).toMatchObject({ ok: true })
    expect(await consume(database, use)).toMatchObject({ ok: true })
  })
})

type Change = (card: EncryptedCard['newCardSecure']) => NewCardSecure | Promise<NewCardSecure>

const spoiled: Record<string, [Change, string]> = {
  'a field is missing': [({ number: _, ...rest }) => rest, 'newCardSecure.number is required'],
  'plain data instead': [
    (good) => ({ ...good, vcode: '987' }),
    'newCardSecure.vcode must be the result of encrypt() of the secure form fields',
  ],
  'a number instead': [
    (good) => ({ ...good, name: 5 }),
    'newCardSecure.name must be the result of encrypt() of the secure form fields',
  ],
  'five parts of nonsense': [
    (good) => ({ ...good, number: 'a.b.c.d.e' }),
    'newCardSecure.number must be the result of encrypt() of the secure form fields',
  ],
  'cut off': [
    (good) => ({ ...good, name: good.name.slice(0, -4) }),
    'newCardSecure.name cannot be decrypted: it was cut off or changed on its way',
  ],
  changed: [
    (good) => ({
      ...good,
      number: good.number.replace(
        /\.(.)([^.]*)$/,
        (_all, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
      ),
    }),
    'newCardSecure.number cannot be decrypted: it was cut off or changed on its way',
  ],
  'much too long': [
    (good) => ({ ...good, number: `${good.number}${'A'.repeat(4000)}` }),
    'newCardSecure.number must have at most 4000 characters',
  ],
  'two fields in each other’s place': [
    (good) => ({ ...good, name: good.vcode, vcode: good.name }),
    'newCardSecure.name holds the encrypted vcode',
  ],
  'the code of another card': [
    async (good) => ({ ...good, vcode: (await gateway.encrypt()).newCardSecure.vcode }),
    'newCardSecure.vcode and newCardSecure.number belong to different cards: send the four fields of one encrypt()',
  ],
  'the code of another card of the same session': [
    async () => {
      const ticket = await gateway.ticket()
      const [one, two] = [await gateway.encrypt(ticket), await gateway.encrypt(ticket)]
      return { ...one.newCardSecure, vcode: two.newCardSecure.vcode }
    },
    'newCardSecure.vcode and newCardSecure.number belong to different cards: send the four fields of one encrypt()',
  ],
  'for another merchant': [
    async () => (await gateway.encrypt({ merchant: otherShop.publicId })).newCardSecure,
    'newCardSecure.number was encrypted for another merchant',
  ],
  'with the session of another merchant': [
    async () => (await gateway.encrypt(await gateway.ticket(otherShop.publicId))).newCardSecure,
    'newCardSecure.number carries the session of another merchant',
  ],
  'with a session nobody issued': [
    async () => (await gateway.encrypt({ session: unknownSession() })).newCardSecure,
    'newCardSecure.number carries a session that was not issued here: encrypt the card again',
  ],
  'on a page of another origin': [
    async () => (await gateway.encrypt({ origin: 'https://evil.example' })).newCardSecure,
    'newCardSecure.number was typed on a page whose origin is not registered for this merchant',
  ],
  'more than a minute from now': [
    async () => (await gateway.encrypt({ iat: gateway.now() + 61 * second })).newCardSecure,
    'newCardSecure.number was encrypted in the future',
  ],
  'older than fifteen minutes': [
    (good) => {
      gateway.advance(15 * minute + 1)
      return good
    },
    'newCardSecure.number is older than 15 minutes: encrypt the card again',
  ],
  'after its session had expired': [
    async () => {
      const { session } = await gateway.ticket()
      gateway.advance(17 * minute)
      return (await gateway.encrypt({ session })).newCardSecure
    },
    'newCardSecure.number was encrypted after its session had expired: encrypt the card again',
  ],
  'with a key that has been replaced for two hours': [
    async () => {
      const { key } = await gateway.ticket()
      gateway.advance(14 * hour)
      return (await gateway.encrypt({ key })).newCardSecure
    },
    'newCardSecure.number was encrypted with a key that is unknown or has expired: encrypt the card again',
  ],
  'with a key of somebody else': [
    async () => {
      const { key } = await gateway.ticket()
      return (await gateway.encrypt({ key: { ...key, kid: 'Zz'.repeat(8) } })).newCardSecure
    },
    'newCardSecure.number was encrypted with a key that is unknown or has expired: encrypt the card again',
  ],
}

describe('refused with the field and the reason', () => {
  it.each(Object.entries(spoiled))('%s', async (_how, [spoil, reason]) => {
    const { newCardSecure } = await gateway.encrypt()
    const answer = await gateway.decrypt(await spoil(newCardSecure))
    const kind = reason.endsWith('is required') ? 'missing_parameter' : 'invalid_parameter'
    expect(answer).toEqual({ ok: false, refusal: { kind, reason } })
  })

  it.each([
    ['not JSON', 'hello'],
    ['null', 'null'],
    ['a payload without a set', JSON.stringify({ merchant: shop.publicId, field: 'number', value: '1' })],
    ['a key name with NUL', JSON.stringify({}), 'a\u0000b'],
  ])('the encrypted text is %s', async (_what, plaintext, kid?: string) => {
    const { key } = await gateway.ticket()
    const number = await new CompactEncrypt(Buffer.from(plaintext))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: kid ?? key.kid })
      .encrypt(await importJWK({ ...key }, 'ECDH-ES'))
    const { newCardSecure } = await gateway.encrypt()
    expect(await gateway.decrypt({ ...newCardSecure, number })).toMatchObject({
      ok: false,
      refusal: { reason: 'newCardSecure.number must be the result of encrypt() of the secure form fields' },
    })
  })

  it('an ephemeral key that is no point of the curve', async () => {
    const { newCardSecure } = await gateway.encrypt()
    const [header = '', ...rest] = newCardSecure.number.split('.')
    const { epk, ...others } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const bent = Buffer.from(JSON.stringify({ ...others, epk: { ...epk, y: epk.x } })).toString('base64url')
    expect(await gateway.decrypt({ ...newCardSecure, number: [bent, ...rest].join('.') })).toMatchObject({
      ok: false,
      refusal: {
        kind: 'invalid_parameter',
        reason: expect.stringContaining('newCardSecure.number cannot be decrypted'),
      },
    })
  })
})

describe('on time', () => {
  it('a card of a minute ago by a slow clock, or of now by a fast one, is accepted', async () => {
    for (const iat of [gateway.now() - 15 * minute, gateway.now() + 60 * second]) {
      const { newCardSecure } = await gateway.encrypt({ iat })
      expect(await gateway.decrypt(newCardSecure)).toMatchObject({ ok: true })
    }
  })

  it('a replaced key opens cards of frames that were open', async () => {
    const ticket = await gateway.ticket()
    gateway.advance(13 * hour)
    const next = await gateway.ticket()
    expect(next.key.kid).not.toBe(ticket.key.kid)
    const { newCardSecure } = await gateway.encrypt({ key: ticket.key })
    expect(await gateway.decrypt(newCardSecure)).toMatchObject({ ok: true })
  })
})
