// Pure decisions about subscriptions: whether a charge may be taken now, and when a subscription ends.
import { addDays, addMonths, type Day, lisbonDayOf, startOfLisbonDay } from '../kernel/lisbon.ts'
import { type Cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { type Cycle, cycleOf } from './charging/cycles-rules.ts'
import type { Subscription, SubscriptionStatus, Terms } from './model.ts'

/** The day and cycle of a charge that may be taken. */
export interface ChargePlan {
  /** The Lisbon day of the charge. */
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

/**
 * Whether `amount` may be charged at `now` (SPEC.md "Charging rules"; CONTRACT section 14).
 *
 * Refusals: illegal_state outside the subscription's life, period_total_reached beyond the cycle's allowance.
 */
export function mayCharge(subscription: Subscription, amount: Cents, now: Instant): Result<ChargePlan> {
  const { status, startDate, endDate } = subscription
  if (status !== 'APPROVED') return refuse('illegal_state', whyNotInStatus[status])
  const day = lisbonDayOf(now)
  if (day < startDate) {
    return refuse('illegal_state', `the subscription takes charges from ${startDate} on`)
  }
  if (endDate !== undefined && day > endDate) {
    return refuse('illegal_state', `the subscription took charges until ${endDate}`)
  }
  const cycle = cycleOf(subscription, day)
  const left = leftOf(subscription, cycle)
  if (amount <= left) return ok({ day, cycle })
  return refuse(
    'period_total_reached',
    `payment.amount must be at most ${decimalText(left)}, which is left through ${addDays(cycle.nextDay, -1)} of ${decimalText(subscription.amount)} per cycle`,
  )
}

/**
 * What may still be charged in `cycle`. A clock a moment behind another process's counts the later cycle. Nothing,
 * where the customer lowered the limit of a mandate below what was charged.
 */
export function leftOf(subscription: Subscription, cycle: Cycle): Cents {
  const { amount, cycleCharged } = subscription
  const charged = subscription.cycle >= cycle.index ? cycleCharged : 0n
  return (charged < amount ? amount - charged : 0n) as Cents
}

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
