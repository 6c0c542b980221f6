// The cycle of a day, by start date, frequency and period.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, lisbonDayOf } from '../../kernel/lisbon.ts'
import { instant } from '../../kernel/time.ts'
import { type Period, periods } from '../model.ts'
import { cycleOf } from './rules.ts'

describe('a cycle', () => {
  it.each<[Period, number, string, string, number, string, string]>([
    ['DAY', 1, '2026-01-31', '2026-01-31', 0, '2026-01-31', '2026-02-01'],
    ['DAY', 1, '2026-01-31', '2026-03-01', 29, '2026-03-01', '2026-03-02'],
    ['DAY', 2, '2024-02-28', '2024-02-29', 0, '2024-02-28', '2024-03-01'],
    ['DAY', 2, '2023-02-28', '2023-03-01', 0, '2023-02-28', '2023-03-02'],
    ['DAY', 12, '2026-03-20', '2026-03-31', 0, '2026-03-20', '2026-04-01'],
    ['DAY', 12, '2026-03-20', '2026-04-01', 1, '2026-04-01', '2026-04-13'],
    ['DAY', 365, '2024-01-01', '2024-12-30', 0, '2024-01-01', '2024-12-31'],
    ['DAY', 365, '2024-01-01', '2024-12-31', 1, '2024-12-31', '2025-12-31'],
    ['WEEK', 1, '2026-03-25', '2026-03-31', 0, '2026-03-25', '2026-04-01'],
    ['WEEK', 1, '2026-03-25', '2026-04-01', 1, '2026-04-01', '2026-04-08'],
    ['WEEK', 2, '2026-10-18', '2026-10-31', 0, '2026-10-18', '2026-11-01'],
    ['WEEK', 12, '2026-01-01', '2026-03-26', 1, '2026-03-26', '2026-06-18'],
    ['WEEK', 365, '2026-01-01', '2032-12-29', 0, '2026-01-01', '2032-12-30'],
    ['WEEK', 365, '2026-01-01', '2032-12-30', 1, '2032-12-30', '2039-12-29'],
    ['MONTH', 1, '2026-01-31', '2026-02-27', 0, '2026-01-31', '2026-02-28'],
    ['MONTH', 1, '2026-01-31', '2026-02-28', 1, '2026-02-28', '2026-03-31'],
    ['MONTH', 1, '2026-01-31', '2026-03-30', 1, '2026-02-28', '2026-03-31'],
    ['MONTH', 1, '2026-01-31', '2026-03-31', 2, '2026-03-31', '2026-04-30'],
    ['MONTH', 1, '2026-01-31', '2026-04-30', 3, '2026-04-30', '2026-05-31'],
    ['MONTH', 1, '2024-01-31', '2024-02-28', 0, '2024-01-31', '2024-02-29'],
    ['MONTH', 1, '2024-01-31', '2024-02-29', 1, '2024-02-29', '2024-03-31'],
    ['MONTH', 1, '2026-01-30', '2026-02-28', 1, '2026-02-28', '2026-03-30'],
    ['MONTH', 1, '2024-01-30', '2024-02-29', 1, '2024-02-29', '2024-03-30'],
    ['MONTH', 1, '2026-01-29', '2026-02-28', 1, '2026-02-28', '2026-03-29'],
    ['MONTH', 1, '2024-01-29', '2024-02-28', 0, '2024-01-29', '2024-02-29'],
    ['MONTH', 2, '2025-12-31', '2026-02-27', 0, '2025-12-31', '2026-02-28'],
    ['MONTH', 2, '2025-12-31', '2026-02-28', 1, '2026-02-28', '2026-04-30'],
    ['MONTH', 12, '2024-02-29', '2025-02-27', 0, '2024-02-29', '2025-02-28'],
    ['MONTH', 12, '2024-02-29', '2025-02-28', 1, '2025-02-28', '2026-02-28'],
    ['MONTH', 12, '2024-02-29', '2028-02-28', 3, '2027-02-28', '2028-02-29'],
    ['MONTH', 12, '2024-02-29', '2028-02-29', 4, '2028-02-29', '2029-02-28'],
    ['MONTH', 365, '2026-01-31', '2056-06-29', 0, '2026-01-31', '2056-06-30'],
    ['MONTH', 365, '2026-01-31', '2056-06-30', 1, '2056-06-30', '2086-11-30'],
  ])(
    '%s × %i from %s: %s is in cycle %i, from %s to %s',
    (period, frequency, startDate, day, ...expected) => {
      const [index, firstDay, nextDay] = expected
      expect(cycleOf({ period, frequency, startDate }, day)).toEqual({ index, firstDay, nextDay })
    },
  )

  it.each([
    ['the last second before it, in summer', '2026-06-30T22:59:59Z', 4],
    ['its first second, in summer', '2026-06-30T23:00:00Z', 5],
    ['the last second before it, in winter', '2026-11-30T23:59:59Z', 9],
    ['its first second, in winter', '2026-12-01T00:00:00Z', 10],
    ['the day on which clocks move forward, an hour short', '2026-03-29T22:59:59Z', 1],
    ['the day on which clocks move back, an hour long', '2026-10-25T23:59:59Z', 8],
  ])('begins at midnight in Lisbon: %s', (_, moment, index) => {
    const day = lisbonDayOf(instant(Date.parse(moment)))
    expect(cycleOf({ period: 'MONTH', frequency: 1, startDate: '2026-02-01' }, day).index).toBe(index)
  })

  it('has no gap to the next, and contains its day', () => {
    const days = fc.integer({ min: 0, max: 30_000 }).map((count) => addDays('2020-01-01', count))
    const terms = fc.record({
      period: fc.constantFrom(...periods),
      frequency: fc.constantFrom(1, 2, 3, 12, 365),
      startDate: days,
    })
    fc.assert(
      fc.property(terms, fc.integer({ min: 0, max: 20_000 }), (asked, later) => {
        const day = addDays(asked.startDate, later)
        const { index, firstDay, nextDay } = cycleOf(asked, day)
        expect(firstDay <= day && day < nextDay).toBe(true)
        expect(cycleOf(asked, nextDay)).toMatchObject({ index: index + 1, firstDay: nextDay })
        expect(cycleOf(asked, addDays(firstDay, -1)).index).toBe(index - 1)
        if (asked.period === 'MONTH')
          expect(firstDay).toBe(addMonths(asked.startDate, index * asked.frequency))
      }),
      { numRuns: 500 },
    )
  })
})
