// Which digits are a card number, and which texts hold one.
import { describe, expect, it } from 'vitest'
import { holdsCardNumber, isCardNumber, maskCardNumbers } from './card-numbers.ts'

describe('card numbers', () => {
  it.each([
    '4176660000000027',
    '5299990270000368',
    '4176660000000092',
    '5299910010000015',
    '378282246310005',
    '4000000000000002',
    '4000000000009995',
    '4000000000000069',
    '4000000000000127',
    '4000000000003063',
    '4000000000000119',
    '4000000000000259',
    '2221000000000009',
  ])('%s is one', (number) => expect(isCardNumber(number)).toBe(true))

  it.each([
    ['wrong check digit', '4176660000000028'],
    ['too short for its brand', '417666000000002'],
    ['letters', '41766600000000O7'],
    ['empty', ''],
    ['too long', '41766600000000270000'],
    ['Amex with 16 digits', '3782822463100050'],
  ])('%s is none', (_, number) => expect(isCardNumber(number)).toBe(false))
})

describe('a text', () => {
  it.each([
    '4176660000000027',
    '4176660000000027@mail.pt',
    'ana.4176-6600-0000-0027@mail.pt',
    '4176 6600  0000\u00a00027',
    '(3782) 822463 10005',
    'Card: 5299990270000368, please',
    'INV4176660000000027x',
    'https://shop.example/callback?card=4176660000000027&ok',
    'https://shop.example/4176+6600+0000+0027',
    '４１７６６６００００００００２７',
    '٤١٧٦ ٦٦٠٠ ٠٠٠٠ ٠٠٢٧',
    '४१७६६६००००००००२७',
    '𝟒𝟏𝟕𝟔𝟔𝟔𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟐𝟕',
  ])('holds a card number: %s', (text) => expect(holdsCardNumber(text)).toBe(true))

  it.each([
    ['the wrong check digit', '4176660000000028'],
    ['more digits', '41766600000000271'],
    ['a date with a serial number', '20261121-103000-000123, 20261121103000'],
    ['an article (EAN-13)', '4006381333931'],
    ['a serial number of a phone (IMEI)', '356938035643809'],
    ['an account (IBAN)', 'PT50 0002 0123 1234 5678 9015 4, PT50000201231234567890154'],
    ['telephone numbers', '+351 912 345 678, +49 151 2345 67890, 00351912345678'],
    ['a UUID', '41766600-0000-0270-8176-660000000027'],
    ['a hash', '4e4176660000000027d0c1b2a3948576e5f60718'],
    ['an e-mail address', 'ana1987@mail.pt'],
  ])('holds none: %s', (_, text) => expect(holdsCardNumber(text)).toBe(false))

  it('is told without its card numbers', () => {
    expect(maskCardNumbers('a=4176660000000027 b=20261121103000 c=5299 9902 7000 0368')).toBe(
      'a=[card number] b=20261121103000 c=[card number]',
    )
  })
})
