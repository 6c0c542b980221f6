// Ids of requests, canonical bodies, and fingerprints.
import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ReadAs } from '../http/index.ts'
import type { Keyring } from '../kernel/sealing.ts'
import { fingerprinting, readKey } from './key.ts'

const keyringOf = (byte: number): Keyring => ({
  current: 1,
  keys: new Map([[1, new Uint8Array(32).fill(byte)]]),
})
const meaning = 'POST /prows/v2/payment\n{"newCard":{"number":"4176660000000027"}}'

it('digests a request under the master key', () => {
  const [one, again, other] = [keyringOf(1), keyringOf(1), keyringOf(2)].map((keyring) =>
    Buffer.from(fingerprinting(keyring)(meaning)).toString('hex'),
  )
  expect(again).toBe(one)
  expect(other).not.toBe(one)
  expect(one).not.toBe(createHash('sha256').update(meaning).digest('hex'))
})

it('equals the fingerprint of the previous version', () => {
  const master = new Uint8Array(32).fill(1)
  const key = hkdfSync('sha256', master, '', 'comporta request fingerprints', 32)
  const digest = createHmac('sha256', new Uint8Array(key)).update(meaning).digest('hex')
  expect(Buffer.from(fingerprinting(keyringOf(1))(meaning)).toString('hex')).toBe(digest)
})

it('outlives a rotation of the master keys', () => {
  const keys = new Map([...keyringOf(1).keys, [2, new Uint8Array(32).fill(9)]])
  expect(fingerprinting({ current: 2, keys })(meaning)).toEqual(fingerprinting(keyringOf(1))(meaning))
})

const id = randomUUID()

/** Here the fingerprint is the canonical text itself. */
function keyOf(body: unknown, { header, schema, url = '/api/v2/refund', method = 'POST' }: Sent = {}) {
  const headers = header === undefined ? {} : { 'idempotency-key': header }
  const request = {
    body,
    headers,
    url,
    method,
    routeOptions: schema === undefined ? {} : { schema: { body: schema } },
  }
  return readKey(request as never, (text) => Buffer.from(text))
}

interface Sent {
  readonly header?: unknown
  readonly schema?: object
  readonly url?: string
  readonly method?: string
}

function meaningOf(body: unknown, sent: Sent = {}): string {
  const key = keyOf(body, { header: id, ...sent })
  return key.ok && key.value !== undefined ? Buffer.from(key.value.fingerprint).toString() : 'no key'
}

describe('the id', () => {
  const [other, third] = [randomUUID(), randomUUID()]
  it.each([
    ['at the top', { request_id: id, payment: { request_id: other } }, third],
    ['in a payment', { payment: { request_id: id }, authorization: { request_id: other } }, third],
    [
      'in an authorization',
      { authorization: { request_id: id }, subscription: { request_id: other } },
      third,
    ],
    ['in a subscription', { subscription: { request_id: id } }, third],
    ['in the header', {}, id],
    ['in the header, where null is sent', { request_id: null, payment: { request_id: null } }, id],
    ['in the header, where there is no body', undefined, id],
    ['in capitals', { request_id: id.toUpperCase() }, undefined],
  ])('%s', (_, body, header) => {
    expect(keyOf(body, { header })).toMatchObject({ ok: true, value: { requestId: id } })
  })

  it.each([
    ['nothing', {}],
    ['a text', 'request_id'],
    ['null', null],
    ['an inherited member', Object.create({ request_id: id })],
  ])('is absent in %s', (_, body) => {
    expect(keyOf(body)).toEqual({ ok: true, value: undefined })
  })

  it.each([
    ['request_id must be a UUID', { request_id: 'x' }, undefined],
    ['request_id must be a UUID', { request_id: 5 }, id],
    ['request_id must be a UUID', { request_id: [id] }, id],
    ['authorization.request_id must be a UUID', { authorization: { request_id: 'x' } }, id],
    ['the header Idempotency-Key must be a UUID', {}, 'x'],
  ])('is refused: %s', (reason, body, header) => {
    expect(keyOf(body, { header })).toMatchObject({ refusal: { kind: 'invalid_parameter', reason } })
  })
})

describe('the path', () => {
  it.each(['/api/v2/refund/', '/API/v2/Refund', '/api/v2/refund?x=1', '/api/v2/refund/?x=1&y=?'])(
    '%s is the same',
    (url) => expect(meaningOf({}, { url })).toBe('POST /api/v2/refund\n{}'),
  )

  it.each([{ url: '/api/v2/refunds' }, { url: '/api/v2//refund' }, { method: 'PUT' }])(
    '%j is another',
    (sent) => {
      expect(meaningOf({}, sent)).not.toBe(meaningOf({}))
    },
  )
})

describe('without a schema the body', () => {
  it('is the sent body in canonical order, without ids, keys and null', () => {
    const body = {
      b: 1,
      a: [1, { d: 2, c: null }],
      request_id: id,
      merchant: { apikey: 'k', name: 'n' },
      e: null,
    }
    expect(meaningOf(body)).toBe('POST /api/v2/refund\n{"a":[1e0,{"d":2e0}],"b":1e0,"merchant":{"name":"n"}}')
  })

  it('is empty without a body', () => {
    expect(meaningOf(undefined)).toBe(meaningOf({}))
  })

  it('has no security code, and no ciphertext', () => {
    const newCard = { number: '4', vcode: '123' }
    const newCardSecure = { number: 'x', name: 'x', vcode: 'x', valdate: 'x', kid: 'k' }
    expect(meaningOf({ newCard, newCardSecure })).toBe(
      'POST /api/v2/refund\n{"newCard":{"number":"4"},"newCardSecure":{"kid":"k"}}',
    )
    expect(meaningOf({ vcode: '1', number: '2' })).toContain('{"number":"2","vcode":"1"}')
  })
})

