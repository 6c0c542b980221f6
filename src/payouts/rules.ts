// Pure decisions about payouts: limits, days and amounts.
import { Temporal } from 'temporal-polyfill'
import { addDays, type Day, startOfLisbonDay } from '../kernel/lisbon.ts'
import { type Cents, cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { isTargetDay, nextTargetDay } from '../kernel/target-days.ts'
import { after, hour, type Instant } from '../kernel/time.ts'
import type { Frequency, PayoutSchedule } from './model.ts'

/** The hour of payouts: money of the evening has arrived, and the bank's first file is still to come. */
const orderedAtHour = 6
/** A bank transfer within SEPA is at most 999 999 999.99. */
const payoutCentsMax = 99_999_999_999n

type When = Pick<PayoutSchedule, 'frequency' | 'day'>

/** The next payout day; undefined for `none`. Banks pay on TARGET days: others move to the next one. */
export function nextPayoutDay({ frequency, day = 1 }: When, today: Day): Day | undefined {
  switch (frequency) {
    case 'none':
      return undefined
    case 'daily':
      return nextTargetDay(today)
    case 'weekly':
      return onTargetDay(nextWeekday(today, day))
    case 'monthly':
      return onTargetDay(nextDayOfMonth(today, day))
  }
}

function onTargetDay(day: Day): Day {
  return isTargetDay(day) ? day : nextTargetDay(day)
}

function nextWeekday(today: Day, weekday: number): Day {
  const ahead = (weekday - Temporal.PlainDate.from(today).dayOfWeek + 7) % 7
  return addDays(today, ahead === 0 ? 7 : ahead)
}

function nextDayOfMonth(today: Day, day: number): Day {
  const date = Temporal.PlainDate.from(today)
  const inMonth = (month: Temporal.PlainDate) => month.with({ day }, { overflow: 'constrain' })
  const first = inMonth(date)
  const next =
    Temporal.PlainDate.compare(first, date) > 0 ? first : inMonth(date.with({ day: 1 }).add({ months: 1 }))
  return next.toString()
}

export function dueAtOn(day: Day): Instant {
  return after(startOfLisbonDay(day), orderedAtHour * hour)
}

/** The amount to pay out in cents; undefined below the minimum. */
export function payoutAmount(
  { minimum, keep }: Pick<PayoutSchedule, 'minimum' | 'keep'>,
  available: bigint,
): Cents | undefined {
  const amount = available - keep
  if (amount < minimum) return undefined
  return cents(amount > payoutCentsMax ? payoutCentsMax : amount)
}

const lastDays: Readonly<Record<Frequency, number | undefined>> = {
  none: undefined,
  daily: undefined,
  weekly: 5,
  monthly: 31,
}

/** Checks `day` for `frequency`. Refusals: missing_parameter, invalid_parameter naming `day`. */
export function checkedDay(frequency: Frequency, day: number | undefined): Result<number | undefined> {
  const last = lastDays[frequency]
  if (last === undefined) {
    return day === undefined ? ok(day) : refuse('invalid_parameter', `day must be left out of ${frequency}`)
  }
  const meant =
    frequency === 'weekly' ? 'day of the week from 1 (Monday) to 5 (Friday)' : 'day of the month from 1 to 31'
  if (day === undefined) return refuse('missing_parameter', `day is required: the ${meant}`)
  return day >= 1 && day <= last ? ok(day) : refuse('invalid_parameter', `day must be the ${meant}`)
}

export function transferAmount(amount: Cents, field: string): Result<Cents> {
  if (amount < 1n) return refuse('below_minimum_amount', `${field} must be at least 0.01`)
  if (amount > payoutCentsMax) return refuse('above_maximum_amount', `${field} must be at most 999999999.99`)
  return ok(amount)
}
