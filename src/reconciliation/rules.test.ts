// Times of reads and retries.
import { expect, it } from 'vitest'
import { instant, toTimestamp } from '../kernel/time.ts'
import { nextRead, nextTry } from './rules.ts'

it.each([
  // The clocks change one hour before.
  [0, '2026-03-29T02:00:00.000Z'],
  [1, '2026-03-30T01:00:00.000Z'],
  [2, '2026-03-31T01:00:00.000Z'],
  [3, '2026-04-01T01:00:00.000Z'],
  [4, '2026-04-03T01:00:00.000Z'],
  [5, '2026-04-05T01:00:00.000Z'],
  [6, undefined],
])('a day with %i reads is read at %s', (reads, at) => {
  const next = nextRead('2026-03-28', reads)
  expect(next === undefined ? undefined : toTimestamp(next)).toBe(at)
})

it.each([
  [1, 5],
  [2, 10],
  [3, 20],
  [4, 40],
  [5, 60],
  [50, 60],
])('after %i failures it is tried %i minutes later', (failures, minutes) => {
  expect(nextTry(instant(0), failures)).toBe(minutes * 60_000)
})
