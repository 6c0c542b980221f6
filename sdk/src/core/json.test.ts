// JSON without lost digits, and amounts in cents.
import { expect, it } from 'vitest'
import { fromCents, toCents } from './amounts.ts'
import { readJson } from './json.ts'

it.each([
  ['10', '10.00'],
  ['10.5', '10.50'],
  ['-0.07', '-0.07'],
  ['999999999999.99', '999999999999.99'],
  ['0.125', '0.125'],
  ['90071992547409931.01', '90071992547409931.01'],
])('an amount of %s is the text %s', (written, amount) => {
  expect(readJson(`{"payment":{"amount":${written}}}`)).toEqual({ payment: { amount } })
})

it('leaves every other number a number, but for one that would lose digits', () => {
  const text =
    '{"total":3,"user":1000,"qt":1.5,"ref":12345678901234567890,"amount":"1.5","fees":[{"fees":-1}]}'
  expect(readJson(text)).toEqual({
    total: 3,
    user: 1000,
    qt: 1.5,
    ref: '12345678901234567890',
    amount: '1.5',
    fees: [{ fees: '-1.00' }],
  })
})

it.each([
  ['10.50', 1050n],
  ['10.5', 1050n],
  [0.1, 10n],
  ['-0.07', -7n],
  ['0.00', 0n],
  ['999999999999.99', 99999999999999n],
] as const)('%s is so many cents, and back', (amount, cents) => {
  expect(toCents(amount)).toBe(cents)
  expect(toCents(fromCents(cents))).toBe(cents)
})

it.each(['', '1.005', '1,50', '1e3', 'ten', Number.NaN])('%s is no amount', (amount) => {
  expect(() => toCents(amount)).toThrow(RangeError)
})
