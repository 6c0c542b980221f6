// Card numbers, and texts that hold one.
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
  ])('%s is not a card number', (_, number) => expect(isCardNumber(number)).toBe(false))
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
    '4176-6600-0000-0027',
    '4176 - 6600 - 0000 - 0027',
    '4176\u20106600\u20110000\u20120027',
    '4176\u20136600\u20140000\u20150027',
    '4176\u22126600\ufe580000\uff0d0027',
    '4176\u20096600\u202f0000\u30000027',
    '4539 9813 7612 3462',
    '4539,9813,7612,3462',
    '4176, 6600, 0000, 0027',
    '4176.6600.0000.0027',
    '4176\u00b76600\u20220000\uff0e0027',
    '4176/6600/0000/0027',
    '4176\\6600\u20440000\u22150027',
    '4176_6600__0000\uff3f0027',
    '4176:6600|0000*0027',
    '4176\u200b6600\u200b0000\u200b0027',
    '4\u200d1\u20607\ufeff6660000\u00ad000027',
    '4\ufe0f\u20e3176660000000027',
    '4 1 7 6 6 6 0 0 0 0 0 0 0 0 2 7',
    '4-1-7-6-6-6-0-0-0-0-0-0-0-0-2-7',
    '41 76 66 00 00 00 00 27',
    '41.76.66.00.00.00.00.27',
    '３７８２－８２２４６３－１０００５',
    '4176\u2013６６００\u2013٠٠٠٠\u2013००२७',
    '⁴¹⁷⁶⁶⁶⁰⁰⁰⁰⁰⁰⁰⁰²⁷',
    '4176 6600 0000 0027 12/30',
    '4176 6600 0000 0027 123',
    'order 2026 4176 6600 0000 0027',
    'https://shop.example/?card=4176%206600%200000%200027',
    'https://shop.example/4176%E2%80%936600%E2%80%930000%E2%80%930027',
    'https://shop.example/%34%31%37%36660000000027',
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
    ['a UUID of digits that a card has', '4176-6600-0000-00270000-000000000000'],
    ['UUIDs', '01991234-5678-7000-8000-000000000000, 4539a813-7600-4069-8176-660000000027'],
    ['dates', '2026-11-21 2026-12-31, 31/12/2026-31/01/2027, 2026-11-21T10:30:00.000Z'],
    ['amounts', '41.76, 66.00, 00.00, 00.27 and 41,76 66,00 00,00 00,27'],
    ['a list of amounts', '4539, 9813, 7612, 3462'],
    ['amounts with thousands', '5 000 000.00 4 000 000.00 EUR'],
    ['sizes', '36, 38, 40, 42, 44, 46, 48, 50, 52, 54'],
    ['telephone numbers in pairs', '41 76 66 00 00, 00 00 27 00 00; 41 76 66 00 00 00 00 27 00 00'],
    ['an account that looks like a card', 'FI4250001510000023, BE68539007547034'],
    ['groups of an account', 'PL61 1090 1014 0000 0712 1981 2874'],
    ['an address of the internet', '192.168.100.200, 2001:db8::4176:6600:2'],
    ['a name as the documentation advises', '417666-0000000027'],
    ['a hash', '4e4176660000000027d0c1b2a3948576e5f60718'],
    ['an e-mail address', 'ana1987@mail.pt'],
  ])('holds none: %s', (_, text) => expect(holdsCardNumber(text)).toBe(false))

  it('is shown without its card numbers', () => {
    expect(maskCardNumbers('a=4176660000000027 b=20261121103000 c=5299 9902 7000 0368')).toBe(
      'a=[card number] b=20261121103000 c=[card number]',
    )
    expect(maskCardNumbers('4176 6600 0000 0027 12/30')).toBe('[card number] 12/30')
  })
})
