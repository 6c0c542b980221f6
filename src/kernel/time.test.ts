// Back-off times, and instants as the database gets them.
import { expect, it } from 'vitest'
import { backoffMs, instant, toTimestamp } from './time.ts'

it.each([
  ['first where none came before', 0, 10],
  ['first doubled with each that came before', 3, 80],
  ['maximum from there on', 5, 300],
  ['maximum after thousands', 5000, 300],
])('the pause is the %s', (_, triesBefore, pause) => {
  expect(backoffMs(10, triesBefore, 300)).toBe(pause)
})

it.each([
  ['2026-06-01T10:00:00.123Z', 0, '2026-06-01T10:00:00.123Z'],
  ['9999-12-31T23:59:59.000Z', 0, '9999-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59.000Z', 1_000, '9999-12-31T23:59:59.999Z'],
])('%s and %i ms later is no later than the year 9999', (end, later, written) => {
  expect(toTimestamp(instant(Date.parse(end) + later))).toBe(written)
})
