// The filters of the list of mandates, read from its query; each refusal names its parameter and what would be right.
import { type Static, Type } from 'typebox'
import { documented, pageQuery, parseInstant } from '../../../http/index.ts'
import {
  addDays,
  type Day,
  lisbonDayOf,
  parseDay,
  parseLisbonTime,
  startOfLisbonDay,
} from '../../../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { after, type Instant, second } from '../../../kernel/time.ts'
import { parsePhoneInAddress } from '../../../kernel/values/phones.ts'
import type { MandateFilter } from './list-store.ts'
import { mandateStates, mandateTypes } from './model.ts'

const one = (description: string, keywords: object = {}) =>
  Type.Optional(Type.String({ description, ...documented({ ...keywords }) }))
const date = (edge: string, of: string) =>
  one(`${edge} of ${of}: an ISO 8601 date; a day counts in Lisbon, and is included.`)
const repeatable = (description: string, items: object) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 30 })], {
      description,
      ...documented({ anyOf: undefined, type: 'array', items: { type: 'string', ...items }, maxItems: 30 }),
    }),
  )

export const mandateListQuery = Type.Object({
  ...pageQuery,
  status: repeatable('One or more states.', { enum: mandateStates }),
  state: repeatable('The same as `status`.', { enum: mandateStates }),
  type: one(`One of ${mandateTypes.join(', ')}.`, { enum: mandateTypes }),
  phone: one('A phone number with + and its country code.'),
  start_creation_date: date('Begin', 'when it was asked for'),
  end_creation_date: date('End', 'when it was asked for'),
  start_expiry_date: date('Begin', 'when it expires'),
  end_expiry_date: date('End', 'when it expires'),
  wallet_id: repeatable('Numbers of wallets; of others than your own nothing is found.', {
    pattern: String.raw`^\d{1,18}$`,
  }),
})

type ListQuery = Static<typeof mandateListQuery>

/** Reads every filter of SPEC.md. Refusals: invalid_parameter naming the parameter. */
export function readMandateFilter(query: ListQuery): Result<MandateFilter> {
  const states = wordsOf('status', [...listOf(query.status), ...listOf(query.state)], mandateStates)
  if (!states.ok) return states
  const types = wordsOf('type', listOf(query.type), mandateTypes)
  if (!types.ok) return types
  const phone = phoneOf(query.phone)
  if (!phone.ok) return phone
  const created = spanOf(query, 'creation_date')
  if (!created.ok) return created
  const expiring = spanOf(query, 'expiry_date')
  if (!expiring.ok) return expiring
  const walletIds = listOf(query.wallet_id)
  if (!walletIds.every((id) => /^\d{1,18}$/.test(id)))
    return refuse('invalid_parameter', 'wallet_id must be the number of a wallet')
  const { from, until } = expiring.value
  return ok({
    states: states.value.length === 0 ? undefined : states.value,
    type: types.value[0],
    phone: phone.value,
    createdFrom: created.value.from,
    createdUntil: created.value.until,
    expiringFrom: from === undefined ? undefined : lisbonDayOf(from),
    expiringUntil: until === undefined ? undefined : lisbonDayOf(after(until, -1)),
    walletIds: walletIds.length === 0 ? undefined : walletIds.map(BigInt),
  })
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

function wordsOf<Word extends string>(
  field: string,
  texts: readonly string[],
  words: readonly Word[],
): Result<readonly Word[]> {
  const known: Word[] = []
  for (const text of texts) {
    const word = words.find((candidate) => candidate === text.toUpperCase())
    if (word === undefined) return refuse('invalid_parameter', `${field} must be one of ${words.join(', ')}`)
    known.push(word)
  }
  return ok(known)
}

function phoneOf(text: string | undefined): Result<string | undefined> {
  return text === undefined ? ok(undefined) : parsePhoneInAddress(text, 'phone')
}

interface Span {
  readonly from: Instant | undefined
  /** Exclusive. */
  readonly until: Instant | undefined
}

/** `start_…` and `end_…`, both ends included: Lisbon days, or moments to the second; without a zone they are Lisbon time, as records show them. */
function spanOf(query: ListQuery, name: 'creation_date' | 'expiry_date'): Result<Span> {
  const from = edgeOf(query[`start_${name}`], `start_${name}`, (day) => startOfLisbonDay(day), 0)
  if (!from.ok) return from
  const nextDay = (day: Day) => startOfLisbonDay(addDays(day, 1))
  const until = edgeOf(query[`end_${name}`], `end_${name}`, nextDay, second)
  if (!until.ok) return until
  if (from.value !== undefined && until.value !== undefined && until.value <= from.value)
    return refuse('invalid_parameter', `end_${name} must not lie before start_${name}`)
  return ok({ from: from.value, until: until.value })
}

/** The day after the last day of the calendar cannot be written by the database. */
const dateEnd = startOfLisbonDay('9999-01-01')

function edgeOf(
  text: string | undefined,
  field: string,
  ofDay: (day: Day) => Instant,
  momentMs: number,
): Result<Instant | undefined> {
  if (text === undefined) return ok(undefined)
  // A `+` of the zone that was not encoded arrives as a space.
  const moment = parseInstant(text.replace(/ (\d{2}:?\d{2})$/, '+$1'), field)
  if (!moment.ok) return moment
  const day = parseDay(text.trim())
  const time = parseLisbonTime(text.trim()) ?? moment.value
  const edge = day === undefined ? after(time, momentMs) : ofDay(day)
  return edge < dateEnd ? ok(edge) : refuse('invalid_parameter', `${field} must lie before the year 9999`)
}
