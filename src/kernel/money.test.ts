// Decimal text of amounts.
import { expect, it } from 'vitest'
import { cents, decimalText, sumOf } from './money.ts'

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

it('adds amounts up, also those that go back', () => {
  expect(sumOf([cents(1000), cents(-250), cents(5)])).toBe(755n)
  expect(sumOf([])).toBe(0n)
})
