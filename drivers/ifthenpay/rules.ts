// The meaning of ifthenpay's codes, amounts and dates.
import {
  daysBetween,
  endOfLisbonDay,
  lisbonDayOf,
  parseDay,
  parseLisbonTime,
} from '../../src/kernel/lisbon.ts'
import { type Cents, cents } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'

/** Reads a number, or a text with a point or a comma (observed). */
export function centsOf(value: unknown): Cents | undefined {
  const [, euros, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2})0*)?$/.exec(String(value).trim()) ?? []
  return euros === undefined ? undefined : cents(BigInt(euros + decimals.padEnd(2, '0')))
}

/** Reads Lisbon time. The documents write the day first, real answers also the year first. */
export function paidAtOf(text: string): Instant | undefined {
  return parseLisbonTime(yearFirst(text))
}

/** The end of the day that ifthenpay names as the last one of a reference. */
export function endOf(expiryDate: string): Instant | undefined {
  const day = parseDay(yearFirst(expiryDate))
  return day === undefined ? undefined : endOfLisbonDay(day)
}

function yearFirst(text: string): string {
  return text.trim().replace(/^(\d\d)-(\d\d)-(\d{4})/, '$3-$2-$1')
}

/** The validities that ifthenpay documents. It rounds other numbers of days to the nearest. */
const longValidities = [45, 60, 90, 120, 180, 365, 730]
const everyDayUntil = 31

/** The longest validity that does not exceed `expires`. Zero days means until midnight today. */
export function expiryDaysOf(now: Instant, expires: Instant): number {
  const days = Math.max(0, daysBetween(lisbonDayOf(now), lisbonDayOf(expires)))
  if (days <= everyDayUntil) return days
  return longValidities.findLast((one) => one <= days) ?? everyDayUntil
}

const refused = ['020', '100', '104', '111', '122', '125']
const otherDeclines: Readonly<Record<string, rails.WalletDecline>> = {
  ...{ '048': 'withdrawn', '101': 'expired', '113': 'not_registered' },
}

/**
 * Reads the answer to a new request. `000` means that ifthenpay asked the customer, and after 100 or 999 it may have
 * asked.
 */
export function declineAtCreate(code: string): rails.WalletDecline | undefined {
  const state = stateOf(code)
  return state === 'paid' || code === '100' ? undefined : state
}

/** Reads the state of a request: `000` means paid. Undefined if it is undecided, such as 123 before 101 (observed). */
export function stateOf(code: string): 'paid' | rails.WalletDecline | undefined {
  if (code === '000') return 'paid'
  return refused.includes(code) ? 'refused' : otherDeclines[code]
}
