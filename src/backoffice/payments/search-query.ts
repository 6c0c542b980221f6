// The filters of a payment search.
import { addDays, parseDay, startOfLisbonDay } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { isUuid } from '../../kernel/random.ts'
import { deny } from '../../kernel/result.ts'
import { methods } from '../../methods/list.ts'
import { type OperationSearch, operationStatuses, operationTypes } from '../../operations/index.ts'
import type { PaymentsQuery } from '../contract/payments.ts'
import { centsOf } from '../operator/merchant-settings.ts'

/** Throws invalid_parameter naming the filter and its valid values. */
export function readSearch(query: PaymentsQuery): {
  readonly search: OperationSearch
  readonly after: string | undefined
} {
  const search: OperationSearch = {
    text: query.text?.trim() || undefined,
    types: wordsOf('type', query.type, operationTypes),
    statuses: wordsOf('status', query.status, operationStatuses),
    methods: wordsOf('method', query.method, methods),
    channels: listOf(query.channel)?.map((word) => word.toUpperCase()),
    stores: storesOf(query.store),
    from: dayOf('from', query.from, 0),
    until: dayOf('to', query.to, 1),
    amountMin: amountOf('min', query.min),
    amountMax: amountOf('max', query.max),
  }
  const after = query.after || undefined
  if (after !== undefined && !isUuid(after)) deny('invalid_parameter', 'after must be the value of next')
  return { search, after }
}

function listOf(text: string | undefined): readonly string[] | undefined {
  const words = (text ?? '').split(',').flatMap((word) => word.trim() || [])
  return words.length === 0 ? undefined : words
}

function wordsOf<Word extends string>(
  field: string,
  text: string | undefined,
  words: readonly Word[],
): readonly Word[] | undefined {
  return listOf(text)?.map(
    (word) =>
      words.find((known) => known === word.toUpperCase()) ??
      deny('invalid_parameter', `${field} must be of ${words.join(', ')}`),
  )
}

function storesOf(text: string | undefined): readonly bigint[] | undefined {
  const asked = listOf(text)
  if (asked?.some((word) => !/^\d{1,15}$/.test(word)))
    deny('invalid_parameter', 'store must be numbers of stores')
  return asked?.map(BigInt)
}

function dayOf(field: string, text: string | undefined, daysLater: number) {
  if (text === undefined || text === '') return undefined
  const day = parseDay(text) ?? deny('invalid_parameter', `${field} must be a day as yyyy-mm-dd`)
  return startOfLisbonDay(addDays(day, daysLater))
}

function amountOf(field: string, text: string | undefined): Cents | undefined {
  return text === undefined || text === '' ? undefined : centsOf(field, text.trim())
}
