// The expiry field, `MM / YY`: formatted as it is typed, judged when it is left. Pure.

/**
 * What the field shows after an edit at its end. Understands `1227`, `1/27` and `12/2027`, and what browsers fill in:
 * `2027-12`, `2027/12` and `202712`.
 *
 * @param deleting whether the edit took something away: then no separator is put back
 */
export function formatExpiry(text: string, deleting: boolean): string {
  const written = text.trim()
  const digits = monthAndYear(written, deleting)
  if (digits === undefined) return written
  const month = digits.slice(0, 2)
  if (month.length < 2) return month
  const year = yearOf(digits.slice(2))
  if (year === '') return deleting ? month : `${month} / `
  return `${month} / ${year}`
}

/** A year and its month: `2030-12`, `2030/12`, `203012`. */
const yearFirst = /^(?<year>20\d{2})(?:\s*[/.-]\s*(?=\d)|(?=\d{2}$))(?<month>\d{1,2})$/
/** The beginning of that, digit by digit: no month is 20, and 1 may become 12. */
const mayBecomeYear = /^(?:2|20\d{0,3}|20\d{2}\s*[/.-]\s*[01]?)$/

/** The digits of month and year; undefined while the month is not typed yet. */
function monthAndYear(text: string, isLeft: boolean): string | undefined {
  const { year, month } = yearFirst.exec(text)?.groups ?? {}
  const isWhole = year !== undefined && month !== undefined && (isLeft || !mayBecomeYear.test(text))
  if (isWhole) return `${month.padStart(2, '0')}${year}`
  return mayBecomeYear.test(text) ? undefined : monthFirst(text)
}

function monthFirst(text: string): string {
  const short = /^(\d)\s*[/. -]\s*(.*)$/.exec(text)
  if (short !== null) return `0${short[1]}${short[2]?.replace(/\D/g, '')}`
  const digits = text.replace(/\D/g, '')
  // No month begins with 2 to 9: a zero is meant before it.
  return /^[2-9]/.test(digits) ? `0${digits}` : digits
}

/** Two digits; four while somebody is writing out the century. */
function yearOf(digits: string): string {
  if (!digits.startsWith('20')) return digits.slice(0, 2)
  return digits.length >= 4 ? digits.slice(2, 4) : digits
}

/**
 * @param thisMonth `YYYY-MM`, of the gateway's clock
 * @returns what is wrong with it, if anything
 */
export function expiryProblem(text: string, thisMonth: string): 'invalid' | 'expired' | undefined {
  const match = /^\s*(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text)
  if (match === null) return 'invalid'
  return `20${match[2]}-${match[1]}` < thisMonth ? 'expired' : undefined
}
