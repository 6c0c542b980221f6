// Whether a subscription allows a charge now.
import { addDays, addMonths, type Day, daysBetween, lisbonDayOf } from '../../kernel/lisbon.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Period, Subscription, SubscriptionStatus, Terms } from '../model.ts'

export interface ChargePlan {
  readonly day: Day
  readonly cycle: Cycle
}

const whyNotInStatus: Readonly<Record<Exclude<SubscriptionStatus, 'APPROVED'>, string>> = {
  NEW: 'the customer has not accepted the subscription yet',
  FAILED: 'the customer did not accept the subscription',
  EXPIRED: 'the subscription has expired',
  CANCELED: 'the customer canceled the subscription',
  VOIDED: 'the subscription was voided',
}

/** See SPEC.md "Charging rules" and CONTRACT section 14. Refusals: illegal_state, period_total_reached. */
export function mayCharge(subscription: Subscription, amount: Cents, now: Instant): Result<ChargePlan> {
  const { status, startDate, endDate } = subscription
  if (status !== 'APPROVED') return refuse('illegal_state', whyNotInStatus[status])
  const day = lisbonDayOf(now)
  if (day < startDate) {
    return refuse('illegal_state', `the subscription allows charges from ${startDate} on`)
  }
  if (endDate !== undefined && day > endDate) {
    return refuse('illegal_state', `the subscription allowed charges until ${endDate}`)
  }
  const cycle = cycleOf(subscription, day)
  const left = leftOf(subscription, cycle)
  if (amount <= left) return ok({ day, cycle })
  return refuse(
    'period_total_reached',
    `payment.amount must be at most ${decimalText(left)}, which is left through ${addDays(cycle.nextDay, -1)} of ${decimalText(subscription.amount)} per cycle`,
  )
}

/** The rest of the cycle, zero if a mandate was lowered. If this clock is behind, the stored cycle counts. */
export function leftOf(subscription: Subscription, cycle: Cycle): Cents {
  const { amount, cycleCharged } = subscription
  const charged = subscription.cycle >= cycle.index ? cycleCharged : 0n
  return (charged < amount ? amount - charged : 0n) as Cents
}

const daysPerWeek = 7

const monthsPerYear = 12

export interface Cycle {
  /** Counted from 0, the cycle of the start date. */
  readonly index: number
  readonly firstDay: Day
  /** The first day of the next cycle. */
  readonly nextDay: Day
}

/** Months count from the start date: the 31st becomes the last day of shorter ones (CONTRACT section 14). */
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

/** Of the cycle with this index. */
export function firstDayOf({ startDate, frequency, period }: Anchored, index: number): Day {
  switch (period) {
    case 'DAY':
      return addDays(startDate, index * frequency)
    case 'WEEK':
      return addDays(startDate, index * frequency * daysPerWeek)
    case 'MONTH':
      return addMonths(startDate, index * frequency)
  }
}

function monthsBetween(first: Day, last: Day): number {
  const [firstYear = 0, firstMonth = 0] = first.split('-').map(Number)
  const [lastYear = 0, lastMonth = 0] = last.split('-').map(Number)
  return (lastYear - firstYear) * monthsPerYear + lastMonth - firstMonth
}
