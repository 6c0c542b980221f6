// The amount that the shop can still charge this month.
import type { Order, Subscription } from './session.ts'

/**
 * Subtracts the charges of the month from the limit. The API shows the rest only when it refuses a charge (40013).
 * @param today day in Lisbon, such as `2026-01-31`
 * @returns cents, and the last day of the month
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

function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)))
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