describe('by a schema', () => {
  const bodyBy = (properties: object, body: object) =>
    meaningOf(body, { schema: { type: 'object', properties } }).split('\n')[1]
  const readAs = (how: ReadAs) => ({ a: { 'x-read-as': how } })

  it.each<[ReadAs, readonly unknown[], string]>([
    ['number', [10, '10', '10.0', ' 10.00 ', '1e1', '1E+1', '100e-1'], '{"a":1e1}'],
    ['number', ['1e12', '1000000000000'], '{"a":1e12}'],
    ['number', ['-2.5', '-25e-1'], '{"a":-25e0}'],
    ['number', ['10x'], '{"a":"10x"}'],
    ['number', ['x10'], '{"a":"x10"}'],
    ['number', ['1e1000'], '{"a":"1e1000"}'],
    ['number', ['1.'], '{"a":"1."}'],
    ['fraction', ['0.5', '1/2', ' 2 / 4 '], '{"a":1/2}'],
    ['fraction', ['half'], '{"a":"half"}'],
    ['word', ['eur', 'EUR', 'Eur'], '{"a":"EUR"}'],
    ['word', [5], '{"a":5e0}'],
    ['moment', ['soon'], '{"a":"soon"}'],
    ['phone', ['nobody'], '{"a":"nobody"}'],
    ['decimal', [0.5, '0.5'], '{"a":"0.5"}'],
    ['decimal', [true], '{"a":true}'],
    ['digits', ['undefined'], '{"a":"undefined"}'],
    ['digits', ['12 34-5', '12345', 12345], '{"a":"12345"}'],
    ['filled', ['', null, undefined], '{}'],
    ['filled', ['x'], '{"a":"x"}'],
    ['implied', ['x', 5], '{}'],
  ])('%s: %j', (how, values, text) => {
    for (const a of values) expect(bodyBy(readAs(how), { a })).toBe(text)
  })

  it('moments and phones are one, however they are written', () => {
    const moments = ['2026-03-02T12:00:00Z', '2026-03-02T13:00:00+01:00', '2026-03-02T12:00:00.000Z']
    expect(new Set(moments.map((a) => bodyBy(readAs('moment'), { a }))).size).toBe(1)
    expect(bodyBy(readAs('moment'), { a: moments[0] })).not.toBe(
      bodyBy(readAs('moment'), { a: '2026-03-03T12:00:00Z' }),
    )
    const phones = ['+351 912 345 678', '351#912345678', '+351912345678']
    expect(bodyBy(readAs('phone'), { a: phones[0] })).toBe(bodyBy(readAs('phone'), { a: phones[2] }))
  })

  it('leaves out unknown fields and defaults', () => {
    const properties = { b: { type: 'boolean', default: false }, a: { type: 'string' } }
    expect(bodyBy(properties, { a: 'x', b: false, c: 1 })).toBe('{"a":"x"}')
    expect(bodyBy(properties, { b: true, a: 'x' })).toBe('{"a":"x","b":true}')
    expect(bodyBy(properties, Object.create({ a: 'x' }))).toBe('{}')
  })

  it('a union is read as the branch that says how', () => {
    const a = { anyOf: [{ type: 'null' }, { type: 'string', 'x-read-as': 'number' }] }
    expect(bodyBy({ a }, { a: '10.0' })).toBe('{"a":1e1}')
  })

  it('lists are read item by item, and objects member by member', () => {
    const item = { type: 'object', properties: { n: { 'x-read-as': 'number' }, request_id: {} } }
    const list = { a: { type: 'array', items: item } }
    expect(bodyBy(list, { a: [{ n: '1.0', request_id: id }, null, 'x'] })).toBe('{"a":[{"n":1e0},null,"x"]}')
    expect(bodyBy({ a: { type: 'array' } }, { a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2e0,"d":1e0}]}')
    expect(bodyBy({ a: {} }, { a: { d: 1, c: 2 } })).toBe('{"a":{"c":2e0,"d":1e0}}')
    expect(bodyBy({ a: item }, { a: 'x' })).toBe('{"a":"x"}')
  })

  it('a security code and ciphertexts are left out of cards alone', () => {
    const card = { type: 'object', properties: { number: {}, name: {}, vcode: {}, valdate: {}, kid: {} } }
    const sent = { number: 'a', name: 'b', vcode: 'c', valdate: 'd', kid: 'k' }
    expect(bodyBy({ newCard: card }, { newCard: sent })).toBe(
      '{"newCard":{"kid":"k","name":"b","number":"a","valdate":"d"}}',
    )
    expect(bodyBy({ newCardSecure: card }, { newCardSecure: sent })).toBe('{"newCardSecure":{"kid":"k"}}')
  })

  it('no body at all is one that says nothing', () => {
    expect(meaningOf(undefined, { schema: { type: 'object', properties: {} } })).toBe(
      'POST /api/v2/refund\n{}',
    )
  })
})
