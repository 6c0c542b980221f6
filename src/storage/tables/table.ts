// Table declarations: row types, column lists, row sets and mappers.
import type { Column, ColumnType, Embedded, Presence } from './column.ts'
import { type FlatColumn, flatColumns, readerOf, writerOf } from './row-mappers.ts'

export { column } from './column.ts'

export type Fields = Readonly<Record<string, Column | Embedded>>

type PresenceOf<Field> =
  Field extends Column<unknown, infer P> ? P : Field extends Embedded<infer _, infer P> ? P : never
type ValueOf<Field> =
  Field extends Column<infer Value>
    ? Value
    : Field extends Embedded<infer Members>
      ? Simplified<Existing<Members>>
      : never
type Having<F, P extends Presence> = {
  [Name in keyof F]: PresenceOf<F[Name]> extends P ? Name : never
}[keyof F]
type Definite<F, Names extends keyof F> = { readonly [Name in Names]: ValueOf<F[Name]> }
type Possible<F, Names extends keyof F> = { readonly [Name in Names]?: ValueOf<F[Name]> | undefined }
type Existing<F> = Definite<F, Having<F, 'required' | 'defaulted' | 'nullable'>> &
  Possible<F, Having<F, 'optional'>>
type New<F> = Definite<F, Having<F, 'required' | 'nullable'>> &
  Possible<F, Having<F, 'defaulted' | 'optional'>>
type Simplified<T> = { [Name in keyof T]: T[Name] }

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
type NameOf<Field, Default extends string> =
  Field extends Column<unknown, Presence, infer Name> ? (Name extends '' ? Default : Name) : never
type ColumnNames<F> = {
  [Name in keyof F & string]: F[Name] extends Embedded<infer Members>
    ? {
        [Member in keyof Members & string]: NameOf<Members[Member], `${SnakeCase<Name>}_${SnakeCase<Member>}`>
      }[keyof Members & string]
    : NameOf<F[Name], SnakeCase<Name>>
}[keyof F & string]

declare const stored: unique symbol
interface Stored<F, Prefix extends string> {
  readonly [stored]: { readonly [P in Prefix]: F }
}

export type RowOf<C> = C extends Columns<infer F, infer _, infer _> ? Simplified<Existing<F>> : never
export type NewRowOf<C> = C extends Columns<infer F, infer _, infer _> ? Simplified<New<F>> : never
export type StoredRowOf<C> = C extends Columns<infer F, infer _, infer Prefix> ? Stored<F, Prefix> : never

export interface Columns<F extends Fields, All extends Fields = F, Prefix extends string = ''> {
  readonly table: string
  readonly fields: F
  readonly names: readonly string[]
  readonly types: Readonly<Record<`${Prefix}${ColumnNames<F>}`, ColumnType>>
  /** `id, wallet_id`, or `o.id, o.wallet_id` for the alias `o`. */
  list(of?: string): string
  placeholders(first?: number): string
  read(row: Stored<F, Prefix>): Simplified<Existing<F>>
  first(rows: readonly Stored<F, Prefix>[]): Simplified<Existing<F>> | undefined
  write(row: Simplified<New<F>>): Record<`${Prefix}${ColumnNames<F>}`, unknown>
  values(row: Simplified<New<F>>): unknown[]
  pick<Name extends keyof All & string>(...names: readonly Name[]): Columns<Pick<All, Name>>
  omit<Name extends keyof F & string>(...names: readonly Name[]): Columns<Omit<F, Name>>
  with<More extends Fields>(more: More): Columns<F & More>
  prefixed<P extends string>(prefix: P): PrefixedColumns<F, P>
}

export interface PrefixedColumns<F extends Fields, Prefix extends string> extends Columns<F, F, Prefix> {
  /** `o.id as <prefix>id, …` */
  aliased(of: string): string
}

export interface Table<F extends Fields, Other extends Fields = F> extends Columns<F, F & Other> {
  readonly whole: Columns<F & Other>
  readonly schema: readonly FlatColumn[]
}

/** A test compares the table with the schema. `read` returns `fields`; `others` are read only if picked. */
export function table<const F extends Fields, const Other extends Fields = Record<never, never>>(
  name: string,
  fields: F,
  others?: Other,
): Table<F, Other> {
  const all = { ...fields, ...others } as F & Other
  return {
    ...columnsOf(name, fields, all, ''),
    whole: columnsOf(name, all, all, ''),
    schema: flatColumns(all),
  }
}

function columnsOf<F extends Fields, All extends Fields, Prefix extends string>(
  name: string,
  fields: F,
  all: All,
  prefix: Prefix,
): Columns<F, All, Prefix> {
  const flat = flatColumns(fields)
  const names = flat.map((column) => prefix + column.name)
  const read = compiledOnUse(() => readerOf(fields, prefix))
  const write = compiledOnUse(() => writerOf(fields, prefix))
  const some = (chosen: Fields) => columnsOf(name, chosen, chosen, '') as never
  return {
    table: name,
    fields,
    names,
    types: Object.fromEntries(flat.map((column) => [prefix + column.name, column.spec.type])) as never,
    list: (of) => names.map((column) => (of === undefined ? column : `${of}.${column}`)).join(', '),
    placeholders: (first = 1) => names.map((_, index) => `$${first + index}`).join(', '),
    read: read as never,
    first: ([row]) => (row === undefined ? undefined : read(row as never)) as never,
    write: write as never,
    values: (row) => Object.values(write(row as never)),
    pick: (...chosen) => some(only(all, (field) => chosen.includes(field as never))),
    omit: (...left) => some(only(fields, (field) => !left.includes(field as never))),
    with: (more) => some({ ...fields, ...more }),
    prefixed: (longer) => ({
      ...columnsOf(name, fields, fields, longer),
      aliased: (of) => flat.map((column) => `${of}.${column.name} as ${longer}${column.name}`).join(', '),
    }),
  }
}

function only(fields: Fields, isWanted: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)))
}

function compiledOnUse<Result>(compile: () => (row: never) => Result): (row: never) => Result {
  let compiled: ((row: never) => Result) | undefined
  return (row) => {
    compiled ??= compile()
    return compiled(row)
  }
}

export interface RowSet<Column extends string> {
  /** `select … from unnest($1::uuid[], …)`, for `with input as (…)`. */
  readonly source: string
  parameters(rows: readonly Readonly<Record<Column, unknown>>[]): string[]
}

/** Adds `ordinal` (1, 2, …) to match results with rows. Pass jsonb and instants as text. */
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

/** JSON and PostgreSQL escape control characters and lone surrogates in different ways. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacter = /[\0-\x1f]/

/** Uses JSON's escapes where both agree, in a third of the time. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  if (text.isWellFormed() && !controlCharacter.test(text)) return JSON.stringify(text)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
