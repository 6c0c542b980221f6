// Billing cycles, which begin at midnight in Lisbon.
import { addDays, addMonths, type Day, daysBetween } from '../../kernel/lisbon.ts'
import type { Period, Terms } from '../model.ts'

const daysPerWeek = 7
const monthsPerYear = 12

export interface Cycle {
  /** From 0, the cycle of the start date. */
  readonly index: number
  readonly firstDay: Day
  /** The first day of the next cycle. */
  readonly nextDay: Day
}

/**
 * SPEC.md "Charging rules", CONTRACT section 14. Months count from the start date: after the 31st, shorter months
 * begin on their last day. Before the start date the index is negative.
 */
export function cycleOf(terms: Pick<Terms, 'frequency' | 'period' | 'startDate'>, day: Day): Cycle {
  const index = indexOf[terms.period](terms, day)
  return { index, firstDay: firstDayOf(terms, index), nextDay: firstDayOf(terms, index + 1) }
}

type Anchored = Pick<Terms, 'frequency' | 'period' | 'startDate'>

const indexOf: Record<Period, (terms: Anchored, day: Day) => number> = {
  DAY: ({ startDate, frequency }, day) => Math.floor(daysBetween(startDate, day) / frequency),
  WEEK: ({ startDate, frequency }, day) =>
    Math.floor(daysBetween(startDate, day) / (frequency * daysPerWeek)),
  MONTH: (terms, day) => {
    const atMost = Math.floor(monthsBetween(terms.startDate, day) / terms.frequency)
    return firstDayOf(terms, atMost) <= day ? atMost : atMost - 1
  },
}

function firstDayOf({ startDate, frequency, period }: Anchored, index: number): Day {
  switch (period) {
    case 'DAY':
      return addDays(startDate, index * frequency)
    case 'WEEK':
      return addDays(startDate, index * frequency * daysPerWeek)
    case 'MONTH':
      return addMonths(startDate, index * frequency)
  }
}

/** Calendar months. */
function monthsBetween(first: Day, last: Day): number {
  const [firstYear = 0, firstMonth = 0] = first.split('-').map(Number)
  const [lastYear = 0, lastMonth = 0] = last.split('-').map(Number)
  return (lastYear - firstYear) * monthsPerYear + lastMonth - firstMonth
}
