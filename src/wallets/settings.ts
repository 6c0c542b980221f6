// Checks of a merchant's settings.
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { readIban, sepaProblemOf } from '../kernel/values/ibans.ts'
import { withoutMarks } from '../kernel/values/pasted.ts'
import { rights } from '../kernel/values/permissions.ts'
import { holdsCredentials, isHostName, isPrivateInTransit } from '../kernel/values/web-address.ts'
import { type FeeSchedule, methods, recurringMethods } from '../methods/list.ts'
import { checkColour } from './branding/colour.ts'
import { type Mode, pageLanguages, type WalletSettings } from './model.ts'

const nameLengthMax = 100
const emailLengthMax = 100
const urlLengthMax = 2000
const originsMax = 50
/** Each page of the checkout sends them all in a header. */
const embedOriginsMax = 10
const shownLengthMax = 40
const basisPointsOfWhole = 10_000
/** 1000 EUR. */
const splitFeeFixedMaxCents = 100_000n
/** 999 999 999.99 EUR. */
const limitMaxCents = 99_999_999_999n

/** Settings to change; absent ones and methods absent from `fees` keep their value. */
export type SettingsChanges = Partial<Omit<WalletSettings, 'feeSchedule'>> & {
  readonly fees?: Partial<FeeSchedule>
}

type Check<Value> = (value: Value, mode: Mode) => Result<Value>

const checks: {
  readonly [Field in keyof SettingsChanges]-?: Check<Exclude<SettingsChanges[Field], undefined>>
} = {
  name: checkName,
  email: (value) => checkEmail(value),
  phone: (value) => (value === null ? ok(null) : checkPhone(value)),
  iban: (value) => (value === null ? ok(null) : checkIban(value)),
  rights: (value) => checkWords('rights', value, rights),
  methods: (value) => checkWords('methods', value, methods),
  subscriptionMethods: (value) => checkWords('subscription_methods', value, recurringMethods),
  fees: ok,
  splitFeeFixed: (value) =>
    value >= 0n && value <= splitFeeFixedMaxCents
      ? ok(value)
      : refuse('invalid_parameter', 'split_fee_fixed must be from 0 to 1000.00'),
  splitFeeVariableBp: (value) =>
    Number.isInteger(value) && value >= 0 && value <= basisPointsOfWhole
      ? ok(value)
      : refuse('invalid_parameter', 'split_fee_variable must be from 0 to 1, with at most 4 decimals'),
  callbackUrl: (value, mode) => (value === null ? ok(null) : checkUrl('callback_url', value, mode)),
  cardCallbackUrl: (value, mode) => (value === null ? ok(null) : checkUrl('card_callback_url', value, mode)),
  selfEvents: ok,
  secureFieldOrigins: checkSecureFieldOrigins,
  embedOrigins: checkEmbedOrigins,
  brandColour: (value) => (value === null ? ok(null) : checkColour(value)),
  termsUrl: (value, mode) => (value === null ? ok(null) : checkUrl('terms_url', value, mode)),
  privacyUrl: (value, mode) => (value === null ? ok(null) : checkUrl('privacy_url', value, mode)),
  supportUrl: (value, mode) => (value === null ? ok(null) : checkUrl('support_url', value, mode)),
  supportEmail: (value) => (value === null ? ok(null) : checkEmail(value, 'support_email')),
  supportPhone: (value) => (value === null ? ok(null) : checkPhone(value, 'support_phone')),
  pageLanguage: (value) =>
    value === null || pageLanguages.includes(value)
      ? ok(value)
      : refuse('invalid_parameter', `page_language must be ${pageLanguages.join(' or ')}`),
  methodsOff: (value) => checkWords('methods_off', value, methods),
  paymentLimit: (value) => checkLimit('payment_limit', value),
  dayLimit: (value) => checkLimit('day_limit', value),
  payoutDayLimit: (value) => checkLimit('payout_day_limit', value),
  bankChargesPassedOn: ok,
  mbRefunds: ok,
}

/** The changes in normal form (trimmed, compact phones and IBANs). Refusals: invalid_parameter naming the field. */
export function checkSettings(changes: SettingsChanges, mode: Mode): Result<SettingsChanges> {
  const checked: Record<string, unknown> = {}
  for (const field of Object.keys(checks) as (keyof SettingsChanges)[]) {
    if (changes[field] === undefined) continue
    const check = checks[field] as (value: unknown, mode: Mode) => Result<unknown>
    const result = check(changes[field], mode)
    if (!result.ok) return result
    checked[field] = result.value
  }
  return ok(checked as SettingsChanges)
}

