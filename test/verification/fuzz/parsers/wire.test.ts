// Values of requests: JSON, amounts, dates, pages and addresses.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson, readJson } from '../../../../src/http/body/json.ts'
import { parsePage } from '../../../../src/http/pagination.ts'
import { parseInstant, parseLisbonDayRange } from '../../../../src/http/wire.ts'
import { amountOnWire, cents, parseAmount } from '../../../../src/kernel/money.ts'
import { dateOnWire } from '../../../../src/kernel/time.ts'
import { asciiAddress, webAddress } from '../../../../src/kernel/values/web-address.ts'
import { jsonOf, oddBody, oddText, oddValue } from '../values.ts'
import { isTrustworthy } from './refusals.ts'
import { steepness } from './time.ts'

const seed = 18

it('JSON is read or refused, and means the same with blanks around it', () => {
  const texts = fc.oneof(
    oddBody,
    fc.json(),
    oddValue.map(jsonOf),
    fc.tuple(fc.json(), oddText).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const read = readJson(Buffer.from(text))
      expect(isTrustworthy(read)).toBe(true)
      if (!read.ok) return
      const again = readJson(Buffer.from(` ${text.replace(/^\ufeff/, '')}\n`))
      expect(again.ok && canonicalJson(again.value)).toBe(canonicalJson(read.value))
    }),
    { seed, numRuns: 400 },
  )
})

it('any bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => isTrustworthy(readJson(bytes))),
    { seed, numRuns: 300 },
  )
})

it('amounts come back as they were written, and are never rounded', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 14n) + 1n, max: 10n ** 14n - 1n }), (amount) => {
      const read = parseAmount(amountOnWire(cents(amount)), 'amount')
      expect(read).toEqual({ ok: true, value: amount })
      const text = `${amount < 0n ? '-' : ''}${String(amount < 0n ? -amount : amount).padStart(3, '0')}`
      expect(parseAmount(text.replace(/(\d\d)$/, '.$1'), 'amount')).toEqual(read)
    }),
    { seed, numRuns: 300 },
  )
})

it.each([
  ['amounts', (value: unknown) => parseAmount(value, 'amount')],
  ['dates', (value: unknown) => parseInstant(value, 'date')],
  ['pages', (value: unknown) => parsePage({ offset: value, limit: value })],
  ['addresses', (value: unknown) => webAddress(String(value), 'url', 'sandbox')],
])('any %s are read, or refused with the name of the field', (_, read) => {
  const values = fc.oneof(
    oddText,
    oddValue,
    fc.anything(),
    fc.double(),
    fc.webUrl(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  )
  // JSON contains no other values.
  const fromJson = values.filter((value) => typeof value !== 'object' || value === null)
  fc.assert(
    fc.property(fromJson, (value) => isTrustworthy(read(value))),
    { seed, numRuns: 400 },
  )
})

it('a date is shown in the form in which it is read', () => {
  const dates = fc.date({ min: new Date(0), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(
    fc.property(dates, fc.constantFrom('Z', '+0000', '+01:00', '-1130'), (date, zone) => {
      const read = parseInstant(date.toISOString().replace('Z', zone), 'date')
      if (read.ok) expect(parseInstant(dateOnWire(read.value), 'date')).toEqual(read)
    }),
    { seed, numRuns: 300 },
  )
  fc.assert(
    fc.property(oddText, oddText, (from, to) => isTrustworthy(parseLisbonDayRange(from, to))),
    { seed, numRuns: 200 },
  )
})

it('an accepted address is a valid header, and leads to the same host', () => {
  const addresses = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    oddText.map((text) => `https://shop.example/${text}`),
  )
  fc.assert(
    fc.property(addresses, (text) => {
      const read = webAddress(text, 'url', 'production')
      if (!read.ok) return
      const header = asciiAddress(read.value)
      expect(header).toMatch(/^[\x21-\x7e]+$/)
      expect(new URL(header).host).toBe(new URL(text).host)
    }),
    { seed, numRuns: 400 },
  )
})

it.each([
  [
    'many members',
    (size: number) => `{${Array.from({ length: size }, (_, index) => `"k${index}":1`).join(',')}}`,
  ],
  ['the same member', (size: number) => `{${'"k":1,'.repeat(size)}"k":1}`],
  ['long numbers', (size: number) => `[${'1234567890123456789,'.repeat(size)}1]`],
  ['one long number', (size: number) => '9'.repeat(10 * size)],
  ['escapes', (size: number) => `"${String.raw`\u0041`.repeat(size)}"`],
  ['a body with a broken end', (size: number) => `[${'1,'.repeat(size)}`],
])('JSON of %s takes time in proportion', (_, textOf) => {
  expect(steepness(textOf, (text) => readJson(Buffer.from(text)), 1000)).toBeUndefined()
})

it.each([
  [
    'an amount',
    (size: number) => `1${'0'.repeat(size)}.${'0'.repeat(size)}`,
    (text: string) => parseAmount(text, 'amount'),
  ],
  [
    'a date',
    (size: number) => `2026-11-23T10:00:00.${'0'.repeat(size)}`,
    (text: string) => parseInstant(text, 'date'),
  ],
  [
    'an address',
    (size: number) => `https://${'a.'.repeat(size)}@`,
    (text: string) => webAddress(text, 'url', 'sandbox'),
  ],
  [
    'slashes',
    (size: number) => `https:${'/\\'.repeat(size)}`,
    (text: string) => webAddress(text.slice(0, 2048), 'url', 'sandbox'),
  ],
])('%s takes time in proportion', (_, textOf, read) => {
  expect(steepness(textOf, read, 2000)).toBeUndefined()
})
