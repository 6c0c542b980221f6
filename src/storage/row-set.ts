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
  /** One array per column, in the order of {@link source}. */
  parameters(rows: readonly Readonly<Record<Column, unknown>>[]): unknown[][]
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
    parameters: (rows) => names.map((name) => rows.map((row) => row[name])),
  }
}
