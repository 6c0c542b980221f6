// What counts as the same JSON.
import fc from 'fast-check'
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { canonicalJson, digestOf } from './canonical.ts'

const canonicalText = (text: string) => canonicalJson(parse(text))

describe('canonical JSON', () => {
  it.each([
    ['{"a":1,"b":2}', ' { "b" : 2,\n\t"a" : 1 } '],
    ['10', '10.0'],
    ['10', '1e1'],
    ['10', '1.0E+1'],
    ['0', '-0'],
    ['0', '0.00'],
    ['0.1', '1e-1'],
    ['"é"', '"\\u00e9"'],
    ['{"a":{"c":[1,2],"b":null}}', '{"a":{"b":null,"c":[1.0,2]}}'],
  ])('takes %s and %s for the same', (a, b) => {
    expect(canonicalText(a)).toBe(canonicalText(b))
  })

  it.each([
    ['10', '"10"'],
    ['10', '10.000000000000000000001'],
    ['10', '-10'],
    ['1', 'true'],
    ['1', '11'],
    ['1e21', '10e21'],
    ['null', '""'],
    ['{}', '[]'],
    ['[1,2]', '[2,1]'],
    ['[[1],2]', '[[1,2]]'],
    ['{"a":null}', '{}'],
    ['{"a":"b,c"}', '{"a":"b","c":""}'],
    ['9007199254740992', '9007199254740993'],
    ['0.1', '0.1000000000000000055511151231257827'],
    ['"e"', '"\\u00e9"'],
    ['"\\u00e9"', '"e\\u0301"'],
  ])('tells %s from %s', (a, b) => {
    expect(canonicalText(a)).not.toBe(canonicalText(b))
  })

  it('does not depend on how a value was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1)
        expect(canonicalJson(parse(text))).toBe(canonicalJson(JSON.parse(text)))
      }),
    )
  })

  it('is digested to SHA-256', () => {
    expect(digestOf({ b: 'x', a: [true] }).toString('hex')).toBe(
      // printf '{"a":[true],"b":"x"}' | sha256sum
      '299bd1894e21bd91bb574aae3c812ad34326c50bd7c1428fbb052e11537d5207',
    )
  })
})
