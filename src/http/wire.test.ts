// ISO 8601 dates and Lisbon days on the wire.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RefusalKind } from '../kernel/result.ts'
import { dateOnWire, instant } from '../kernel/time.ts'
import { parseInstant, parseLisbonDayRange } from './wire.ts'

const utc = (text: string) => Date.parse(text)

describe('parseInstant', () => {
  it.each([
    ['2026-03-01T18:30:00Z', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30:00+0000', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30:00+00:00', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30:00+00', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30:00-0000', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30:00+01:00', '2026-03-01T17:30:00Z'],
    ['2026-03-01T18:30:00-0330', '2026-03-01T22:00:00Z'],
    ['2026-03-01T18:30:00', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30', '2026-03-01T18:30:00Z'],
    ['2026-03-01 18:30:15', '2026-03-01T18:30:15Z'],
    ['2026-03-01t18:30z', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30:00.999Z', '2026-03-01T18:30:00Z'],
    ['2026-03-01T18:30:00,123456789Z', '2026-03-01T18:30:00Z'],
    ['2026-03-01T24:00:00Z', '2026-03-02T00:00:00Z'],
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    [' 2024-02-29 ', '2024-02-29T00:00:00Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('reads %s', (text, moment) => {
    expect(parseInstant(text, 'expires')).toEqual({ ok: true, value: utc(moment) })
  })

  it.each<[RefusalKind, RegExp, unknown[]]>([
    ['missing_parameter', /^payment.expires is required$/, [undefined, null]],
    [
      'invalid_parameter',
      /^payment.expires must be an ISO 8601 date such as/,
      [
        5,
        {},
        '',
        'tomorrow',
        '01/03/2026',
        '20260301',
        '2026-3-1',
        '2026-03-01T18',
        '1772389800',
        '2026-W09',
      ],
    ],
    [
      'invalid_parameter',
      /^payment.expires must be an ISO 8601 date such as/,
      [
        '2026-03-01T18:30:00 Lisbon',
        `2026-03-01T18:30:00.${'1'.repeat(99)}`,
        '2026-03-01T18:30:00+1',
        '2026-03-01\n'.repeat(2),
      ],
    ],
    [
      'invalid_parameter',
      /^payment.expires must be a date and time that exist/,
      ['2026-02-29', '2026-13-01', '2026-00-10', '2026-01-32', '2026-01-01T25:00Z', '2026-01-01T24:01Z'],
    ],
    [
      'invalid_parameter',
      /^payment.expires must be a date and time that exist/,
      ['2026-01-01T10:60Z', '2026-01-01T10:00:60Z', '2026-01-01T10:00+19:00', '2026-01-01T10:00+01:60'],
    ],
    [
      'invalid_parameter',
      /^payment.expires must be between the years 1970 and 9999$/,
      ['1969-12-31T23:59:59Z', '0000-01-01', '1970-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'],
    ],
  ])('refuses as %s: %s', (kind, reason, texts) => {
    for (const text of texts) {
      const refusal = { kind, reason: expect.stringMatching(reason) }
      expect(parseInstant(text, 'payment.expires')).toMatchObject({ ok: false, refusal })
    }
  })

  it('reads back what it wrote, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: utc('9999-12-31T23:59:59Z') }), (moment) => {
        const text = dateOnWire(instant(moment))
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
        expect(parseInstant(text, 'date')).toEqual({ ok: true, value: moment - (moment % 1000) })
      }),
    )
  })
})

describe('parseLisbonDayRange', () => {
  it.each([
    [undefined, undefined, undefined, undefined],
    ['2026-03-28', '2026-03-29', '2026-03-28T00:00:00Z', '2026-03-29T23:00:00Z'],
    ['2026-07-01', undefined, '2026-06-30T23:00:00Z', undefined],
    [undefined, '2026-10-25', undefined, '2026-10-26T00:00:00Z'],
  ])('from %s to %s', (start, end, from, until) => {
    const range = {
      from: from === undefined ? from : utc(from),
      until: until === undefined ? until : utc(until),
    }
    expect(parseLisbonDayRange(start, end)).toEqual({ ok: true, value: range })
  })

  it.each([
    ['2026-02-30', undefined, 'startdate must be a day as yyyy-mm-dd, such as 2026-03-01'],
    [undefined, '2026-03-01T10:00:00Z', 'enddate must be a day as yyyy-mm-dd, such as 2026-03-01'],
    [undefined, '9999-12-31', 'enddate must be a day as yyyy-mm-dd, such as 2026-03-01'],
    ['1815-06-18', undefined, 'startdate must be a day as yyyy-mm-dd, such as 2026-03-01'],
    ['2026-03-02', '2026-03-01', 'enddate must not be before startdate'],
  ])('refuses %s to %s', (start, end, reason) => {
    expect(parseLisbonDayRange(start, end)).toEqual({
      ok: false,
      refusal: { kind: 'invalid_parameter', reason },
    })
  })
})
