// Pure decisions about subscriptions: when one ends, what a mandate must allow, and when charges stop.
import { addDays, addMonths, type Day, startOfLisbonDay } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { SubscriptionStatus, Terms } from './model.ts'

/** The last day on which a card is good: that of its month. */
export function lastDayOfCard({ month, year }: { readonly month: number; readonly year: number }): Day {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  return addDays(addMonths(first, 1), -1)
}

/** The effective end: no later than the method's own (SPEC.md Events, subscription_end_date). */
export function endNoLaterThan({ endDate }: Pick<Terms, 'endDate'>, last: Day | undefined): Day | undefined {
  if (last === undefined) return endDate
  return endDate === undefined || last < endDate ? last : endDate
}

const daysInMonthMax = 31

/** As much as may be charged in any one month of the calendar, to which the limits of mandates belong. */
export function mostInAMonth({ amount, frequency, period, startDate }: Terms): Cents {
  if (period === 'MONTH') return (startDate.endsWith('-01') ? amount : amount * 2n) as Cents
  const cycleDays = frequency * (period === 'WEEK' ? 7 : 1)
  const cyclesMax = Math.ceil((daysInMonthMax - 1) / cycleDays) + 1
  return (amount * BigInt(cyclesMax)) as Cents
}

/** The moment from which no charge is taken any more. */
export function endsAt(endDate: Day | undefined): Instant | undefined {
  return endDate === undefined ? undefined : startOfLisbonDay(addDays(endDate, 1))
}

/** Why an accepted charge is not sent to its rail any more; one whose subscription expired meanwhile still is. */
export function whyStopped(status: SubscriptionStatus): string | undefined {
  if (status === 'CANCELED') return 'subscription_canceled'
  if (status === 'VOIDED') return 'subscription_voided'
  return undefined
}
