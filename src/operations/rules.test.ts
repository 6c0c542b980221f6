// The range of amounts, and fees: half cents go up, and no fee exceeds its amount.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { defaultFeeSchedule } from '../wallets/fee-model.ts'
import { amountWithinRange, feeFor } from './rules.ts'

it.each([
  [0n, 'below_minimum_amount'],
  [-5n, 'below_minimum_amount'],
  [1n, undefined],
  [9_999_999n, undefined],
  [10_000_000n, 'above_maximum_amount'],
])('amount of %s cents: %s', (amount, kind) => {
  const result = amountWithinRange(cents(amount), 'payment.amount')
  expect(result.ok ? undefined : result.refusal.kind).toBe(kind)
})

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
  ['CC', 25n],
  ['MB', 50n],
  ['MB_INSTANT', 70n],
  ['MBWAY', 15n],
  ['PAYPAL', 64n],
  ['WALLET', 5n],
  ['SEPA', 30n],
  ['BANK', 0n],
] as const)('by default %s costs %i cents on 10.00', (method, fee) => {
  expect(feeFor(cents(1000), defaultFeeSchedule[method])).toBe(fee)
})
