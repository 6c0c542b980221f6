// What the shop may still charge in the running month, counted by itself as every merchant does. Pure.
import { addDays, addMonths, type Day } from '../../../src/kernel/lisbon.ts'
import { type Cents, cents } from '../../../src/kernel/money.ts'
import type { ChargeState, ShopCharge, ShopSubscription } from './model.ts'

export interface Left {
  readonly amount: Cents
  /** The last day of the cycle, or of the subscription. */
  readonly until: Day
}

/** A charge that failed or was refused takes nothing of the allowance. */
const takes: Readonly<Record<ChargeState, boolean>> = {
  asked: true,
  NEW: true,
  PROCESSING: true,
  SUCCESS: true,
  FAIL: false,
  refused: false,
}

/** The API tells what is left only when it refuses (40013), so the charges of the cycle are taken off. */
export function leftOn(
  today: Day,
  { amount, startDate, endDate }: Pick<ShopSubscription, 'amount' | 'startDate' | 'endDate'>,
  charges: readonly Pick<ShopCharge, 'amount' | 'day' | 'state'>[],
): Left {
  let months = 0
  while (addMonths(startDate, months + 1) <= today) months++
  const first = addMonths(startDate, months)
  const charged = charges
    .filter(({ day, state }) => takes[state] && day >= first)
    .reduce((sum, charge) => sum + charge.amount, 0)
  const lastDay = addDays(addMonths(startDate, months + 1), -1)
  const until = endDate !== undefined && endDate < lastDay ? endDate : lastDay
  return { amount: cents(Math.max(0, amount - charged)), until }
}
