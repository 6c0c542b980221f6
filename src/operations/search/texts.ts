// Finds operations by texts and by ids of other things. Each search reads a range of an index of operations.
import { type RawBuilder, sql } from 'kysely'
import type { Meaning } from './meaning.ts'

/** The number of characters that are indexed. A longer text is found by its beginning. */
const textLengthMax = 100
/** The most different texts with the typed beginning that a search reads. */
const textsMax = 50

/** SQL of a text column in the form that its index uses. */
export function searchedText(column: string): RawBuilder<unknown> {
  return sql.raw(`(left(lower(${column}), ${textLengthMax}) collate "C")`)
}

interface Searched {
  readonly column: string
  /** Matches a typed text that the column could contain. */
  readonly of: RegExp
}

const searchedColumns: readonly Searched[] = [
  ...['ext_invoiceid', 'ext_customerid', 'ext_employee', 'ext_email', "client ->> 'email'"].map((column) => ({
    column,
    of: /^/,
  })),
  ...['phone', "client ->> 'phone'"].map((column) => ({ column, of: /^[+\d]+$/ })),
  { column: 'mb_ref', of: /^\d{1,9}$/ },
]

/** Returns queries of ids, newest first. Each finds up to `limit` operations that also meet `conditions`. */
export function streamsOfTexts(
  walletId: bigint,
  { terms, ids }: Meaning,
  conditions: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown>[] {
  const newest = (of: RawBuilder<unknown>) => sql`
    select id from operations
    where wallet_id = ${walletId} and ${of} and ${conditions}
    order by id desc limit ${limit}`
  const streams = terms.flatMap((term) => [
    ...searchedColumns
      .filter(({ of }) => of.test(term))
      .map(({ column }) => streamOfText(walletId, column, term, newest)),
    ...referenceOf(term).map(({ entity, ref }) =>
      newest(sql`mb_entity = ${entity} and ${beginsWith(searchedText('mb_ref'), ref)}`),
    ),
    ...lastDigitsOf(term).map((digits) =>
      newest(sql`card is not null and card ->> 'last4' = any(${digits})`),
    ),
  ])
  if (ids === undefined) return streams
  // A link may have a million payments. Their own index has them in order.
  const ofLinks = () => sql`
    select paid.id from payment_links cross join lateral (
      select found.id from operation_links as linked cross join lateral (
        select id from operations
        where wallet_id = ${walletId} and operations.id = linked.id and ${conditions} offset 0
      ) as found
      where linked.wallet_id = ${walletId} and linked.payment_link_id = payment_links.id
      order by linked.id desc limit ${limit}
    ) as paid
    where payment_links.wallet_id = ${walletId} and payment_links.id ${within}`
  const within = sql`between ${ids.first}::uuid and ${ids.last}::uuid`
  streams.push(newest(sql`id ${within}`))
  if (ids.isPrecise)
    streams.push(newest(sql`parent_id ${within}`), ...streamsOfOthers(walletId, within, newest), ofLinks())
  return streams
}

/** Finds payments by the ids of checkouts and subscriptions. */
function streamsOfOthers(
  walletId: bigint,
  within: RawBuilder<unknown>,
  newest: (of: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const own = sql`wallet_id = ${walletId} and id ${within}`
  return [
    newest(sql`id = any(array(select operation_id from checkouts where ${own}))`),
    newest(sql`subscription_id ${within}`),
    newest(
      sql`subscription_id = any(array(select subscription_id from checkouts where ${own} and operation_id is null))`,
    ),
  ]
}

function beginsWith(text: RawBuilder<unknown>, beginning: string): RawBuilder<unknown> {
  return sql`${text} >= ${beginning} and ${text} < ${`${beginning}\u{10ffff}`}`
}

/** Finds the different texts one by one, then the newest operations of each. */
function streamOfText(
  walletId: bigint,
  column: string,
  term: string,
  newest: (of: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const text = searchedText(column)
  const given = sql.raw(`(${column}) is not null`)
  const next = (after: RawBuilder<unknown>) => sql`
    select ${text} as term from operations
    where wallet_id = ${walletId} and ${given} and ${after} and ${text} < ${`${term}\u{10ffff}`}
    order by ${text} limit 1`
  return sql`
    with recursive texts as (
      (${next(sql`${text} >= ${term}`)})
      union all
      select (${next(sql`${text} > texts.term`)}) from texts where texts.term is not null
    )
    select newest.id
    from (select term from texts where term is not null limit ${textsMax}) as found
    cross join lateral (${newest(sql`${given} and ${text} = found.term`)}) as newest`
}

/** Reads an entity followed by a reference or its beginning. */
function referenceOf(term: string): { readonly entity: string; readonly ref: string }[] {
  const [, entity, ref] = /^(\d{5})(\d{1,9})$/.exec(term) ?? []
  return entity === undefined || ref === undefined ? [] : [{ entity, ref }]
}

/** The last four digits of a card. Three typed digits stand for all ten numbers that begin with them. */
function lastDigitsOf(term: string): (readonly string[])[] {
  if (/^\d{4}$/.test(term)) return [[term]]
  return /^\d{3}$/.test(term) ? [Array.from({ length: 10 }, (_, digit) => `${term}${digit}`)] : []
}
