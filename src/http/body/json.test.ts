// Strict JSON, compared with lossless-json.
import fc from 'fast-check'
import { LosslessNumber, parse as parseLossless } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { canonicalJson, hasLosslessNumbers, readJson } from './json.ts'

const read = (text: string) => readJson(Buffer.from(text))
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('readJson', () => {
  it.each([
    ['{"a": [1, -2.50, 1e2, "ç€😀", true, null]}', { a: [1, -2.5, 100, 'ç€😀', true, null] }],
    [' "text" ', 'text'],
    ['{}', {}],
    ['{"a":{"b":1},"c":{"b":1}}', { a: { b: 1 }, c: { b: 1 } }],
    ['["a:b","c:d\\":"]', ['a:b', 'c:d":']],
    ['{"\\u00e9":"\\ud83d\\ude00"}', { é: '😀' }],
    ['[1234567890.12345, 0.1, 1E-7, 9007199254740991]', [1234567890.12345, 0.1, 1e-7, 9007199254740991]],
    [nested(20), JSON.parse(nested(20))],
  ])('reads %s', (text, value) => {
    expect(read(text)).toEqual({ ok: true, value })
  })

  it.each([
    ['', 'invalid_json', /^the body must be JSON/],
    ['{"a":1', 'invalid_json', /^the body must be JSON/],
    ['{"a":01}', 'invalid_json', /see character 7/],
    ["{'a':1}", 'invalid_json', /see character 2/],
    ['{"a":NaN}', 'invalid_json', /^the body must be JSON/],
    ['{"a":1,}', 'invalid_json', /^the body must be JSON/],
    ['"a\nb"', 'invalid_json', /^the body must be JSON/],
    ['{} {}', 'invalid_json', /^the body must be JSON/],
    ['{"a":1,"a":2}', 'invalid_json', /twice: a$/],
    ['{"a":1,"\\u0061":1}', 'invalid_json', /twice: a$/],
    ['{"x":["a",{"b":"c"},{"k":1,"k":1}]}', 'invalid_json', /twice: x\[2\]\.k$/],
    ['{"p":{"q":[1]},"p":{"q":[1]}}', 'invalid_json', /twice: p$/],
    ['{"__proto__":1,"__proto__":2}', 'invalid_json', /twice: __proto__$/],
    ['{"p":{"name":"a\\u0000b"}}', 'invalid_parameter', /^p\.name must be text without NUL/],
    ['{"p":["x","\\ud800"]}', 'invalid_parameter', /^p\[1\] must be text/],
    ['{"a\\u0000":1}', 'invalid_parameter', /^a key of the body must be/],
    ['{"\\udc00":{}}', 'invalid_parameter', /^a key of the body must be/],
  ])('refuses %j', (text, kind, reason) => {
    expect(read(text)).toMatchObject({ ok: false, refusal: { kind, reason: expect.stringMatching(reason) } })
  })

  it.each([21, 30_000])('refuses %i levels', (levels) => {
    const refusal = { kind: 'invalid_json', reason: 'the body must not be nested deeper than 20 levels' }
    expect(read(nested(levels))).toEqual({ ok: false, refusal })
  })

  it.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [...Buffer.from('{"a":"é"}', 'utf16le')]],
  ])('refuses %s', (_, bytes) => {
    expect(readJson(Uint8Array.from(bytes))).toMatchObject({ ok: false, refusal: { kind: 'invalid_json' } })
  })

  it.each(['12345678901234567890', '0.12345678901234567', '9007199254740993', '1e400', '-1e-400'])(
    'keeps %s as it is written',
    (literal) => {
      const body = read(`{"n":${literal}}`)
      expect(body).toEqual({ ok: true, value: { n: new LosslessNumber(literal) } })
      expect(body.ok && hasLosslessNumbers(body.value)).toBe(true)
    },
  )

  it('treats __proto__ as an ordinary key', () => {
    const body = read('{"__proto__":{"admin":true}}')
    expect(body.ok && Object.getPrototypeOf(body.value)).toBe(Object.prototype)
    expect(body.ok && (body.value as { admin?: boolean }).admin).toBeUndefined()
  })

  it('never quotes the invalid text', () => {
    const body = read('{"number": 4176660000000027 x}')
    expect(body.ok || body.refusal.reason).toBe('the body must be JSON: see character 29')
  })

  it('agrees with lossless-json on valid texts', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const body = read(text)
        expect(body.ok && canonicalJson(body.value)).toBe(canonicalJson(parseLossless(text)))
      }),
      { numRuns: 500 },
    )
  })

  it('refuses every text that lossless-json refuses', () => {
    fc.assert(
      fc.property(
        jsonText,
        fc.nat(),
        fc.constantFrom('', '"', '{', '}', ',', ':', '\\', '0', ' ', 'e'),
        (text, at, broken) => {
          const place = at % (text.length + 1)
          const damaged = (text.slice(0, place) + broken + text.slice(place + 1)).toWellFormed()
          fc.pre(!repeats(damaged) && !damaged.includes('\\u0000'))
          expect(read(damaged).ok).toBe(reads(damaged))
        },
      ),
      { numRuns: 1000 },
    )
  })
})

/** NUL and surrogate halves are refused for another reason. */
const storable = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed())
const literal = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt().map(String),
  fc.constantFrom('-0', '1.0', '1e3', '1E-3', '100000000000000000000.5'),
)
const space = fc.constantFrom('', ' ', '\n\t')
const { json: jsonText } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 8, withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    literal,
    storable.map((text) => JSON.stringify(text)),
    fc
      .tuple(fc.array(tie('json'), { maxLength: 4 }), space)
      .map(([elements, gap]) => `[${gap}${elements.join(`${gap},`)}]`),
    fc
      .tuple(fc.dictionary(storable, tie('json'), { maxKeys: 4 }), space)
      .map(
        ([members, gap]) =>
          `{${Object.entries(members).map(([key, text]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${text}`)}}`,
      ),
  ),
}))

function reads(text: string): boolean {
  try {
    parseLossless(text)
    return true
  } catch (error) {
    return (error as Error).message.startsWith('Duplicate key')
  }
}

/** A second method to find duplicate keys. */
function repeats(text: string): boolean {
  let members = 0
  try {
    JSON.parse(text, (_key, value) => {
      if (value !== null && typeof value === 'object' && !Array.isArray(value))
        members += Object.keys(value).length
      return value
    })
  } catch {
    return false
  }
  const colons = text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').split(':').length - 1
  return colons !== members
}

describe('canonicalJson', () => {
  it('gives equal text for equal meaning', () => {
    const values = ['{"a":10,"b":[1,2]}', ' {"b":[1.0,2e0], "a":1e1}'].map((text) => {
      const body = read(text)
      return body.ok && canonicalJson(body.value)
    })
    expect(values[0]).toBe(values[1])
    expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }))
    expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }))
  })
})
