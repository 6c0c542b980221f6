// Fee rates: the schedule of CONTRACT section 6, and their text.
import { readTypedEuros } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { FeeRate } from '../methods/facts.ts'
import { defaultFeeSchedule, type FeeMethod, type FeeSchedule, feeMethods } from '../methods/list.ts'

const ratePattern = /^(?:(\d{1,3})(?:[.,](\d{1,4}))?%)?(?:(?:^|\+)(\d{1,4}(?:[.,]\d+)?))?$/
const ratePpmMax = 1_000_000

/** Reads a rate such as `1.5%`, `0.30` or `1%+0.15`: up to 4 decimals of percent, up to 2 of euros. */
export function parseFeeRate(text: string): Result<FeeRate> {
  const match = ratePattern.exec(text.replaceAll(' ', ''))
  const [, percent, percentDecimals = '', euros] = match ?? []
  const fixed = readTypedEuros(euros ?? '0')
  if ((percent === undefined && euros === undefined) || fixed === undefined) {
    return refuse('invalid_parameter', `a fee is written 1.5%, 0.30 or 1%+0.15, not ${JSON.stringify(text)}`)
  }
  const ratePpm = Number(percent ?? 0) * 10_000 + Number(percentDecimals.padEnd(4, '0'))
  if (ratePpm > ratePpmMax) return refuse('invalid_parameter', 'a fee takes at most 100%')
  return ok({ ratePpm, fixedCents: Number(fixed) })
}

export function formatFeeRate({ ratePpm, fixedCents }: FeeRate): string {
  const percent = ratePpm === 0 ? '' : `${ratePpm / 10_000}%`
  if (fixedCents === 0 && percent !== '') return percent
  return `${percent}${percent === '' ? '' : '+'}${(fixedCents / 100).toFixed(2)}`
}

export type StoredFees = Partial<Record<FeeMethod, { rate_ppm: number; fixed_cents: number }>>

/** Only differences from the default are stored, so that a new default reaches wallets without their own fees. */
export function feesAsStored(schedule: FeeSchedule): StoredFees {
  const stored: StoredFees = {}
  for (const method of feeMethods) {
    const rate = schedule[method]
    if (!sameRate(rate, defaultFeeSchedule[method])) {
      stored[method] = { rate_ppm: rate.ratePpm, fixed_cents: rate.fixedCents }
    }
  }
  return stored
}

export function feesAsRead(stored: StoredFees): FeeSchedule {
  const schedule: Record<string, FeeRate> = { ...defaultFeeSchedule }
  for (const method of feeMethods) {
    const rate = stored[method]
    if (rate !== undefined) schedule[method] = { ratePpm: rate.rate_ppm, fixedCents: rate.fixed_cents }
  }
  return schedule as FeeSchedule
}

function sameRate(a: FeeRate, b: FeeRate): boolean {
  return a.ratePpm === b.ratePpm && a.fixedCents === b.fixedCents
}
