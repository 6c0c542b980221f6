// Phone numbers: what is one, and the one way each of them is written (E.164).
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { ok, type Result, refuse } from '../result.ts'
import { withoutMarks } from './pasted.ts'

/** Longer is no number, however it is grouped. */
const textLengthMax = 40
const grouping = /[\s().-]/g
/** A Portuguese mobile number: nine digits beginning with 9, alone or behind 351 or the mobile network's `351#`. */
const portugueseMobile = /^(?:\+?351#?)?(9\d{8})$/

/**
 * A phone number with its country code in E.164, such as `+351911234567`; spaces, dots, dashes and brackets may group
 * it, and invisible marks may stand anywhere in it. `00` is read as `+`. Portuguese mobile numbers may be written without `+351`, as `351…` and as `351#…`, and as
 * a JSON number.
 *
 * Refusals: missing_parameter when absent; invalid_parameter, naming `field`, for what is no number.
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

/** {@link parsePhone} of a number in an address, where a `+` that was not encoded arrives as a space. */
export function parsePhoneInAddress(text: string, field: string): Result<string> {
  const visible = withoutMarks(text)
  const withPlus = visible.startsWith(' ') ? parsePhone(`+${visible.slice(1)}`, field) : undefined
  return withPlus?.ok === true ? withPlus : parsePhone(text, field)
}

/** The number in E.164 where `text` is one, else `text` as it stands. */
export function phoneOrText(text: string): string {
  const phone = parsePhone(text, '')
  return phone.ok ? phone.value : text
}
