// Typed and pasted card numbers.
import { expect, test } from 'vitest'
import { brandOf, groupDigits, isCardNumber, isSecurityCode } from './card-number.ts'

test.each([
  ['4176660000000027', 'visa', '4176 6600 0000 0027'],
  ['5299990270000368', 'mastercard', '5299 9902 7000 0368'],
  ['2221000000000009', 'mastercard', '2221 0000 0000 0009'],
  ['2720990000000007', 'mastercard', '2720 9900 0000 0007'],
  ['2721000000000004', undefined, '2721 0000 0000 0004'],
  ['2220990000000005', undefined, '2220 9900 0000 0005'],
  ['378282246310005', 'amex', '3782 822463 10005'],
  ['3782822', 'amex', '3782 822'],
  ['4176', 'visa', '4176'],
  ['41766', 'visa', '4176 6'],
  ['6011000000000004', undefined, '6011 0000 0000 0004'],
  ['41766600000000271234999', 'visa', '4176 6600 0000 0027 123'],
  ['', undefined, ''],
])('%s is of %s and shown as %s', (digits, brand, shown) => {
  expect(brandOf(digits)).toBe(brand)
  expect(groupDigits(digits)).toBe(shown)
})

test.each([
  ['4176660000000027', true],
  ['4176660000000092', true],
  ['4000000000000119', true],
  ['378282246310005', true],
  ['6011000000000004', true],
  ['4176660000000028', false],
  ['417666000000002', false],
  ['3782822463100050', false],
  ['', false],
])('%s can be a card number: %s', (digits, expected) => {
  expect(isCardNumber(digits)).toBe(expected)
})

test.each([
  ['123', '4176660000000027', true],
  ['1234', '4176660000000027', false],
  ['1234', '378282246310005', true],
  ['123', '378282246310005', false],
  ['123', '', true],
  ['1234', '', true],
  ['12', '', false],
  ['12a', '', false],
])('code %s on card %s: %s', (code, digits, expected) => {
  expect(isSecurityCode(code, digits)).toBe(expected)
})
