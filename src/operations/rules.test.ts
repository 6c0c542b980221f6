// The range of amounts.
import { expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { amountWithinRange } from './rules.ts'

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
