// The database port: one PostgreSQL dialect for PostgreSQL and PGlite.
import type { Kysely } from 'kysely'
import { ok, RefusalError, type Result, unwrap } from '../kernel/result.ts'
import type { ColumnType } from './tables/column.ts'

export interface Statement<Row> {
  readonly text: string
  readonly hasNoTimeLimit?: true
  readonly row?: Row
}

export function statement<Row = Record<string, never>>(text: string): Statement<Row> {
  return { text }
}

/** A statement for audits, which may read whole tables. */
export function statementWithoutTimeLimit<Row>(text: string): Statement<Row> {
  return { text, hasNoTimeLimit: true }
}

export interface Lookup<Row> {
  readonly text: string
  readonly keyTypes: readonly ColumnType[]
  rowOf(names: readonly string[], values: readonly unknown[]): Row
}

export interface RowsAsArrays {
  readonly names: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

export type ReadRows = (text: string, parameters: readonly unknown[]) => Promise<RowsAsArrays>

/** Runs statements: the database (each in a transaction of its own) or an open transaction. */
export interface Executor {
  run<Row>(statement: Statement<Row>, parameters?: readonly unknown[]): Promise<Row[]>
  /** Parallel callers share a statement. Columns are inherited properties: do not spread the row. */
  find<Row>(lookup: Lookup<Row>, key: readonly unknown[]): Promise<Row | undefined>
}

export interface Database extends Executor {
  readonly kind: 'postgres' | 'pglite'
  readonly kysely: Kysely<unknown>
  readonly read: ReadRows
  /** Rolls back if `work` throws. Inside, use only `tx`: PGlite has one connection and refuses other calls. */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>
  /** Runs `work` on one connection, each statement in its own transaction. Use only `db` inside. */
  connected<T>(work: (db: Executor) => Promise<T>): Promise<T>
  /** Calls `listener` after another server has taken over: caches may then hold rows that it lacks. */
  onFailover(listener: () => void): void
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  notify(channel: string, payload: string): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}

/** A transaction that a refusal rolls back. The refusal is the result. */
export async function refusingTransaction<T>(
  database: Pick<Database, 'transaction'>,
  work: (tx: Executor) => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return ok(await database.transaction(async (tx) => unwrap(await work(tx))))
  } catch (error) {
    if (error instanceof RefusalError) return { ok: false, refusal: error.refusal }
    throw error
  }
}

/** The connection was refused or lost, so the last statement may have taken effect. Callers see `reason`. */
export class DatabaseUnavailable extends Error {
  readonly reason: string

  constructor(cause: unknown, reason = 'the database is unavailable') {
    super('the database cannot be reached', { cause })
    this.name = 'DatabaseUnavailable'
    this.reason = reason
  }
}

type ParametersOf<Asked extends unknown[]> = (...asked: Asked) => readonly unknown[]

/** Makes a function of one statement. Parameters come from its arguments, its result from the rows. */
export function storeFunction<Asked extends unknown[], Row, Answer>(
  parametersOf: ParametersOf<Asked>,
  answerOf: (rows: Row[]) => Answer,
) {
  return (sql: TemplateStringsArray, ...parts: readonly (string | number)[]) => {
    const prepared = statement<Row>(String.raw({ raw: sql }, ...parts))
    return async (db: Executor, ...asked: Asked): Promise<Answer> =>
      answerOf(await db.run(prepared, parametersOf(...asked)))
  }
}

export function execute<Asked extends unknown[]>(parametersOf: ParametersOf<Asked>) {
  return storeFunction(parametersOf, (): void => undefined)
}

/** Makes a function that returns true if the statement returns a row, such as `returning id`. */
export function hasRows<Asked extends unknown[]>(parametersOf: ParametersOf<Asked>) {
  return storeFunction(parametersOf, (rows) => rows.length > 0)
}

export function findFirst<Row, Asked extends unknown[]>(
  { first }: { first(rows: readonly never[]): Row | undefined },
  parametersOf: ParametersOf<Asked>,
) {
  return storeFunction<Asked, never, Row | undefined>(parametersOf, first)
}

/** Like {@link findFirst}, for a statement that always returns a row. */
export function writtenRow<Row, Asked extends unknown[]>(
  { first }: { first(rows: readonly never[]): Row | undefined },
  parametersOf: ParametersOf<Asked>,
) {
  return storeFunction<Asked, never, Row>(parametersOf, (rows) => first(rows) as Row)
}

export function findAll<Row, Asked extends unknown[]>(
  { read }: { read(row: never): Row },
  parametersOf: ParametersOf<Asked>,
) {
  return storeFunction<Asked, never, Row[]>(parametersOf, (rows) => rows.map((row) => read(row)))
}