/** Trims a name: 1 to 100 characters, no control characters. */
export function checkName(name: string): Result<string> {
  const trimmed = name.trim()
  return trimmed.length >= 1 && trimmed.length <= nameLengthMax && !/\p{Cc}/u.test(trimmed)
    ? ok(trimmed)
    : refuse('invalid_parameter', `name must have 1 to ${nameLengthMax} characters and no line breaks`)
}

/** Requires text before and after one @; only a delivered mail proves more. */
export function checkEmail(email: string, field = 'email'): Result<string> {
  const trimmed = email.trim()
  return trimmed.length <= emailLengthMax && /^[^\s@<>"\p{Cc}]+@[^\s@<>"\p{Cc}]+$/u.test(trimmed)
    ? ok(trimmed)
    : refuse(
        'invalid_parameter',
        `${field} must be an address such as shop@example.com, at most ${emailLengthMax} characters`,
      )
}

export function checkPhone(phone: string, field = 'phone'): Result<string> {
  const text = withoutMarks(phone).trim()
  const number = text.startsWith('+') ? parsePhoneNumberFromString(text) : undefined
  return number?.isPossible() === true
    ? ok(number.number)
    : refuse('invalid_parameter', `${field} must be an international number such as +351911234567`)
}

function checkIban(iban: string): Result<string> {
  const electronic = readIban(iban)
  const problem = sepaProblemOf(electronic)
  return electronic !== undefined && problem === undefined
    ? ok(electronic)
    : refuse('invalid_parameter', `iban ${problem}`)
}

function checkWords<Word extends string>(
  field: string,
  words: readonly Word[],
  known: readonly Word[],
): Result<readonly Word[]> {
  const unknown = words.find((word) => !known.includes(word))
  return unknown === undefined
    ? ok(known.filter((word) => words.includes(word)))
    : refuse('invalid_parameter', `${field} may hold ${known.join(', ')}; not ${JSON.stringify(unknown)}`)
}

function checkLimit(field: string, value: Cents | null): Result<Cents | null> {
  return value === null || (value > 0n && value <= limitMaxCents)
    ? ok(value)
    : refuse('invalid_parameter', `${field} must be from 0.01 to 999999999.99, or none`)
}

function checkUrl(field: string, text: string, mode: Mode): Result<string> {
  const schemes = mode === 'production' ? ['https:'] : ['https:', 'http:']
  const url = URL.parse(text)
  const fits = url !== null && schemes.includes(url.protocol) && !holdsCredentials(text)
  return fits && url.href.length <= urlLengthMax
    ? ok(url.href)
    : refuse(
        'invalid_parameter',
        `${field} must be an absolute ${mode === 'production' ? 'https' : 'http or https'} address without user name and password, at most ${urlLengthMax} characters`,
      )
}

function checkSecureFieldOrigins(origins: readonly string[], mode: Mode): Result<readonly string[]> {
  const isOpen = ({ protocol }: URL) => protocol === 'https:' || (mode === 'sandbox' && protocol === 'http:')
  return checkOrigins('secure_field_origins', origins, originsMax, isOpen)
}

/** A page on plain http could be changed on its way, and with it the frame's surroundings. */
function checkEmbedOrigins(origins: readonly string[], mode: Mode): Result<readonly string[]> {
  const isOpen = (url: URL) => url.protocol === 'https:' || (mode === 'sandbox' && isPrivateInTransit(url))
  return checkOrigins('embed_origins', origins, embedOriginsMax, isOpen)
}

function checkOrigins(
  field: string,
  origins: readonly string[],
  most: number,
  isOpen: (url: URL) => boolean,
): Result<readonly string[]> {
  if (origins.length > most) return refuse('invalid_parameter', `${field} may hold at most ${most} origins`)
  const checked: string[] = []
  for (const text of origins) {
    const url = URL.parse(text)
    const isOrigin = url !== null && isHostName(url.hostname) && url.href === `${url.origin}/`
    if (!isOrigin || holdsCredentials(text) || !isOpen(url)) {
      const shown = JSON.stringify(text.slice(0, shownLengthMax))
      return refuse('invalid_parameter', `${field} holds origins such as https://shop.example, not ${shown}`)
    }
    checked.push(url.origin)
  }
  return ok([...new Set(checked)])
}
