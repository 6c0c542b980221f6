// The filters of the list of mandates, read from its query; each refusal names its parameter and what would be right.
import { type Static, Type } from 'typebox'
import { pageQuery, parseInstant } from '../../http/index.ts'
import { addDays, type Day, lisbonDayOf, parseDay, startOfLisbonDay } from '../../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { after, type Instant, second } from '../../kernel/time.ts'
import { parsePhoneInAddress } from '../../kernel/values/phones.ts'
import { mandateStates, mandateTypes } from '../model.ts'
import type { MandateFilter } from './list-store.ts'

const one = (description: string) => Type.Optional(Type.String({ description }))
const date = one('An ISO 8601 date; a day counts in Lisbon, and is included.')
const repeatable = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 30 })]))

export const mandateListQuery = Type.Object({
  ...pageQuery,
  status: repeatable,
  state: repeatable,
  type: one(`One of ${mandateTypes.join(', ')}.`),
  phone: one('A phone number with + and its country code.'),
  start_creation_date: date,
  end_creation_date: date,
  start_expiry_date: date,
  end_expiry_date: date,
  wallet_id: repeatable,
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

/** `start_…` and `end_…`, both ends included: Lisbon days, or moments to the second. */
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
  const edge = day === undefined ? after(moment.value, momentMs) : ofDay(day)
  return edge < dateEnd ? ok(edge) : refuse('invalid_parameter', `${field} must lie before the year 9999`)
}
