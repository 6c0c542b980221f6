// The meaning of Eupago's words, amounts and dates.
import { addDays, type Day, lisbonDayOf, parseLisbonTime, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { type Cents, cents } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'

/** Reads a number, or a text such as 49.90000 (observed). */
export function centsOf(value: unknown): Cents | undefined {
  const [, euros, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2})0*)?$/.exec(String(value).trim()) ?? []
  return euros === undefined ? undefined : cents(BigInt(euros + decimals.padEnd(2, '0')))
}

/** The result is exact, because decimals of up to 15 digits survive the conversion. */
export function eurosOf(amount: Cents): number {
  return Number(amount) / 100
}

/** Reads Lisbon time without a zone (observed). Without a time it is the start of the day. */
export function paidAtOf(day: string, time = ''): Instant | undefined {
  return parseLisbonTime(`${day.slice(0, 10)} ${time || day.slice(11, 19) || '00:00:00'}`)
}

/** Eupago accepts only days. If a reference starts during a day, its first day is the next one. */
export function firstDayOf(starts: Instant): Day {
  const day = lisbonDayOf(starts)
  return startOfLisbonDay(day) === starts ? day : addDays(day, 1)
}

/** Documented: -7 no service, -8 reference, -9 values, -10 key, -11 not found. */
export const keyRefused = -10
export const isUnknownReference = (estado: number): boolean => estado === -8 || estado === -11

/**
 * The reason of a refused payment by phone. Undefined if Eupago refused the key, because this says nothing about the
 * payment.
 */
export function declineOf(code: string, amount: bigint): rails.WalletDecline | undefined {
  if (/^(APIKEY|API_KEY|UNAUTH)/.test(code)) return undefined
  // Eupago refused 0.50 € and accepted 1 € (observed).
  if (code === 'AMOUNT_INVALID') return amount < 100n ? 'amount_too_small' : 'amount_too_large'
  return code === 'SERVICE_INACTIVE' ? 'not_permitted' : 'refused'
}

/** How an unpaid request ended, by the status in a signed notification. */
export function endIn(status: string): 'refused' | 'expired' | undefined {
  if (/^expired$/i.test(status)) return 'expired'
  return /^(error|cancel|cancell?ed)$/i.test(status) ? 'refused' : undefined
}
