// Whether a subscription allows a charge now.
import { addDays, type Day, lisbonDayOf } from '../../kernel/lisbon.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Subscription, SubscriptionStatus } from '../model.ts'
import { type Cycle, cycleOf } from './cycles.ts'

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
 * SPEC.md "Charging rules", CONTRACT section 14. Refusals: illegal_state outside the subscription's life,
 * period_total_reached beyond the cycle's allowance.
 */
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

/**
 * A clock slightly behind counts for the later cycle. Zero if the customer lowered a mandate below the charged
 * amount.
 */
export function leftOf(subscription: Subscription, cycle: Cycle): Cents {
  const { amount, cycleCharged } = subscription
  const charged = subscription.cycle >= cycle.index ? cycleCharged : 0n
  return (charged < amount ? amount - charged : 0n) as Cents
}
