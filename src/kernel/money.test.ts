// Fees: half cents go up, and no fee exceeds its amount.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents, decimalText, feeFor } from './money.ts'

const card = { ratePpm: 10_000, fixedCents: 15 }

describe('feeFor', () => {
  it.each([
    ['card on 10.00', 1000n, card, 25n],
    ['card on 0.50: 15.5 cents round up', 50n, card, 16n],
    ['card on 0.49: 15.49 cents round down', 49n, card, 15n],
    ['mobile wallet on 10.00', 1000n, { ratePpm: 15_000, fixedCents: 0 }, 15n],
    ['reference on 0.10 takes no more than there is', 10n, { ratePpm: 0, fixedCents: 50 }, 10n],
  ])('%s', (_, amount, rate, fee) => {
    expect(feeFor(cents(amount), rate)).toBe(fee)
  })

  it('is never above the amount and never negative', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 9_999_999n),
        fc.nat(1_000_000),
        fc.nat(500),
        (amount, ratePpm, fixedCents) => {
          const fee = feeFor(cents(amount), { ratePpm, fixedCents })
          return fee >= 0n && fee <= amount
        },
      ),
    )
  })
})

it.each([
  [0n, '0.00'],
  [5n, '0.05'],
  [-5n, '-0.05'],
  [1250n, '12.50'],
  [-9_999_999n, '-99999.99'],
  [9_007_199_254_740_993n, '90071992547409.93'],
])('%s cents read %s', (amount, text) => {
  expect(decimalText(amount)).toBe(text)
})
