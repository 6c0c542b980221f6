// Phone numbers and their one form (E.164).
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { ok, type Result, refuse } from '../result.ts'
import { withoutMarks } from './pasted.ts'

const textLengthMax = 40
const grouping = /[\s().-]/g
/** A Portuguese mobile number: nine digits from 9, alone, after 351, or after the mobile network's `351#`. */
const portugueseMobile = /^(?:\+?351#?)?(9\d{8})$/

/**
 * Returns E.164. Accepts grouping, invisible marks, `00` for `+`, and Portuguese numbers without `+351` or as
 * JSON numbers. Refusals: missing_parameter, invalid_parameter.
 */
export function parsePhone(value: unknown, field: string): Result<string> {
  if (value === undefined || value === null || value === '') {
    return refuse('missing_parameter', `${field} is required`)
  }
  const text =
    typeof value === 'string' || typeof value === 'number' ? withoutMarks(String(value)).trim() : ''
  const international = text.length > textLengthMax ? undefined : withCountryCode(text)
  const parsed =
    international === undefined ? undefined : parsePhoneNumberFromString(international, { extract: false })
  return parsed?.isValid() === true
    ? ok(parsed.number)
    : refuse(
        'invalid_parameter',
        `${field} must be a phone number with + and its country code, such as +351911234567`,
      )
}

function withCountryCode(text: string): string | undefined {
  const digits = text.replace(grouping, '')
  const [, mobile] = portugueseMobile.exec(digits) ?? []
  if (mobile !== undefined) return `+351${mobile}`
  if (digits.startsWith('00')) return `+${digits.slice(2)}`
  return text.startsWith('+') ? text : undefined
}

/** Reads a number in a URL, where a `+` that is not encoded arrives as a space. */
export function parsePhoneInAddress(text: string, field: string): Result<string> {
  const visible = withoutMarks(text)
  const withPlus = visible.startsWith(' ') ? parsePhone(`+${visible.slice(1)}`, field) : undefined
  return withPlus?.ok === true ? withPlus : parsePhone(text, field)
}

export function phoneOrText(text: string): string {
  const phone = parsePhone(text, '')
  return phone.ok ? phone.value : text
}
