// TARGET's calendar, compared with days published by the European Central Bank.
import { expect, it } from 'vitest'
import { isTargetDay, nextTargetDay } from './target-days.ts'

it.each([
  ['2026-11-20', '2026-11-23', 'over a weekend'],
  ['2026-11-21', '2026-11-23', 'from a Saturday'],
  ['2026-11-23', '2026-11-24', 'from a weekday'],
  ['2026-04-02', '2026-04-07', 'over Good Friday and Easter Monday 2026'],
  ['2027-03-25', '2027-03-30', 'over Easter 2027'],
  ['2025-04-17', '2025-04-22', 'over Easter 2025'],
  ['2025-12-24', '2025-12-29', 'over Christmas and a weekend'],
  ['2026-12-31', '2027-01-04', 'over New Year and a weekend'],
  ['2026-04-30', '2026-05-04', 'over the first of May and a weekend'],
])('after %s banks settle on %s: %s', (day, next) => {
  expect(nextTargetDay(day)).toBe(next)
  expect(isTargetDay(next)).toBe(true)
})

it.each(['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2024-12-26', '2026-11-22'])(
  'banks do not settle on %s',
  (day) => {
    expect(isTargetDay(day)).toBe(false)
  },
)

it('a holiday of Portugal alone is a day like others', () => {
  expect(isTargetDay('2026-06-10')).toBe(true)
})
