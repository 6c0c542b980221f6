// The port to the database: one PostgreSQL dialect, spoken through PostgreSQL or the embedded PGlite.
import type { Kysely } from 'kysely'
import { ok, RefusalError, type Result, unwrap } from '../kernel/result.ts'
import type { ColumnType } from './tables/values.ts'

/** A piece of SQL written once, with the shape of its rows. Prepared by the server on first use. */
export interface Statement<Row> {
  readonly text: string
  /** Its answer is waited for as long as it takes. */
  readonly hasNoTimeLimit?: true
  /** Never set: carries the row's type to {@link Executor.run}. */
  readonly row?: Row
}

/** Names a statement at module level: ``statement<{ id: string }>(`select id from …`)``. */
export function statement<Row = Record<string, never>>(text: string): Statement<Row> {
  return { text }
}

/** A {@link statement} that may go through whole tables, with nobody but its caller waiting: that of an audit. */
export function statementWithoutTimeLimit<Row>(text: string): Statement<Row> {
  return { text, hasNoTimeLimit: true }
}

/** One row found by its key. Made once per kind of read, at module level, by `lookup` (`reads/grouped.ts`). */
export interface Lookup<Row> {
  readonly text: string
  readonly keyTypes: readonly ColumnType[]
  /** The row that these values are; `names` says which value each is. */
  rowOf(names: readonly string[], values: readonly unknown[]): Row
}

/** Rows as arrays, and the names of their columns in order. */
export interface RowsAsArrays {
  readonly names: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

export type ReadRows = (text: string, parameters: readonly unknown[]) => Promise<RowsAsArrays>

/** Runs single statements: the database itself (each its own transaction) or an open transaction. */
export interface Executor {
  run<Row>(statement: Statement<Row>, parameters?: readonly unknown[]): Promise<Row[]>
  /**
   * The row that `lookup` finds for `key`, whose values stand in the order in which the lookup names them. Of the
   * database itself, concurrent callers share one statement; each sees what was committed before it asked. The row
   * has its columns as inherited properties: read them by name, do not spread it.
   */
  find<Row>(lookup: Lookup<Row>, key: readonly unknown[]): Promise<Row | undefined>
}

export interface Database extends Executor {
  readonly kind: 'postgres' | 'pglite'
  /** For migrations, and to compile what depends on what is asked, such as a list with its filters. */
  readonly kysely: Kysely<unknown>
  /** Runs a statement with parameters whose rows come as arrays, for answers of many rows with many columns. */
  readonly read: ReadRows
  /**
   * Runs `work` in one transaction, rolled back when it throws. Inside, use only `tx`: PGlite has one
   * connection, and refuses who asks the database itself meanwhile.
   */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>
  /**
   * Runs `work` on one connection, once there is one, each statement its own transaction. As in a transaction, use
   * only `db`: who must not send a statement late looks at that in `work`.
   */
  connected<T>(work: (db: Executor) => Promise<T>): Promise<T>
  /**
   * Hears notices sent by any process on `channel`. A notice only wakes: it may be lost, and `onNotice`
   * is called with an empty payload after a lost connection, when anything may have been missed.
   */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  notify(channel: string, payload: string): Promise<void>
  /** Answers when the database does; rejects when it is out of reach or takes no writes. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A transaction that is undone by a refusal, returned or thrown, which is its result. */
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

/**
 * The database cannot be reached or takes no writes, or broke off mid-way: whether the last statement took effect
 * is unknown. `reason` says which, for the caller.
 */
export class DatabaseUnavailable extends Error {
  readonly reason: string

  constructor(cause: unknown, reason = 'the database is out of reach') {
    super('the database cannot be reached', { cause })
    this.name = 'DatabaseUnavailable'
    this.reason = reason
  }
}

type ParametersOf<Asked extends unknown[]> = (...asked: Asked) => readonly unknown[]

function storeFunction<Asked extends unknown[], Row, Answer>(
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

/** Answers whether the statement returns a row, such as `returning id` of a changed one. */
export function hasRows<Asked extends unknown[]>(parametersOf: ParametersOf<Asked>) {
  return storeFunction(parametersOf, (rows) => rows.length > 0)
}

export function findFirst<Row, Asked extends unknown[]>(
  { first }: { first(rows: readonly never[]): Row | undefined },
  parametersOf: ParametersOf<Asked>,
) {
  return storeFunction<Asked, never, Row | undefined>(parametersOf, first)
}

/** As {@link findFirst}, for a statement that always returns a row. */
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
