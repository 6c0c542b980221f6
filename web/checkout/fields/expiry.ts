// Expiry field in the format `MM / YY`.

/**
 * Formats typed text (`1227`, `1/27`, `12/2027`) and text that the browser fills in (`2027-12`, `2027/12`, `202712`).
 * @param deleting true after a deletion, when no separator is added
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

/** A date with the year first: `2030-12`, `2030/12`, `203012`. */
const yearFirst = /^(?<year>20\d{2})(?:\s*[/.-]\s*(?=\d)|(?=\d{2}$))(?<month>\d{1,2})$/
/** Input that can still become a date with the year first. No month is 20, and a month 1 can become 12. */
const mayBecomeYear = /^(?:2|20\d{0,3}|20\d{2}\s*[/.-]\s*[01]?)$/

/** Undefined while the month is incomplete. */
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
  // A month that begins with 2 to 9 has one digit, so it gets a zero before it.
  return /^[2-9]/.test(digits) ? `0${digits}` : digits
}

/** The last two digits of the year. While the user types the century, these are up to four digits. */
function yearOf(digits: string): string {
  if (!digits.startsWith('20')) return digits.slice(0, 2)
  return digits.length >= 4 ? digits.slice(2, 4) : digits
}

/** @param thisMonth `YYYY-MM` on the gateway's clock */
export function expiryProblem(text: string, thisMonth: string): 'invalid' | 'expired' | undefined {
  const match = /^\s*(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text)
  if (match === null) return 'invalid'
  return `20${match[2]}-${match[1]}` < thisMonth ? 'expired' : undefined
}
