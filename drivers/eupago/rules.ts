// The meaning of Eupago's words, amounts and dates.
import { addDays, type Day, lisbonDayOf, parseLisbonTime, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { type Cents, cents } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'

/** A number, or a text such as 49.90000 (observed). Undefined if it is no amount. */
export function centsOf(value: unknown): Cents | undefined {
  const [, euros, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2})0*)?$/.exec(String(value).trim()) ?? []
  return euros === undefined ? undefined : cents(BigInt(euros + decimals.padEnd(2, '0')))
}

/** Exact: decimals of up to 15 digits survive the conversion. */
export function eurosOf(amount: Cents): number {
  return Number(amount) / 100
}

/** Local time of Lisbon, without a zone (observed); without a time, the start of the day. */
export function paidAtOf(day: string, time = ''): Instant | undefined {
  return parseLisbonTime(`${day.slice(0, 10)} ${time || day.slice(11, 19) || '00:00:00'}`)
}

/** Eupago knows days only (documentation): the first whole day of a later start. */
export function firstDayOf(starts: Instant): Day {
  const day = lisbonDayOf(starts)
  return startOfLisbonDay(day) === starts ? day : addDays(day, 1)
}

/** Documented: -7 no service, -8 reference, -9 values, -10 key, -11 not found. */
export const keyRefused = -10
export const isUnknownReference = (estado: number): boolean => estado === -8 || estado === -11

/** The reason of a refused payment by phone. Undefined: the key was refused, which says nothing about the payment. */
export function declineOf(code: string, amount: bigint): rails.WalletDecline | undefined {
  if (/^(APIKEY|API_KEY|UNAUTH)/.test(code)) return undefined
  // Observed: 0.50 € was refused, 1 € taken.
  if (code === 'AMOUNT_INVALID') return amount < 100n ? 'amount_too_small' : 'amount_too_large'
  return code === 'SERVICE_INACTIVE' ? 'not_permitted' : 'refused'
}

/** The end of an unpaid request, from the status in a signed notification. */
export function endIn(status: string): 'refused' | 'expired' | undefined {
  if (/^expired$/i.test(status)) return 'expired'
  return /^(error|cancel|cancell?ed)$/i.test(status) ? 'refused' : undefined
}
