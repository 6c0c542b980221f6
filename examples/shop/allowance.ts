// What the shop may still charge in the running month, counted by itself as every merchant does.
import type { Charge, ChargeState, Subscription } from './sessions.ts'

/** A charge that failed or was refused takes nothing of the allowance. */
const countsAgainst: Readonly<Record<ChargeState, boolean>> = {
  asked: true,
  NEW: true,
  PROCESSING: true,
  SUCCESS: true,
  FAIL: false,
  refused: false,
}

/**
 * The API says what is left only when it refuses a charge (40013), so the charges of the month are taken off.
 *
 * @param today as `2026-01-31`
 */
export function leftOn(
  today: string,
  { amount, startDate, endDate }: Pick<Subscription, 'amount' | 'startDate' | 'endDate'>,
  charges: readonly Pick<Charge, 'amount' | 'day' | 'state'>[],
): { readonly amount: number /** The last day. */; readonly until: string } {
  let months = 0
  while (monthsAfter(startDate, months + 1) <= today) months++
  const first = monthsAfter(startDate, months)
  const charged = charges
    .filter(({ day, state }) => countsAgainst[state] && day >= first)
    .reduce((sum, charge) => sum + charge.amount, 0)
  const lastDay = dayBefore(monthsAfter(startDate, months + 1))
  return {
    amount: Math.max(0, amount - charged),
    until: endDate !== undefined && endDate < lastDay ? endDate : lastDay,
  }
}

/** The same day of a later month, or the last day of a month that is shorter. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)))
}

function dayBefore(day: string): string {
  return dayOf(Date.parse(day) - 86_400_000)
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
