// Amounts keep their digits in requests and answers.
import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { amountOnWire, cents, parseAmount } from './money.ts'
import type { RefusalKind } from './result.ts'

describe('parseAmount', () => {
  it.each([
    [10, 1000n],
    [10.5, 1050n],
    [0.29, 29n],
    [1.1, 110n],
    ['10.50', 1050n],
    ['0010.5000', 1050n],
    [' 7 ', 700n],
    ['1e2', 10000n],
    [1e-2, 1n],
    ['0', 0n],
    [-0, 0n],
    ['-3.20', -320n],
    [99999.99, 9999999n],
    [new LosslessNumber('10.500000000000000000000'), 1050n],
    ['999999999999.99', 99999999999999n],
    [10.299999999999999, 1030n],
    [new LosslessNumber('24.600000000000001'), 2460n],
    [new LosslessNumber('0.10000000000000000001'), 10n],
    ['19.990000000000002', 1999n],
    ['10.000001', 1000n],
    ['9.999999', 1000n],
    [-0.3000000000000004, -30n],
    [5e-324, 0n],
  ])('reads %s as %s cents', (value, amount) => {
    expect(parseAmount(value, 'amount')).toEqual({ ok: true, value: amount })
  })

  it.each<[RefusalKind, string, unknown[]]>([
    ['missing_parameter', 'payment.amount is required', [undefined, null]],
    [
      'invalid_parameter',
      'payment.amount must have at most 2 decimals',
      [
        10.555,
        '0.001',
        '1e-3',
        10.299,
        '10.0000011',
        '9.9999989',
        new LosslessNumber('0.10000100000000000001'),
      ],
    ],
    [
      'invalid_parameter',
      'payment.amount must have at most 12 digits before the point',
      ['1000000000000', 1e30, '1e99'],
    ],
    [
      'invalid_parameter',
      'payment.amount must be a number such as 10.50, or the same as a string',
      [
        '',
        ' ',
        'ten',
        '1,50',
        '1.',
        '.5',
        '+1',
        '0x10',
        '1 0',
        'NaN',
        '1e9999',
        Number.NaN,
        {},
        [],
        true,
        ['1'],
      ],
    ],
  ])('refuses as %s: %s', (kind, reason, values) => {
    for (const value of values) {
      expect(parseAmount(value, 'payment.amount')).toEqual({ ok: false, refusal: { kind, reason } })
    }
  })

  it('reads what was written, as number and as text', () => {
    fc.assert(
      fc.property(fc.bigInt(-99_999_999_999_999n, 99_999_999_999_999n), (amount) => {
        const wire = amountOnWire(cents(amount))
        expect(parseAmount(wire, 'amount')).toEqual({ ok: true, value: amount })
        expect(parseAmount(JSON.parse(JSON.stringify(wire)), 'amount')).toEqual({ ok: true, value: amount })
        expect(parseAmount(String(wire), 'amount')).toEqual({ ok: true, value: amount })
      }),
    )
  })
})

it.each([
  [1050n, '10.5'],
  [29n, '0.29'],
  [-110n, '-1.1'],
  [0n, '0'],
  [9999999n, '99999.99'],
])('%s cents are written as %s', (amount, json) => {
  expect(JSON.stringify(amountOnWire(cents(amount)))).toBe(json)
})
