// Timestamps parsed like Date.parse, to the millisecond.
import { expect, it } from 'vitest'
import { parseTimestamp } from './sessions.ts'

it.each([
  '2026-03-29 22:59:59+00',
  '2026-03-29 22:59:59.1+00',
  '2026-03-29 22:59:59.12+00',
  '2026-03-29 22:59:59.123+00',
  '2026-03-29 22:59:59.123987+00',
  '1970-01-01 00:00:00+00',
  '1969-12-31 23:59:59.5+00',
  '2024-02-29 12:00:00+00',
  '9999-12-31 23:59:59.999+00',
])('%s', (text) => {
  expect(parseTimestamp(text)).toBe(Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`))
})

it('years of five digits have no instant, as before', () => {
  expect(parseTimestamp('10000-01-01 00:00:00+00')).toBeNaN()
})
