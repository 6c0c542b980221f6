// Lisbon days around daylight saving changes, and months from an anchor.
import { describe, expect, it } from 'vitest'
import {
  addDays,
  addLisbonMonths,
  addMonths,
  daysBetween,
  endOfLisbonDay,
  lisbonDayOf,
  parseDay,
  startOfLisbonDay,
} from './lisbon.ts'
import { instant } from './time.ts'

const utc = (text: string) => instant(Date.parse(text))

describe('the Lisbon day', () => {
  it.each([
    ['2025-11-13', '2025-11-13T23:59:59Z'],
    ['2025-07-14', '2025-07-14T22:59:59Z'],
    ['2026-03-29', '2026-03-29T22:59:59Z'],
    ['2026-10-25', '2026-10-25T23:59:59Z'],
  ])('%s ends at %s', (day, end) => {
    expect(endOfLisbonDay(day)).toBe(utc(end))
  })

  it('has begun in Lisbon before it begins in UTC, in summer', () => {
    expect(lisbonDayOf(utc('2025-07-13T23:30:00Z'))).toBe('2025-07-14')
    expect(startOfLisbonDay('2025-07-14')).toBe(utc('2025-07-13T23:00:00Z'))
  })

  it.each(['2025-02-28', '2024-02-29', '2025-12-31'])('%s is a day', (text) => {
    expect(parseDay(text)).toBe(text)
  })

  it.each([
    '2025-02-30',
    '2025-02-29',
    '2025-13-01',
    '25-01-01',
    '2025-1-1',
    '2025-01-01T10:00',
    '+002025-01-01',
    '',
  ])('%s is no day', (text) => {
    expect(parseDay(text)).toBeUndefined()
  })

  it.each([
    ['2025-02-28', '2025-03-01', 1],
    ['2025-03-01', '2024-03-01', -365],
    ['2025-01-31', '2025-05-31', 120],
    ['2025-01-31', '2025-01-31', 0],
  ])('from %s to %s it is %i days', (first, last, days) => {
    expect(daysBetween(first, last)).toBe(days)
    expect(addDays(first, days)).toBe(last)
  })
})

describe('months', () => {
  it.each([
    [1, '2025-02-28'],
    [2, '2025-03-31'],
    [3, '2025-04-30'],
    [13, '2026-02-28'],
    [37, '2028-02-29'],
  ])('31 January 2025 plus %i is %s', (months, day) => {
    expect(addMonths('2025-01-31', months)).toBe(day)
  })

  it.each([
    [1, '2025-02-28T15:30:00Z'],
    [2, '2025-03-31T14:30:00Z'],
    [12, '2026-01-31T15:30:00Z'],
  ])('half past three on 31 January plus %i is %s, at the same time by the wall clock', (months, later) => {
    expect(addLisbonMonths(utc('2025-01-31T15:30:00Z'), months)).toBe(utc(later))
  })
})
