// Many rows as one parameter per column, so that a single statement writes what many callers brought.

/** The PostgreSQL types a column of a set may have. */
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
  /** `select … from unnest($1::uuid[], …)`, to stand in a `with input as (…)`. */
  readonly source: string
  /** One array per column, in the order of {@link source}, as PostgreSQL writes arrays. */
  parameters(rows: readonly Readonly<Record<Column, unknown>>[]): string[]
}

/**
 * Describes a set of rows by its columns. `ordinal` (1, 2, …) is added to each row, so that an answer can
 * be matched to the caller that brought the row.
 *
 * @param columns column name → PostgreSQL type; pass jsonb values as JSON text, instants as ISO text
 * @param firstParameter number of the first parameter, when other parameters or sets stand before
 */
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

/** Texts stand in quotes whatever they hold, so that none is taken for the end of its element, or for NULL. */
function elementText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return `"${escaped(value)}"`
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  if (typeof value === 'object')
    throw new TypeError('a column of a row set takes no objects: pass JSON as text')
  return String(value)
}

function escaped(text: string): string {
  return text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text
}
