// Terms of a mandate.
import { addMonths, type Day, lisbonDayOf, parseDay } from '../../src/kernel/lisbon.ts'
import { type Cents, cents } from '../../src/kernel/money.ts'
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type { WantedMandate } from '../../src/rails/index.ts'
import type { MandateTerms } from './model.ts'

const limitDefault = cents(250_00)
const monthsDefault = 12
const monthsMax = 120
const limitMax = cents(99_999_99)

/** Terms that the customer changes. A term that is absent stays as it is. */
export interface TermsChange {
  readonly limit?: Cents | undefined
  readonly expiryDate?: string | undefined
}

/** The app suggests the requested limit, for a year. */
export function suggestedTerms(wanted: WantedMandate | undefined, now: Instant): MandateTerms {
  return {
    limit: suggestedLimit(wanted?.limit),
    expiryDate: addMonths(firstDayOf(wanted?.from, now), monthsDefault),
  }
}

function suggestedLimit(wanted: Cents = limitDefault): Cents {
  if (wanted < limitDefault) return limitDefault
  return wanted > limitMax ? limitMax : wanted
}

/** The first day of a mandate: today, or `wantedFrom` if it is later. */
export function firstDayOf(wantedFrom: Day | undefined, now: Instant): Day {
  const today = lisbonDayOf(now)
  return wantedFrom !== undefined && wantedFrom > today ? wantedFrom : today
}

/** The new terms. The last day must not be before `wantedFrom`. Refusals: invalid_parameter. */
export function termsOf(
  asked: TermsChange,
  before: MandateTerms,
  now: Instant,
  wantedFrom?: Day,
): Result<MandateTerms> {
  const limit = asked.limit ?? before.limit
  if (limit <= 0n || limit > limitMax)
    return refuse('invalid_parameter', 'amount_limit must be between 0.01 and 99999.99')
  const expiryDate: Day | undefined =
    asked.expiryDate === undefined ? before.expiryDate : parseDay(asked.expiryDate)
  const first = firstDayOf(wantedFrom, now)
  if (expiryDate === undefined || expiryDate < first || expiryDate > addMonths(first, monthsMax))
    return refuse(
      'invalid_parameter',
      `expiry_date must be a day as yyyy-mm-dd, from ${first} to ten years later`,
    )
  return ok({ limit, expiryDate })
}
