// Pure decisions about subscriptions: end, monthly total, stopped charges.
import { addDays, addMonths, type Day, startOfLisbonDay } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { SubscriptionStatus, Terms } from './model.ts'

/** The last day of the expiry month. */
export function lastDayOfCard({ month, year }: { readonly month: number; readonly year: number }): Day {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  return addDays(addMonths(first, 1), -1)
}

/** The end of the subscription or of its method, if earlier (SPEC.md Events, subscription_end_date). */
export function endNoLaterThan({ endDate }: Pick<Terms, 'endDate'>, last: Day | undefined): Day | undefined {
  if (last === undefined) return endDate
  return endDate === undefined || last < endDate ? last : endDate
}

const daysInMonthMax = 31

/** The highest total that the terms allow in a calendar month, for the limit of a mandate. */
export function mostInAMonth({ amount, frequency, period, startDate }: Terms): Cents {
  if (period === 'MONTH') return (startDate.endsWith('-01') ? amount : amount * 2n) as Cents
  const cycleDays = frequency * (period === 'WEEK' ? 7 : 1)
  const cyclesMax = Math.ceil((daysInMonthMax - 1) / cycleDays) + 1
  return (amount * BigInt(cyclesMax)) as Cents
}

/** The moment from which no charge is accepted any more. */
export function endsAt(endDate: Day | undefined): Instant | undefined {
  return endDate === undefined ? undefined : startOfLisbonDay(addDays(endDate, 1))
}

/** The reason to stop an accepted charge, if there is one. Expiry is no such reason. */
export function whyStopped(status: SubscriptionStatus): string | undefined {
  if (status === 'CANCELED') return 'subscription_canceled'
  if (status === 'VOIDED') return 'subscription_voided'
  return undefined
}
