// The filters of a payment search.
import { addDays, parseDay, startOfLisbonDay } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { isUuid } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { methods } from '../../methods/list.ts'
import { type OperationSearch, operationStatuses, operationTypes } from '../../operations/index.ts'
import type { PaymentsQuery } from '../contract/payments.ts'
import { centsOf } from '../operator/merchant-settings.ts'

export function readSearch(
  query: PaymentsQuery,
): Result<{ readonly search: OperationSearch; readonly after: string | undefined }> {
  const types = wordsOf('type', query.type, operationTypes)
  if (!types.ok) return types
  const statuses = wordsOf('status', query.status, operationStatuses)
  if (!statuses.ok) return statuses
  const known = wordsOf('method', query.method, methods)
  if (!known.ok) return known
  const stores = storesOf(query.store)
  if (!stores.ok) return stores
  const from = dayOf('from', query.from)
  if (!from.ok) return from
  const to = dayOf('to', query.to)
  if (!to.ok) return to
  const min = amountOf('min', query.min)
  if (!min.ok) return min
  const max = amountOf('max', query.max)
  if (!max.ok) return max
  const after = query.after || undefined
  if (after !== undefined && !isUuid(after)) {
    return refuse('invalid_parameter', 'after must be the value of next')
  }
  const search: OperationSearch = {
    text: query.text?.trim() || undefined,
    types: types.value,
    statuses: statuses.value,
    methods: known.value,
    channels: listOf(query.channel)?.map((word) => word.toUpperCase()),
    stores: stores.value,
    from: from.value === undefined ? undefined : startOfLisbonDay(from.value),
    until: to.value === undefined ? undefined : startOfLisbonDay(addDays(to.value, 1)),
    amountMin: min.value,
    amountMax: max.value,
  }
  return ok({ search, after })
}

function listOf(text: string | undefined): readonly string[] | undefined {
  const words = (text ?? '').split(',').flatMap((word) => word.trim() || [])
  return words.length === 0 ? undefined : words
}

function wordsOf<Word extends string>(
  field: string,
  text: string | undefined,
  words: readonly Word[],
): Result<readonly Word[] | undefined> {
  const asked = listOf(text)?.map((word) => word.toUpperCase())
  const found = asked?.map((word) => words.find((candidate) => candidate === word))
  return found?.includes(undefined) === true
    ? refuse('invalid_parameter', `${field} must be of ${words.join(', ')}`)
    : ok(found as readonly Word[] | undefined)
}

function storesOf(text: string | undefined): Result<readonly bigint[] | undefined> {
  const asked = listOf(text)
  return asked?.some((word) => !/^\d{1,15}$/.test(word)) === true
    ? refuse('invalid_parameter', 'store must be numbers of stores')
    : ok(asked?.map(BigInt))
}

function dayOf(field: string, text: string | undefined): Result<string | undefined> {
  if (text === undefined || text === '') return ok(undefined)
  const day = parseDay(text)
  return day === undefined ? refuse('invalid_parameter', `${field} must be a day as yyyy-mm-dd`) : ok(day)
}

function amountOf(field: string, text: string | undefined): Result<Cents | undefined> {
  return text === undefined || text === '' ? ok(undefined) : centsOf(field, text.trim())
}
