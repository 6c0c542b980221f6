// The amount that the shop may still charge in the running month.
import type { Order, Subscription } from './session.ts'

/**
 * Takes the charges of the month off the allowance: the API says what is left only when it refuses a charge (40013).
 *
 * @param today as `2026-01-31`
 * @returns the amount in cents, and the last day of the month
 */
export function leftOn(
  today: string,
  { amount, startDate, endDate }: Pick<Subscription, 'amount' | 'startDate' | 'endDate'>,
  charges: readonly Pick<Order, 'amount' | 'day' | 'state'>[],
): { readonly amount: number; readonly until: string } {
  let months = 0
  while (monthsAfter(startDate, months + 1) <= today) months++
  const first = monthsAfter(startDate, months)
  const charged = charges
    .filter(({ day, state }) => state !== 'FAIL' && state !== 'refused' && day >= first)
    .reduce((sum, charge) => sum + charge.amount, 0)
  const lastDay = dayOf(Date.parse(monthsAfter(startDate, months + 1)) - 86_400_000)
  const until = endDate !== undefined && endDate < lastDay ? endDate : lastDay
  return { amount: Math.max(0, amount - charged), until }
}

/** The same day of a later month, or the last day of a shorter month. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)))
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
