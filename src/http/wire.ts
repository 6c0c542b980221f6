// Dates and amounts in requests and answers.
import { Type } from 'typebox'
import { addDays, endOfLisbonDay, parseDay, startOfLisbonDay } from '../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { type Instant, instant, millisecond, minute, second } from '../kernel/time.ts'
import { readAs } from './body/fields.ts'
import { described, documented } from './reference/fields.ts'

const yearMin = 1970
const yearMax = 9999
const offsetMinutesMax = 18 * 60

const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/

const example = '2026-03-01T18:30:00+0000'

/**
 * Reads ISO 8601, cut to the second. Default zone: UTC. A day alone means its first second. Refusals:
 * missing_parameter, invalid_parameter.
 */
export function parseInstant(value: unknown, field: string): Result<Instant> {
  const exact = parseExactInstant(value, field)
  return exact.ok ? ok(instant(Math.floor(exact.value / second) * second)) : exact
}

/** Like {@link parseInstant}, but a day alone means its end in Lisbon. */
export function parseEnd(value: unknown, field: string): Result<Instant> {
  const moment = parseInstant(value, field)
  const day = moment.ok ? parseDay(String(value).trim()) : undefined
  return day === undefined ? moment : ok(endOfLisbonDay(day))
}

/** Like {@link parseInstant}, but with milliseconds, to set a clock. */
export function parseExactInstant(value: unknown, field: string): Result<Instant> {
  if (value === undefined || value === null) return refuse('missing_parameter', `${field} is required`)
  const match = typeof value === 'string' ? instantPattern.exec(value.trim()) : null
  if (match === null)
    return refuse('invalid_parameter', `${field} must be an ISO 8601 date such as ${example}`)
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0', fraction = '', zone = 'Z'] = match
  const local = utcMilliseconds(
    Number(year),
    Number(month),
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  )
  const offset = offsetMinutes(zone)
  if (local === undefined || offset === undefined) {
    return refuse('invalid_parameter', `${field} must be a date and time that exist, such as ${example}`)
  }
  const moment = local + Number(fraction.padEnd(3, '0').slice(0, 3)) * millisecond - offset * minute
  const utcYear = new Date(moment).getUTCFullYear()
  return utcYear < yearMin || utcYear > yearMax
    ? refuse('invalid_parameter', `${field} must be between the years ${yearMin} and ${yearMax}`)
    : ok(instant(moment))
}

function utcMilliseconds(
  year: number,
  month: number,
  day: number,
  hours: number,
  minutes: number,
  seconds: number,
): number | undefined {
  if (minutes > 59 || seconds > 59) return undefined
  if (hours > 23 && !(hours === 24 && minutes === 0 && seconds === 0)) return undefined
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, month - 1, day)
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined
  return midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const minutes = Number(zone.slice(-2))
  const parts =
    zone.length === 3 ? { hours: minutes, minutes: 0 } : { hours: Number(zone.slice(1, 3)), minutes }
  const offset = parts.hours * 60 + parts.minutes
  if (parts.minutes > 59 || offset > offsetMinutesMax) return undefined
  return zone.startsWith('-') ? -offset : offset
}

export interface InstantRange {
  readonly from: Instant | undefined
  readonly until: Instant | undefined
}

const shownAsDay = documented({ format: 'date' })

export const dayRangeQuery = {
  startdate: Type.Optional(
    Type.String({
      description: 'First day in Lisbon time (`yyyy-mm-dd`), such as `2026-03-01`.',
      ...shownAsDay,
    }),
  ),
  enddate: Type.Optional(
    Type.String({ description: 'Last day in Lisbon time (`yyyy-mm-dd`), inclusive.', ...shownAsDay }),
  ),
}

/** Reads the filters `startdate` and `enddate`: Lisbon days, both inclusive (CONTRACT section 2). */
export function parseLisbonDayRange(
  startdate: string | undefined,
  enddate: string | undefined,
): Result<InstantRange> {
  const start = startdate === undefined ? undefined : dayOf(startdate)
  if (startdate !== undefined && start === undefined) return notADay('startdate')
  const end = enddate === undefined ? undefined : dayOf(enddate)
  if (enddate !== undefined && end === undefined) return notADay('enddate')
  if (start !== undefined && end !== undefined && end < start) {
    return refuse('invalid_parameter', 'enddate must not be before startdate')
  }
  return ok({
    from: start === undefined ? undefined : startOfLisbonDay(start),
    until: end === undefined ? undefined : startOfLisbonDay(addDays(end, 1)),
  })
}

function dayOf(text: string): string | undefined {
  const year = Number(text.slice(0, 4))
  return year >= yearMin && year < yearMax ? parseDay(text) : undefined
}

function notADay(field: string): Result<never> {
  return refuse('invalid_parameter', `${field} must be a day as yyyy-mm-dd, such as 2026-03-01`)
}

const amountWords = 'Amount: a JSON number or a numeric string with at most 2 decimals, such as 10.50.'

export const amountSchema = Type.Unsafe<number | string>({
  anyOf: [{ type: 'number' }, { type: 'string', maxLength: 40 }],
  description: amountWords,
  ...readAs('number'),
  ...documented({ examples: [10.5] }),
})

export function requestAmount(description: string, least = 0.01, most = 99_999.99) {
  const anyOf = [
    { type: 'number', minimum: least, maximum: most },
    { type: 'string', pattern: String.raw`^\d+(\.\d{1,2})?$` },
  ]
  return described(amountSchema, `${description} ${amountWords}`, { anyOf, examples: [10.5] })
}
