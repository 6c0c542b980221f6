// Exact parts of money, and their rounding to cents.
import { expect, it } from 'vitest'
import { parseRational, rational, roundHalfUp } from './rational.ts'

it.each([
  ['0.6', '3/5'],
  ['1', '1'],
  ['2/3', '2/3'],
  ['4 / 6', '2/3'],
  ['10.0', '10'],
  ['0', '0'],
  ['0/7', '0'],
  ['0.05', '1/20'],
  ['999999999999/1', '999999999999'],
  ['1/999999999999', '1/999999999999'],
  ['999999999999', '999999999999'],
  [`0.${'0'.repeat(29)}1`, `1/1${'0'.repeat(30)}`],
])('reads %s as %s', (text, fraction) => {
  expect(parseRational(text)?.toFraction()).toBe(fraction)
})

it.each([
  '',
  '1/0',
  '1/00',
  '-1',
  '-1/2',
  '1/-2',
  '1.',
  '.5',
  '1.5/2',
  '1/2.5',
  '1,5',
  'a1',
  '1a',
  'a1/2',
  '1/2a',
  '1//2',
  '1e3',
  '1 2',
  '1000000000000',
  '1000000000000/1',
  '1/1000000000000',
  `0.${'0'.repeat(30)}1`,
])('does not read %j', (text) => {
  expect(parseRational(text)).toBeUndefined()
})

it.each([
  [rational(1n, 2n), 1n],
  [rational(-1n, 2n), 0n],
  [rational(3n, 2n), 2n],
  [rational(-3n, 2n), -1n],
  [rational(49n, 100n), 0n],
  [rational(51n, 100n), 1n],
  [rational(-49n, 100n), 0n],
  [rational(-51n, 100n), -1n],
  [rational(-7n, 3n), -2n],
  [rational(-8n, 3n), -3n],
  [rational(5n), 5n],
  [rational(-5n), -5n],
  [rational(0n), 0n],
])('rounds %s half up', (exact, whole) => {
  expect(roundHalfUp(exact)).toBe(whole)
})
