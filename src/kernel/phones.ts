// Phone numbers: what is one, and the one way each of them is written (E.164).
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { ok, type Result, refuse } from './result.ts'

/** Longer is no number, however it is grouped. */
const textLengthMax = 40

/**
 * A phone number with its country code in E.164, such as `+351911234567`. Spaces, dots and dashes may group it.
 *
 * Refusals: missing_parameter when absent; invalid_parameter, naming `field`, for what is no number.
 */
export function parsePhone(value: unknown, field: string): Result<string> {
  if (value === undefined || value === null || value === '') {
    return refuse('missing_parameter', `${field} is required`)
  }
  const text = typeof value === 'string' ? value.trim() : ''
  const parsed =
    text.startsWith('+') && text.length <= textLengthMax
      ? parsePhoneNumberFromString(text, { extract: false })
      : undefined
  return parsed?.isValid() === true
    ? ok(parsed.number)
    : refuse(
        'invalid_parameter',
        `${field} must be a phone number with + and its country code, such as +351911234567`,
      )
}
