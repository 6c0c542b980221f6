// The list of mandates: its filters and its SQL.

import { type RawBuilder, sql } from 'kysely'
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
import { deny, ok, type Result, refuse, unwrap } from '../../../kernel/result.ts'
import { after, type Instant, second, toTimestamp } from '../../../kernel/time.ts'
import { parsePhoneInAddress } from '../../../kernel/values/phones.ts'
import { type Database, type PageOfList, selectPage } from '../../../storage/index.ts'
import {
  type Mandate,
  type MandateState,
  type MandateType,
  mandateStates,
  mandatesWithUse,
  mandateTypes,
} from './model.ts'

const one = (description: string, keywords: object = {}) =>
  Type.Optional(Type.String({ description, ...documented({ ...keywords }) }))
const date = (edge: string, of: string) =>
  one(`${edge} of ${of}: ISO 8601 date, included. A day without time is a Lisbon day.`)
const repeatable = (description: string, items: object) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 30 })], {
      description,
      ...documented({ anyOf: undefined, type: 'array', items: { type: 'string', ...items }, maxItems: 30 }),
    }),
  )

export const mandateListQuery = Type.Object({
  ...pageQuery,
  status: repeatable('States to include.', { enum: mandateStates }),
  state: repeatable('Alias of `status`.', { enum: mandateStates }),
  type: one(`One of ${mandateTypes.join(', ')}.`, { enum: mandateTypes }),
  phone: one('Phone number with + and country code.'),
  start_creation_date: date('Begin', 'the creation time'),
  end_creation_date: date('End', 'the creation time'),
  start_expiry_date: date('Begin', 'the last day'),
  end_expiry_date: date('End', 'the last day'),
  wallet_id: repeatable('Wallet numbers. Only your own wallet has results.', {
    pattern: String.raw`^\d{1,18}$`,
  }),
})

type ListQuery = Static<typeof mandateListQuery>

export function readMandateFilter(query: ListQuery): MandateFilter {
  const states = unwrap(wordsOf('status', [...listOf(query.status), ...listOf(query.state)], mandateStates))
  const types = unwrap(wordsOf('type', listOf(query.type), mandateTypes))
  const phone = unwrap(phoneOf(query.phone))
  const created = unwrap(spanOf(query, 'creation_date'))
  const expiring = unwrap(spanOf(query, 'expiry_date'))
  const walletIds = listOf(query.wallet_id)
  if (!walletIds.every((id) => /^\d{1,18}$/.test(id)))
    deny('invalid_parameter', 'wallet_id must be the number of a wallet')
  const { from, until } = expiring
  return {
    states: states.length === 0 ? undefined : states,
    type: types[0],
    phone,
    createdFrom: created.from,
    createdUntil: created.until,
    expiringFrom: from === undefined ? undefined : lisbonDayOf(from),
    expiringUntil: until === undefined ? undefined : lisbonDayOf(after(until, -1)),
    walletIds: walletIds.length === 0 ? undefined : walletIds.map(BigInt),
  }
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
  readonly until: Instant | undefined
}

/** Lisbon days, or times to the second; both ends are included. Times without a zone are in Lisbon time. */
function spanOf(query: ListQuery, name: 'creation_date' | 'expiry_date'): Result<Span> {
  const from = edgeOf(query[`start_${name}`], `start_${name}`, (day) => startOfLisbonDay(day), 0)
  if (!from.ok) return from
  const nextDay = (day: Day) => startOfLisbonDay(addDays(day, 1))
  const until = edgeOf(query[`end_${name}`], `end_${name}`, nextDay, second)
  if (!until.ok) return until
  if (from.value !== undefined && until.value !== undefined && until.value <= from.value)
    return refuse('invalid_parameter', `end_${name} must not be before start_${name}`)
  return ok({ from: from.value, until: until.value })
}

/** Later filters are refused: they would need a day that PostgreSQL cannot store. */
const dateEnd = startOfLisbonDay('9999-01-01')

function edgeOf(
  text: string | undefined,
  field: string,
  ofDay: (day: Day) => Instant,
  momentMs: number,
): Result<Instant | undefined> {
  if (text === undefined) return ok(undefined)
  const moment = parseInstant(text.replace(/ (\d{2}:?\d{2})$/, '+$1'), field)
  if (!moment.ok) return moment
  const day = parseDay(text.trim())
  const time = parseLisbonTime(text.trim()) ?? moment.value
  const edge = day === undefined ? after(time, momentMs) : ofDay(day)
  return edge < dateEnd ? ok(edge) : refuse('invalid_parameter', `${field} must be before the year 9999`)
}

export interface MandateFilter {
  readonly states?: readonly MandateState[] | undefined
  readonly type?: MandateType | undefined
  readonly phone?: string | undefined
  readonly createdFrom?: Instant | undefined
  readonly createdUntil?: Instant | undefined
  readonly expiringFrom?: Day | undefined
  readonly expiringUntil?: Day | undefined
  readonly walletIds?: readonly bigint[] | undefined
}

export interface MandatePage {
  readonly total: number
  readonly mandates: readonly Mandate[]
}

export async function listMandates(
  database: Database,
  walletId: bigint,
  filter: MandateFilter,
  page: PageOfList,
  month: string,
): Promise<MandatePage> {
  const conditions = conditionsOf(walletId, filter)
  const used = sql`(
    select used from mandate_allowances
    where mandate_allowances.wallet_id = mandates.wallet_id and mandate_id = mandates.id and month = ${month}
  )`
  const { total, rows } = await selectPage(database, mandatesWithUse, conditions, page, { also: { used } })
  return { total, mandates: rows }
}

function conditionsOf(walletId: bigint, filter: MandateFilter): RawBuilder<unknown>[] {
  const conditions = [sql`mandates.wallet_id = ${walletId}`]
  if (filter.walletIds !== undefined) conditions.push(sql`mandates.wallet_id = any(${filter.walletIds})`)
  if (filter.states !== undefined) conditions.push(sql`state = any(${filter.states})`)
  if (filter.type !== undefined) conditions.push(sql`type = ${filter.type}`)
  if (filter.phone !== undefined) conditions.push(sql`phone = ${filter.phone}`)
  if (filter.createdFrom !== undefined) conditions.push(sql`created_at >= ${toTimestamp(filter.createdFrom)}`)
  if (filter.createdUntil !== undefined)
    conditions.push(sql`created_at < ${toTimestamp(filter.createdUntil)}`)
  if (filter.expiringFrom !== undefined) conditions.push(sql`expiry_date >= ${filter.expiringFrom}`)
  if (filter.expiringUntil !== undefined) conditions.push(sql`expiry_date <= ${filter.expiringUntil}`)
  return conditions
}
