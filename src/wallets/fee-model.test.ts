// Fee rates as operators write them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatFeeRate, parseFeeRate } from './fee-model.ts'

describe('a fee rate', () => {
  it.each([
    ['1%+0.15', 10_000, 15],
    ['1.5%', 15_000, 0],
    ['1,5%+0,15', 15_000, 15],
    ['0.30000000000000004', 0, 30],
    ['0.29%', 2_900, 0],
    ['0.0001%', 1, 0],
    ['0.50', 0, 50],
    ['0.7', 0, 70],
    ['2', 0, 200],
    ['100%', 1_000_000, 0],
    ['2.9% + 0.35', 29_000, 35],
    ['0', 0, 0],
  ])('%s is %i ppm and %i cents', (text, ratePpm, fixedCents) => {
    expect(parseFeeRate(text)).toEqual({ ok: true, value: { ratePpm, fixedCents } })
  })

  it.each([
    '',
    '%',
    '+',
    '1%+',
    '++0.15',
    '-1%',
    '1%0.15',
    '1e2%',
    '0.155',
    '1.000',
    '1%+1,000',
    '0.00001%',
    '101%',
    '1%+1%',
    'free',
  ])('rejects %j', (text) =>
    expect(parseFeeRate(text)).toMatchObject({ ok: false, refusal: { kind: 'invalid_parameter' } }),
  )

  it('reads the text that it writes', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(999_999), (ratePpm, fixedCents) => {
        expect(parseFeeRate(formatFeeRate({ ratePpm, fixedCents }))).toEqual({
          ok: true,
          value: { ratePpm, fixedCents },
        })
      }),
    )
  })
})
