// Valid and invalid card data.
import { describe, expect, it } from 'vitest'
import { instant } from '../../kernel/time.ts'
import { brandOf, parseExpiry, readCard, summaryOf } from './rules.ts'

const now = instant(Date.parse('2026-11-21T10:00:00Z'))
const good = { number: '4176 6600-0000 0027', name: ' Ana Silva ', expiry: '12 / 28', vcode: '123' }

describe('reading a card', () => {
  it('accepts spaces and dashes', () => {
    expect(readCard(good, now)).toEqual({
      ok: true,
      card: {
        number: '4176660000000027',
        name: 'Ana Silva',
        expiry: { month: 12, year: 2028 },
        vcode: '123',
      },
    })
  })

  it.each([
    ['no number', { number: ' ' }, { number: 'missing' }],
    ['a number of an unknown brand', { number: '9999999999999999' }, { number: 'invalid' }],
    ['Luhn', { number: '4176660000000028' }, { number: 'invalid' }],
    ['no name', { name: undefined }, { name: 'missing' }],
    ['card number as name', { name: '4176 6600 0000 0027' }, { name: 'invalid' }],
    ['card number in a name', { name: 'Ana 4176.6600-0000 0027 Silva' }, { name: 'invalid' }],
    ['last month', { expiry: '10/26' }, { expiry: 'expired' }],
    ['last year', { expiry: '12/25' }, { expiry: 'expired' }],
    ['more than 20 years ahead', { expiry: '11/47' }, { expiry: 'expired' }],
    ['a blank expiry', { expiry: '  ' }, { expiry: 'missing' }],
    ['a blank code', { vcode: '  ' }, { vcode: 'missing' }],
    ['letters before a code', { vcode: 'a23' }, { vcode: 'invalid' }],
    ['letters after a code', { vcode: '12a' }, { vcode: 'invalid' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, { name: 'invalid' }],
    ['13 digits without a check digit as name', { name: 'Ana 417.666-00(000) 00 28' }, { name: 'invalid' }],
    [
      'only a number',
      { name: undefined, expiry: undefined, vcode: undefined },
      { name: 'missing', expiry: 'missing', vcode: 'missing' },
    ],
    ['no number field', { number: undefined }, { number: 'missing' }],
    ['month 13', { expiry: '13/28' }, { expiry: 'invalid' }],
    ['far future', { expiry: '12/2090' }, { expiry: 'expired' }],
    ['no code', { vcode: '' }, { vcode: 'missing' }],
    ['4 digits on Visa', { vcode: '1234' }, { vcode: 'invalid' }],
    ['3 digits on Amex', { number: '378282246310005' }, { vcode: 'invalid' }],
    [
      'all empty',
      { number: '', name: '', expiry: '', vcode: '' },
      { number: 'missing', name: 'missing', expiry: 'missing', vcode: 'missing' },
    ],
  ])('%s', (_, change, problems) => {
    expect(readCard({ ...good, ...change }, now)).toEqual({ ok: false, problems })
  })

  it('accepts the card in its last month', () => {
    expect(readCard({ ...good, expiry: '11/26' }, now).ok).toBe(true)
  })

  it.each([
    ['in its name', { name: 'x'.repeat(100) }],
    ['in digits of its name', { name: 'Ana 123456789012' }],
    ['in years', { expiry: '11/46' }],
    ['in an earlier month of a later year', { expiry: '01/28' }],
    ['around its code', { vcode: ' 123 ' }],
  ])('accepts the largest values: %s', (_, change) => {
    expect(readCard({ ...good, ...change }, now).ok).toBe(true)
  })

  it.each([
    ['x12/28', undefined],
    ['12/28x', undefined],
    [' 12/28 ', { month: 12, year: 2028 }],
    ['12/0100', { month: 12, year: 100 }],
    ['12/28', { month: 12, year: 2028 }],
    ['1 / 2030', { month: 1, year: 2030 }],
    ['203012', { month: 12, year: 2030 }],
    ['2030/12', { month: 12, year: 2030 }],
    ['2030-1', { month: 1, year: 2030 }],
    ['12.30', { month: 12, year: 2030 }],
    ['\u200e12\u00a0/\u00a030', { month: 12, year: 2030 }],
    ['203013', undefined],
    ['20301', { month: 2, year: 301 }],
    ['0127', { month: 1, year: 2027 }],
    ['12', undefined],
    ['00/28', undefined],
    ['ab/cd', undefined],
  ])('expiry %s', (text, expiry) => expect(parseExpiry(text)).toEqual(expiry))
})

it('shows only bin and last four', () => {
  expect(summaryOf({ number: '378282246310005', expiry: { month: 1, year: 2030 } })).toEqual({
    last4: '0005',
    bin: '378282',
    type: 'amex',
    valdate: '01/2030',
  })
})

it.each([
  ['30569309025904', 'diners'],
  ['9999999999999999', 'card'],
])('%s has the brand %s', (number, brand) => {
  expect(brandOf(number)).toBe(brand)
})
