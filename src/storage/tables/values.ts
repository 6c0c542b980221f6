// Values to and from PostgreSQL, equal for both drivers.
import { type Instant, instant } from '../../kernel/time.ts'

export type ColumnType =
  | 'uuid'
  | 'bigint'
  | 'integer'
  | 'text'
  | 'boolean'
  | 'jsonb'
  | 'timestamptz'
  | 'bytea'

export interface RowSet<Column extends string> {
  /** `select … from unnest($1::uuid[], …)`, for `with input as (…)`. */
  readonly source: string
  parameters(rows: readonly Readonly<Record<Column, unknown>>[]): string[]
}

/** Adds `ordinal` (1, 2, …) to match answers with rows. Pass jsonb and instants as text. */
export function rowSet<Column extends string>(
  columns: Readonly<Record<Column, ColumnType>>,
  firstParameter = 1,
): RowSet<Column> {
  const names = Object.keys(columns) as Column[]
  const arrays = names.map((name, index) => `$${firstParameter + index}::${columns[name]}[]`)
  const list = names.map((name) => `"${name}"`).join(', ')
  return {
    source: `select * from unnest(${arrays.join(', ')}) with ordinality as input(${list}, ordinal)`,
    parameters: (rows) => names.map((name) => arrayText(rows, name)),
  }
}

function arrayText<Column extends string>(
  rows: readonly Readonly<Record<Column, unknown>>[],
  name: Column,
): string {
  let text = '{'
  for (const row of rows) text += text.length === 1 ? elementText(row[name]) : `,${elementText(row[name])}`
  return `${text}}`
}

function elementText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  if (typeof value === 'object')
    throw new TypeError('a column of a row set takes no objects: pass JSON as text')
  return String(value)
}

/** JSON and PostgreSQL escape these differently, and surrogate halves too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacter = /[\0-\x1f]/

/** JSON escapes the same two characters, in a third of the time. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  if (text.isWellFormed() && !controlCharacter.test(text)) return JSON.stringify(text)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

const byteaOid = 17
const int8Oid = 20
const dateOid = 1082
const timestamptzOid = 1184

/** Instants as epoch milliseconds, days as text. PGlite's own parser of bytes takes twenty times as long. */
export const typeParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [byteaOid]: (text) => Buffer.from(text.slice(2), 'hex'),
  [int8Oid]: (text) => BigInt(text),
  [dateOid]: (text) => text,
  [timestamptzOid]: parseTimestamp,
}

/** For `2026-03-29 22:59:59.123+00`: a third of Date.parse's time. */
export function parseTimestamp(text: string): Instant {
  if (text.charCodeAt(4) !== hyphen || text.charCodeAt(text.length - 3) !== plus) {
    return instant(Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`))
  }
  const pair = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - elevenZeros
  const seconds = Date.UTC(pair(0) * 100 + pair(2), pair(5) - 1, pair(8), pair(11), pair(14), pair(17))
  if (text.length === wholeSecondsLength) return instant(seconds)
  return instant(seconds + Number(text.slice(20, Math.min(23, text.length - 3)).padEnd(3, '0')))
}

const hyphen = 45
const plus = 43
const elevenZeros = 48 * 11
const wholeSecondsLength = '2026-03-29 22:59:59+00'.length
